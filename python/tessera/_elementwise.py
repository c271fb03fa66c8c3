"""Functions of arrays, element by element. Those of one operation come from `_core`, named by nd/ops.def."""

from . import _core
from ._core import ndarray

_GENERATED = _core.elementwise_names
globals().update({name: getattr(_core, name) for name in _GENERATED})

# Names of NumPy for functions that the standard names otherwise.
ALIASES = {
    "absolute": "abs", "arccos": "acos", "arccosh": "acosh", "arcsin": "asin", "arcsinh": "asinh", "arctan": "atan",
    "arctan2": "atan2", "arctanh": "atanh", "bitwise_not": "bitwise_invert", "conjugate": "conj", "degrees": "rad2deg",
    "invert": "bitwise_invert", "left_shift": "bitwise_left_shift", "mod": "remainder", "power": "pow",
    "radians": "deg2rad", "right_shift": "bitwise_right_shift", "rint": "round", "true_divide": "divide",
    "fabs": "abs",
}
globals().update({alias: getattr(_core, name) for alias, name in ALIASES.items()})


def _give(made, out):
    if out is None:
        return made
    out[...] = made
    return out


def around(x, /, decimals=0, *, out=None):
    """To the nearest multiple of a power of ten, halves to the even one."""
    if decimals == 0:
        return _core.round(x, out=out)
    scale = 10.0 ** decimals
    return _give(_core.divide(_core.round(_core.multiply(x, scale)), scale), out)


def clip(x, /, min=None, max=None, *, out=None):
    """Not less than `min` and not more than `max`."""
    return _give(_core.clip(x, min, max), out)


def where(condition, x1=None, x2=None, /):
    """x1 where the condition is true, else x2; with the condition alone, the places where it is true."""
    if x1 is None and x2 is None:
        return _core.nonzero(condition)
    return _core.where(condition, x1, x2)


def isclose(x1, x2, /, *, rtol=1e-5, atol=1e-8, equal_nan=False):
    """Whether elements differ by at most atol + rtol * |x2|."""
    return _core.isclose(x1, x2, rtol, atol, equal_nan)


def allclose(x1, x2, /, *, rtol=1e-5, atol=1e-8, equal_nan=False):
    """Whether `isclose` holds for all elements; waits."""
    return bool(_core.all(isclose(x1, x2, rtol=rtol, atol=atol, equal_nan=equal_nan), None, False))


def array_equal(x1, x2, /):
    """Whether shapes and all elements are equal; waits."""
    return x1.shape == x2.shape and bool(_core.all(_core.equal(x1, x2), None, False))


def nan_to_num(x, /, *, nan=0.0, posinf=None, neginf=None):
    """Numbers in place of what is not finite."""
    return _core.nan_to_num(x, nan, posinf, neginf)


def angle(x, /):
    """The angle of complex numbers to the real axis."""
    return _core.atan2(_core.imag(x), _core.real(x))


def divmod(x1, x2, /):
    """`floor_divide` and `remainder`."""
    return _core.floor_divide(x1, x2), _core.remainder(x1, x2)


def iscomplexobj(x, /):
    """Whether the type of an array is complex."""
    return isinstance(x, ndarray) and x.dtype.name.startswith("complex")


FUNCTIONS = tuple(_GENERATED) + ("clip", "where")
__all__ = [*_GENERATED, *ALIASES, "around", "clip", "where", "isclose", "allclose", "array_equal", "nan_to_num", "angle",
           "divmod", "iscomplexobj"]
