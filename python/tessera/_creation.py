"""New arrays."""

import math

from . import _core
from ._core import ndarray
from ._device import place_of

_NUMBERS = (bool, int, float, complex)


def _type_of_number(value):
    if isinstance(value, bool):
        return _core.bool
    if isinstance(value, int):
        return _core.int64 if -(2**63) <= value < 2**63 else _core.uint64
    if isinstance(value, float):
        return _core.default_float()
    if isinstance(value, complex):
        return _core.default_complex()
    raise TypeError(f"the value of elements of the type {type(value).__name__}: a number is needed")


def _holds_arrays(obj):
    while isinstance(obj, (list, tuple)) and obj:
        obj = obj[0]
    return isinstance(obj, ndarray) and obj.ndim > 0


def _from_foreign(obj, dtype, device, split):
    if isinstance(obj, (list, tuple)) and _holds_arrays(obj):
        from ._shape import stack
        return stack([asarray(each, dtype=dtype, device=device) for each in obj])
    if isinstance(obj, (list, tuple, *_NUMBERS)):
        return _core.from_list(obj, dtype, device, split)
    if _core.has_numbers(obj):
        return _core.from_buffer(obj, dtype, device, split)
    if hasattr(obj, "__partitioned__"):
        from ._interop import from_partitioned
        return from_partitioned(obj.__partitioned__, dtype=dtype, device=device, split=split)
    if hasattr(obj, "__dlpack__"):
        from ._interop import from_dlpack
        made = from_dlpack(obj, device=device)
        return made if dtype is None else _core.astype(made, dtype, False)
    if hasattr(obj, "__array__"):
        return _core.from_buffer(obj.__array__(), dtype, device, split)
    if isinstance(obj, range):
        return _core.from_list(list(obj), dtype, device, split)
    raise TypeError(f"an object of the type {type(obj).__name__} cannot become an array: numbers, nested lists, buffers and "
                    "what has __dlpack__ or __array__ can")


def asarray(obj, /, *, dtype=None, device=None, comm=None, copy=None, split=None):
    """An array of numbers, nested lists, or another array, of this package or any with DLPack or a buffer."""
    device = place_of(device, comm)
    if not isinstance(obj, ndarray):
        if copy is False:
            raise ValueError("asarray: elements of other libraries are copied always; leave copy=False out")
        return _from_foreign(obj, dtype, device, split)
    made = obj
    if device is not None:
        made = _core.to_device(made, device)
    if dtype is not None and made.dtype != dtype:
        made = _core.astype(made, dtype, False)
    if split is not None and made.split != split:
        made = _core.resplit(made, split)
    if copy is False and made is not obj:
        raise ValueError("asarray: another type, device or split needs a copy, which copy=False forbids")
    return _core.copy(made) if copy and made is obj else made


def array(obj, /, dtype=None, *, copy=True, device=None, comm=None, split=None):
    """As `asarray`, a copy unless told otherwise."""
    return asarray(obj, dtype=dtype, device=device, comm=comm, copy=copy if isinstance(obj, ndarray) else None, split=split)


def full(shape, fill_value, *, dtype=None, device=None, comm=None, split=None):
    """All elements one number."""
    if isinstance(fill_value, ndarray):
        if fill_value.ndim != 0:
            raise ValueError(f"full: the value has the shape {fill_value.shape}; a number is needed")
        fill_value, dtype = fill_value.tolist(), dtype or fill_value.dtype
    return _core.full(shape, fill_value, _type_of_number(fill_value) if dtype is None else dtype, place_of(device, comm), split)


def zeros(shape, *, dtype=None, device=None, comm=None, split=None):
    """All elements 0."""
    return _core.full(shape, False, _core.default_float() if dtype is None else dtype, place_of(device, comm), split)


def ones(shape, *, dtype=None, device=None, comm=None, split=None):
    """All elements 1."""
    return _core.full(shape, True, _core.default_float() if dtype is None else dtype, place_of(device, comm), split)


def empty(shape, *, dtype=None, device=None, comm=None, split=None):
    """Elements that are not defined until they are written."""
    return _core.empty(shape, _core.default_float() if dtype is None else dtype, place_of(device, comm), split)


def _is_home(x, device):
    return device is None or x.device == device


def full_like(x, /, fill_value, *, dtype=None, device=None):
    """All elements one number, with the shape, type and layout of another array."""
    if (dtype is None or x.dtype == dtype) and _is_home(x, device):
        return _core.full_like(x, fill_value)
    return _core.full(x.shape, fill_value, x.dtype if dtype is None else dtype, device or x.device, _plain_split(x))


def zeros_like(x, /, *, dtype=None, device=None):
    """As `zeros`, with the shape, type and layout of another array."""
    return full_like(x, False, dtype=dtype, device=device)


def ones_like(x, /, *, dtype=None, device=None):
    """As `ones`, with the shape, type and layout of another array."""
    return full_like(x, True, dtype=dtype, device=device)


def empty_like(x, /, *, dtype=None, device=None):
    """As `empty`, with the shape, type and layout of another array."""
    if (dtype is None or x.dtype == dtype) and _is_home(x, device):
        return _core.empty_like(x)
    return _core.empty(x.shape, x.dtype if dtype is None else dtype, device or x.device, _plain_split(x))


def _plain_split(x):
    return None if x.split == "listed" else x.split


def arange(start, /, stop=None, step=1, *, dtype=None, device=None, comm=None, split=None):
    """Numbers from start to stop, without stop, in steps."""
    device = place_of(device, comm)
    if stop is None:
        start, stop = 0, start
    if all(isinstance(each, int) for each in (start, stop, step)):
        made = _core.arange_of_integers(start, stop, step, device, split)
    else:
        made = _core.arange_of_reals(start, stop, step, device, split)
        dtype = _core.default_float() if dtype is None else dtype
    return made if dtype is None else _core.astype(made, dtype, False)


def linspace(start, stop, /, num=50, *, dtype=None, device=None, comm=None, endpoint=True, split=None):
    """`num` numbers from start to stop at equal distances."""
    device = place_of(device, comm)
    if isinstance(start, complex) or isinstance(stop, complex):
        start, stop = complex(start), complex(stop)
        kind = _core.default_complex() if dtype is None else _core.to_dtype(dtype)
        part = _core.float32 if kind == _core.complex64 else _core.float64
        parts = [_core.linspace(a, b, num, endpoint, part, device, split)
                 for a, b in ((start.real, stop.real), (start.imag, stop.imag))]
        return _core.make_complex(*parts)
    kind = _core.default_float() if dtype is None else _core.to_dtype(dtype)
    if kind.name.startswith("complex"):
        return _core.astype(_core.linspace(start, stop, num, endpoint, _core.float64, device, split), kind, False)
    return _core.linspace(start, stop, num, endpoint, kind, device, split)


def logspace(start, stop, /, num=50, *, endpoint=True, base=10.0, dtype=None):
    """`num` powers of `base`, whose exponents run evenly from start to stop."""
    made = _core.logspace(start, stop, num, endpoint, base)
    return made if dtype is None else _core.astype(made, dtype, False)


def geomspace(start, stop, /, num=50, *, endpoint=True, dtype=None):
    """`num` numbers from start to stop, each the same multiple of the one before it."""
    made = _core.geomspace(start, stop, num, endpoint)
    return made if dtype is None else _core.astype(made, dtype, False)


def eye(n_rows, n_cols=None, /, *, k=0, dtype=None, device=None, comm=None, split=None):
    """Ones on a diagonal."""
    return _core.eye(n_rows, n_rows if n_cols is None else n_cols, k, _core.default_float() if dtype is None else dtype,
                     place_of(device, comm), split)


def identity(n, /, *, dtype=None):
    """A square matrix with ones on its diagonal."""
    return eye(n, dtype=dtype)


def meshgrid(*arrays, indexing="xy"):
    """For each vector its elements at every place of the grid of all."""
    if indexing not in ("xy", "ij"):
        raise ValueError(f"meshgrid: indexing={indexing!r}; it is 'xy' or 'ij'")
    return _core.meshgrid([_core.reshape(each, (-1,)) if each.ndim == 0 else each for each in arrays], indexing == "ij") \
        if arrays else ()


def tril(x, /, *, k=0):
    """The elements on and below a diagonal, zeros elsewhere."""
    return _core.tril(x, k)


def triu(x, /, *, k=0):
    """The elements on and above a diagonal, zeros elsewhere."""
    return _core.triu(x, k)


def tri(n_rows, n_cols=None, /, k=0, *, dtype=None):
    """Ones on and below a diagonal."""
    return tril(ones((n_rows, n_rows if n_cols is None else n_cols), dtype=dtype), k=k)


def diag(x, /, k=0):
    """A matrix with the elements of a vector on a diagonal; of a matrix, these elements."""
    return _core.diag(x, k)


def indices(shape, /):
    """For each axis the index of every element."""
    return tuple(_core.index_array(shape, axis) for axis in range(len(shape)))


def copy(x, /):
    """New elements, equal to these."""
    return _core.copy(x)


def astype(x, dtype, /, *, copy=True, device=None):
    """Elements converted to another type."""
    if not isinstance(x, ndarray):
        raise TypeError(f"astype of an object of the type {type(x).__name__}: an array is needed")
    made = x if device is None else _core.to_device(x, device)
    if not copy and made.dtype == dtype:
        return made
    return _core.astype(made, dtype, copy and made is x)


def frombuffer(buffer, /, *, dtype=None):
    """An array of the elements of a buffer."""
    made = _core.from_buffer(memoryview(buffer), None, None, None)
    return made if dtype is None else _core.astype(made, dtype, False)


e, inf, nan, pi, newaxis = math.e, math.inf, math.nan, math.pi, None
