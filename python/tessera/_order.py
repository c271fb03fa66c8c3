"""Sorts, searches, sets, and elements at places."""

from collections import namedtuple

from . import _core
from ._core import ndarray

UniqueAll = namedtuple("unique_all_result", "values indices inverse_indices counts")
UniqueCounts = namedtuple("unique_counts_result", "values counts")
UniqueInverse = namedtuple("unique_inverse_result", "values inverse_indices")


def sort(x, /, *, axis=-1, descending=False, stable=True):
    """The elements of each line in their order; NaN last. Always stable."""
    return _core.sort(x, axis, descending)


def argsort(x, /, *, axis=-1, descending=False, stable=True):
    """The places of the elements of each line in their order."""
    return _core.argsort(x, axis, descending)


def searchsorted(x1, x2, /, *, side="left", sorter=None):
    """Where elements may be put into a sorted vector."""
    if side not in ("left", "right"):
        raise ValueError(f"searchsorted: side={side!r}; it is 'left' or 'right'")
    if not isinstance(x2, ndarray):
        x2 = _core.from_list(x2, None, None, None)
    return _core.searchsorted(x1 if sorter is None else _core.take(x1, sorter, 0), x2, side == "right")


def nonzero(x, /):
    """The places of elements that are not 0, one array per axis."""
    return _core.nonzero(x)


def argwhere(x, /):
    """The places of elements that are not 0, one row each."""
    return _core.stack(_core.nonzero(x), 1)


def flatnonzero(x, /):
    """The places of elements that are not 0 in the array as a line."""
    return _core.nonzero(_core.reshape(x, (-1,)))[0]


def unique_all(x, /):
    """The different elements, where each stands first, which of them each element is, and how often each is there."""
    return UniqueAll(*_core.unique_all(x))


def unique_counts(x, /):
    """The different elements, and how often each is there."""
    values, _, _, counts = _core.unique_all(x)
    return UniqueCounts(values, counts)


def unique_inverse(x, /):
    """The different elements, and which of them each element is."""
    values, _, inverse, _ = _core.unique_all(x)
    return UniqueInverse(values, inverse)


def unique_values(x, /):
    """The different elements."""
    return _core.unique_all(x)[0]


def unique(x, /, return_index=False, return_inverse=False, return_counts=False):
    """As NumPy's."""
    found = _core.unique_all(x)
    chosen = [found[k] for k, wanted in ((1, return_index), (2, return_inverse), (3, return_counts)) if wanted]
    return (found[0], *chosen) if chosen else found[0]


def isin(x1, x2, /, *, invert=False):
    """For each element of x1 whether it is one of x2."""
    x1, x2 = (each if isinstance(each, ndarray) else _core.from_list(each, None, None, None) for each in (x1, x2))
    found = _core.isin(x1, x2)
    return _core.logical_not(found) if invert else found


def union1d(x1, x2, /):
    """The different elements of both."""
    return unique_values(_core.concat([_core.reshape(x1, (-1,)), _core.reshape(x2, (-1,))], 0))


def intersect1d(x1, x2, /):
    """The different elements that are in both."""
    values = unique_values(x1)
    return values[_core.isin(values, x2)]


def setdiff1d(x1, x2, /):
    """The different elements of x1 that are not in x2."""
    values = unique_values(x1)
    return values[_core.logical_not(_core.isin(values, x2))]


def take(x, indices, /, *, axis=None):
    """The elements at places along an axis."""
    if axis is None:
        if x.ndim != 1:
            raise ValueError(f"take of an array with {x.ndim} axes: name the axis")
        axis = 0
    if not isinstance(indices, ndarray):
        indices = _core.from_list(indices, None, None, None)
    return _core.take(x, indices, axis)


def take_along_axis(x, indices, /, *, axis=-1):
    """Element by element, what lies at a place along an axis."""
    return _core.take_along_axis(x, indices, axis)


def compress(condition, x, /):
    """The elements where a condition is true."""
    return _core.compress(condition, x)


__all__ = ["sort", "argsort", "searchsorted", "nonzero", "argwhere", "flatnonzero", "unique_all", "unique_counts",
           "unique_inverse", "unique_values", "unique", "isin", "union1d", "intersect1d", "setdiff1d", "take",
           "take_along_axis", "compress"]
