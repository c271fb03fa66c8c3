"""NumPy over all the GPUs or CPU cores of a machine or a cluster: `import tessera as ts`.

Operations are recorded, fused and carried out where the elements are; small arrays are computed at once. The names are
those of the Array API standard 2025.12 and of NumPy.
"""

import os as _os
from importlib.util import find_spec as _find_spec

_folder = _os.path.dirname(_os.path.abspath(__file__)) + "/"
# The plugin that a wheel brings.
_plugin = _folder + "libtessera_mpi.so"
if _os.path.exists(_plugin):
    _os.environ.setdefault("TESSERA_MPI_PLUGIN", _plugin)
# OpenBLAS, if its wheel is installed.
_wheel = _find_spec("scipy_openblas32")
if _wheel is not None and _wheel.origin is not None:
    _openblas = _os.path.dirname(_wheel.origin) + "/lib/libscipy_openblas.so"
    if _os.path.exists(_openblas):
        _os.environ.setdefault("TESSERA_OPENBLAS", _openblas)

from . import _core

_core.set_package_folder(_folder)
_os.register_at_fork(after_in_child=_core.note_fork)

from . import (_creation, _device, _dtypes, _elementwise, _interop, _methods, _order, _products, _reduction, _shape, _statistics, fft, linalg,
               random, testing)
from ._core import (ArgumentError, CompileError, DeviceError, DivergenceError, DTypeError, Error, FileError, LinAlgError,
                    MissingLibrary, NetworkError, OutOfMemory, PlaceError, RangeError, StateError, dtype, ndarray)
from ._creation import (arange, array, asarray, astype, copy, diag, e, empty, empty_like, eye, frombuffer, full, full_like,
                        geomspace, identity, indices, inf, linspace, logspace, meshgrid, nan, newaxis, ones, ones_like, pi,
                        tri, tril, triu, zeros, zeros_like)
from ._device import *
from ._dtypes import can_cast, finfo, iinfo, isdtype, result_type, set_default_float
from ._elementwise import *
from ._info import __array_namespace_info__, show_config
from ._interop import from_dlpack, from_numpy
from ._order import *
from ._products import *
from ._reduction import *
from ._shape import *
from ._statistics import *

globals().update(_dtypes.ALL)
asanyarray = asarray

gather_limit = 1 << 32
"""Bytes that `__array__` and DLPack bring to this process at most."""

__version__ = "0.1.0"
__array_api_version__ = "2025.12"
