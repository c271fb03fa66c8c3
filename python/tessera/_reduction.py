"""Elements combined along axes. `axis` is None for all, an axis, or a tuple of them."""

from . import _core
from ._core import all, any, argmax, argmin, count_nonzero, max, mean, min, prod, sum


def _converted(x, dtype):
    return x if dtype is None or x.dtype == dtype else _core.astype(x, dtype, False)


def var(x, /, axis=None, *, correction=0.0, keepdims=False, ddof=None):
    """The mean squared distance from the mean, divided by the number of elements less `correction`."""
    return _core.var(x, axis, correction if ddof is None else ddof, keepdims)


def std(x, /, axis=None, *, correction=0.0, keepdims=False, ddof=None):
    """The root of `var`."""
    return _core.std(x, axis, correction if ddof is None else ddof, keepdims)


def average(x, /, axis=None, *, weights=None, keepdims=False):
    """The mean, with weights."""
    if weights is None:
        return mean(x, axis, keepdims=keepdims)
    weights = _core.broadcast_to(weights, x.shape)
    return sum(x * weights, axis, keepdims=keepdims) / sum(weights, axis, keepdims=keepdims)


def ptp(x, /, axis=None, *, keepdims=False):
    """The distance of the greatest from the least element."""
    return max(x, axis, keepdims=keepdims) - min(x, axis, keepdims=keepdims)


def _line_axis(x, axis, name):
    if axis is None:
        if x.ndim != 1:
            raise ValueError(f"{name} of an array with {x.ndim} axes: name the axis")
        return 0
    return axis


def cumulative_sum(x, /, *, axis=None, dtype=None, include_initial=False):
    """Each element added to all before it."""
    made = _core.cumulative_sum(_converted(x, dtype), _line_axis(x, axis, "cumulative_sum"), include_initial)
    return _converted(made, dtype)


def cumulative_prod(x, /, *, axis=None, dtype=None, include_initial=False):
    """Each element multiplied with all before it."""
    made = _core.cumulative_prod(_converted(x, dtype), _line_axis(x, axis, "cumulative_prod"), include_initial)
    return _converted(made, dtype)


def _as_line(x, axis):
    return (_core.reshape(x, (-1,)), 0) if axis is None else (x, axis)


def cumsum(x, /, axis=None, *, dtype=None):
    """As NumPy's: without an axis, of the array as a line."""
    x, axis = _as_line(x, axis)
    return cumulative_sum(x, axis=axis, dtype=dtype)


def cumprod(x, /, axis=None, *, dtype=None):
    """As NumPy's: without an axis, of the array as a line."""
    x, axis = _as_line(x, axis)
    return cumulative_prod(x, axis=axis, dtype=dtype)


def diff(x, /, *, axis=-1, n=1, prepend=None, append=None):
    """Differences of neighbours along an axis, `n` times."""
    parts = [each for each in (prepend, x, append) if each is not None]
    return _core.diff(_core.concat(parts, axis) if len(parts) > 1 else x, n, axis)


def gradient(x, spacing=1.0, /, *, axis=-1):
    """The derivative along an axis."""
    return _core.gradient(x, spacing, axis)


amin, amax = min, max

__all__ = ["sum", "prod", "min", "max", "amin", "amax", "any", "all", "mean", "var", "std", "argmin", "argmax",
           "count_nonzero", "average", "ptp", "cumulative_sum", "cumulative_prod", "cumsum", "cumprod", "diff",
           "gradient"]
