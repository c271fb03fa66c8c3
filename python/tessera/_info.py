"""What the package has: for the standard, and for people."""

import ctypes.util
import os
import sys

from . import _core, _dtypes


class array_namespace_info:
    """What `__array_namespace_info__()` gives."""

    def capabilities(self):
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 8}

    def default_device(self):
        return _core.default_device()

    def default_dtypes(self, *, device=None):
        return {"real floating": _core.default_float(), "complex floating": _core.default_complex(),
                "integral": _core.int64, "indexing": _core.int64}

    def devices(self):
        return (_core.default_device(),)

    def dtypes(self, *, device=None, kind=None):
        return {name: each for name, each in _dtypes.STANDARD.items() if kind is None or _dtypes.isdtype(each, kind)}


def __array_namespace_info__():
    """The inspection of the standard."""
    return array_namespace_info()


# Libraries that are opened at run time: what for, and the package that brings each.
_LIBRARIES = (
    ("CUDA driver", "cuda", "kernels on GPUs", "the driver of the GPU"),
    ("NVRTC", "nvrtc", "compiling kernels for GPUs", "cuda-nvrtc or the CUDA toolkit"),
    ("MPI", "mpi", "several ranks", "libopenmpi-dev and openmpi-bin"),
)


def show_config(file=None):
    """Prints the devices, and the libraries that were found or are missing with the package that brings each."""
    import shutil
    import tessera
    out = file or sys.stdout
    device = _core.default_device()
    print(f"tessera {tessera.__version__}, Python {sys.version.split()[0]}", file=out)
    print(f"device {device}: rank {device.rank} of {device.ranks}", file=out)
    for each in device.devices:
        print(f"  rank {each['rank']}  {each['name']}  {each['cores']} cores  {each['memory'] / 2**30:.1f} GiB", file=out)
    compiler = os.environ.get("CXX") or next((name for name in ("c++", "g++", "clang++") if shutil.which(name)), None)
    print(f"C++ compiler: {compiler or 'missing: kernels are not compiled; package g++'}", file=out)
    for name, library, use, package in _LIBRARIES:
        found = ctypes.util.find_library(library)
        print(f"{name}: {found or f'missing, for {use}; {package}'}", file=out)
    lapack, has_products = _core.lapack()
    print(f"LAPACK: {lapack or 'missing, for linalg; libopenblas0, or scipy-openblas32 of PyPI'}"
          + ("" if has_products or not lapack else ", which is not OpenBLAS: slow"), file=out)
    numpy = sys.modules.get("numpy")
    print(f"NumPy: {numpy.__version__ if numpy else 'not imported'}", file=out)
