"""Types of elements: what the standard asks about them."""

from dataclasses import dataclass
from functools import reduce

from . import _core
from ._core import dtype, ndarray

NAMES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16",
         "float32", "float64", "complex64", "complex128")
ALL = {name: getattr(_core, name) for name in NAMES}
STANDARD = {name: each for name, each in ALL.items() if name not in ("float16", "bfloat16")}
KINDS = {
    "bool": ("bool",),
    "signed integer": ("int8", "int16", "int32", "int64"),
    "unsigned integer": ("uint8", "uint16", "uint32", "uint64"),
    "real floating": ("float16", "bfloat16", "float32", "float64"),
    "complex floating": ("complex64", "complex128"),
}
KINDS["integral"] = KINDS["signed integer"] + KINDS["unsigned integer"]
KINDS["numeric"] = KINDS["integral"] + KINDS["real floating"] + KINDS["complex floating"]

_SORTS = {bool: 0, int: 1, float: 2, complex: 3}
# Bits of the fraction, and the exponents of the least and beyond the greatest normal number.
_FLOATS = {"float16": (16, 10, -14, 16), "bfloat16": (16, 7, -126, 128), "float32": (32, 23, -126, 128),
           "float64": (64, 52, -1022, 1024)}


def isdtype(dtype, kind):
    """Whether a type is of a kind ("integral", ...), is another one, or is any of a tuple of these."""
    if isinstance(kind, tuple):
        return any(isdtype(dtype, each) for each in kind)
    own = _core.to_dtype(dtype)
    if isinstance(kind, str) and kind in KINDS:
        return own.name in KINDS[kind]
    found = _core.try_dtype(kind)
    if found is None:
        raise ValueError(f"isdtype: {kind!r} is neither a type nor one of {', '.join(map(repr, KINDS))}")
    return own == found


def _type_of(given):
    return given.dtype if isinstance(given, ndarray) else _core.to_dtype(given)


def result_type(*arrays_and_dtypes):
    """The type in which arrays, types and plain numbers meet."""
    numbers = [each for each in arrays_and_dtypes if type(each) in _SORTS]
    typed = [_type_of(each) for each in arrays_and_dtypes if type(each) not in _SORTS]
    if not typed:
        raise ValueError("result_type: at least one array or type is needed")
    found = reduce(_core.promoted, typed)
    for sort in sorted(_SORTS[type(each)] for each in numbers):
        found = _core.promoted_with(found, sort)
    return found


def can_cast(from_, to, /):
    """Whether elements of a type, or of an array, become another type by promotion."""
    source, target = _type_of(from_), _core.to_dtype(to)
    return _core.promoted(source, target) == target


@dataclass(frozen=True)
class finfo_object:
    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: dtype


@dataclass(frozen=True)
class iinfo_object:
    bits: int
    max: int
    min: int
    dtype: dtype


def finfo(type, /):
    """Limits of a floating type; of a complex one, those of its parts."""
    own = _type_of(type)
    part = {"complex64": "float32", "complex128": "float64"}.get(own.name, own.name)
    if part not in _FLOATS:
        raise ValueError(f"finfo of {own}: it is no floating type")
    bits, digits, least, beyond = _FLOATS[part]
    greatest = (2.0 - 2.0 ** -digits) * 2.0 ** (beyond - 1)
    return finfo_object(bits, 2.0 ** -digits, greatest, -greatest, 2.0 ** least, ALL[part])


def iinfo(type, /):
    """Limits of an integer type."""
    own = _type_of(type)
    if own.name not in KINDS["integral"]:
        raise ValueError(f"iinfo of {own}: it is no integer type")
    bits = 8 * own.itemsize
    if own.name.startswith("u"):
        return iinfo_object(bits, 2**bits - 1, 0, own)
    return iinfo_object(bits, 2 ** (bits - 1) - 1, -(2 ** (bits - 1)), own)


def set_default_float(dtype, /):
    """The type of floats where a program says none: float64, or float32."""
    _core.set_default_float(dtype)
