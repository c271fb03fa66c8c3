"""Counts, quantiles, and statistics that pass NaN over."""

from . import _core, _reduction
from ._core import ndarray
from ._creation import asarray, linspace

_MOST_COMPARED = 64  # numbers that each element is compared with; with more of them elements are sorted


def _places_of_counts(x, name):
    if not isinstance(x, ndarray) or x.ndim != 1 or not x.dtype.name.startswith(("int", "uint")):
        raise TypeError(f"{name}: a vector of integers is needed")
    return x


def bincount(x, /, *, weights=None, minlength=0):
    """How often each number from 0 on is there, or the sum of its weights; waits for the greatest."""
    if _places_of_counts(x, "bincount").size:
        low, high = (int(each) for each in fetch_ends(x))
        if low < 0:
            raise ValueError(f"bincount: {low} is negative")
        minlength = max(minlength, high + 1)
    return _counts(x, minlength, weights)


def fetch_ends(x):
    """The least and the greatest element, by one wait."""
    ends = [_core.min(x, None, False), _core.max(x, None, False)]
    _core.fetch(ends)
    return [each.tolist() for each in ends]


def _counts(x, length, weights=None):
    """Of each number below `length`; others are passed over."""
    numbers = _core.arange_of_integers(0, length, 1, x.device, None)
    if weights is None and length > _MOST_COMPARED:
        ordered = _core.sort(x, 0, False)
        after = _core.searchsorted(ordered, _core.astype(numbers, x.dtype, False), True)
        before = _core.searchsorted(ordered, _core.astype(numbers, x.dtype, False), False)
        return _core.subtract(after, before)
    is_it = x[:, None] == numbers
    if weights is None:
        return _core.sum(is_it, 0, False)
    return _core.sum(_core.where(is_it, weights[:, None], 0.0), 0, False)


def segment_sum(x, segments, count, /):
    """The sums of rows with equal numbers, for the numbers 0 to count - 1."""
    is_it = _places_of_counts(segments, "segment_sum")[:, None] == _core.arange_of_integers(0, count, 1, x.device, None)
    shape = is_it.shape + (1,) * (x.ndim - 1)
    return _core.sum(_core.where(_core.reshape(is_it, shape), x[:, None], 0), 0, False)


def _edges_of(line, bins, range):
    if not isinstance(bins, int):
        edges = asarray(bins)
        if edges.ndim != 1 or edges.size < 2 or not bool(_core.all(edges[1:] >= edges[:-1], None, False)):
            raise ValueError("histogram: bins= is a number of bins, or their edges in ascending order")
        return edges
    if bins < 1:
        raise ValueError(f"histogram: {bins} bins")
    low, high = range if range is not None else fetch_ends(line) if line.size else (0.0, 1.0)
    if not abs(low) < float("inf") or not abs(high) < float("inf") or low > high:
        raise ValueError(f"histogram: the range from {low} to {high}; it is finite and ascends")
    if low == high:
        low, high = low - 0.5, high + 0.5
    return linspace(float(low), float(high), bins + 1, device=line.device)


def histogram(x, /, bins=10, range=None, *, density=False, weights=None):
    """How many elements lie in each bin, the last of which has its end, and the edges of the bins."""
    line = _core.reshape(x, (-1,))
    edges = _edges_of(line, bins, range)
    n = edges.shape[0] - 1
    is_inside = _core.logical_and(line >= edges[0], line <= edges[-1])
    place = _core.minimum(_core.searchsorted(edges, line, True) - 1, n - 1)
    counts = _counts(_core.where(is_inside, place, n), n, None if weights is None else _core.reshape(weights, (-1,)))
    if not density:
        return counts, edges
    widths = edges[1:] - edges[:-1]
    return _core.divide(_core.divide(counts, widths), _core.sum(counts, None, False)), edges


def _quantile(x, q, axis, keepdims, passes_nan):
    """Linear between the elements of each line in their order; `q` a number."""
    line, along = (_core.reshape(x, (-1,)), 0) if axis is None else (x, axis % x.ndim)
    if not line.dtype.name.startswith(("float", "bfloat")):
        line = _core.astype(line, _core.float64, False)
    ordered = _core.sort(line, along, False)
    is_nan = _core.isnan(line)
    if passes_nan:
        count = _core.sum(_core.logical_not(is_nan), along, True)
    else:
        count = _core.full(_reduced(line.shape, along), line.shape[along], _core.int64, line.device, None)
    place = _core.maximum(_core.multiply(count - 1, float(q)), 0.0)
    low = _core.floor(place)
    first = _core.astype(low, _core.int64, False)
    second = _core.minimum(first + 1, _core.maximum(count - 1, 0))
    below, above = (_core.take_along_axis(ordered, each, along) for each in (first, second))
    share = _core.astype(place - low, line.dtype, False)
    made = _core.where(above == below, below, below + (above - below) * share)
    lost = _core.equal(count, 0) if passes_nan else _core.any(is_nan, along, True)
    made = _core.where(lost, float("nan"), made)
    if axis is None:
        return _core.reshape(made, (1,) * x.ndim if keepdims else ())
    return made if keepdims else _core.squeeze(made, along)


def _reduced(shape, along):
    return tuple(1 if k == along else n for k, n in enumerate(shape))


def _quantiles(x, q, axis, keepdims, passes_nan=False):
    if isinstance(q, ndarray):
        q = q.tolist()
    for each in q if isinstance(q, (list, tuple)) else [q]:
        if not 0 <= each <= 1:
            raise ValueError(f"quantile: q={each}; it is between 0 and 1")
    if x.size == 0 and (axis is None or x.shape[axis] == 0):
        raise ValueError("quantile of no elements")
    if isinstance(q, (list, tuple)):
        return _core.stack([_quantile(x, each, axis, keepdims, passes_nan) for each in q], 0)
    return _quantile(x, q, axis, keepdims, passes_nan)


def _hundredth(q):
    if isinstance(q, ndarray):
        q = q.tolist()
    return [each / 100 for each in q] if isinstance(q, (list, tuple)) else q / 100


def quantile(x, q, /, axis=None, *, keepdims=False):
    """The value below which a share q of the elements lies, with linear interpolation; for several shares, one behind the other."""
    return _quantiles(x, q, axis, keepdims)


def percentile(x, q, /, axis=None, *, keepdims=False):
    """As `quantile`, in hundredths."""
    return _quantiles(x, _hundredth(q), axis, keepdims)


def median(x, /, axis=None, *, keepdims=False):
    """The middle element, or the mean of both."""
    return _quantiles(x, 0.5, axis, keepdims)


def nanquantile(x, q, /, axis=None, *, keepdims=False):
    """As `quantile`, of the numbers that are not NaN; NaN if there is none."""
    return _quantiles(x, q, axis, keepdims, True)


def nanpercentile(x, q, /, axis=None, *, keepdims=False):
    """As `nanquantile`, in hundredths."""
    return _quantiles(x, _hundredth(q), axis, keepdims, True)


def nanmedian(x, /, axis=None, *, keepdims=False):
    """As `median`, of the numbers that are not NaN."""
    return _quantiles(x, 0.5, axis, keepdims, True)


def _without_nan(x, instead):
    return _core.where(_core.isnan(x), instead, x)


def nansum(x, /, axis=None, *, dtype=None, keepdims=False):
    """The sum of the numbers that are not NaN."""
    return _reduction.sum(_without_nan(x, 0), axis, dtype=dtype, keepdims=keepdims)


def nanprod(x, /, axis=None, *, dtype=None, keepdims=False):
    """The product of the numbers that are not NaN."""
    return _reduction.prod(_without_nan(x, 1), axis, dtype=dtype, keepdims=keepdims)


def nancumsum(x, /, axis=None, *, dtype=None):
    """As `cumsum`, with 0 for NaN."""
    return _reduction.cumsum(_without_nan(x, 0), axis, dtype=dtype)


def nancumprod(x, /, axis=None, *, dtype=None):
    """As `cumprod`, with 1 for NaN."""
    return _reduction.cumprod(_without_nan(x, 1), axis, dtype=dtype)


def nanmin(x, /, axis=None, *, keepdims=False):
    """The least of the numbers that are not NaN; NaN if there is none."""
    return _extreme(x, axis, keepdims, _core.min, float("inf"))


def nanmax(x, /, axis=None, *, keepdims=False):
    """The greatest of the numbers that are not NaN; NaN if there is none."""
    return _extreme(x, axis, keepdims, _core.max, float("-inf"))


def _has_nan(x):
    return x.dtype.name.startswith(("float", "bfloat", "complex"))


def _extreme(x, axis, keepdims, function, instead):
    if not _has_nan(x):
        return function(x, axis, keepdims)
    made = function(_without_nan(x, instead), axis, keepdims)
    return _core.where(_core.all(_core.isnan(x), axis, keepdims), float("nan"), made)


def _place_of_extreme(x, axis, keepdims, function, instead, name):
    if _has_nan(x):
        if bool(_core.any(_core.all(_core.isnan(x), axis, False), None, False)):
            raise ValueError(f"{name}: a line has NaN alone")
        x = _without_nan(x, instead)
    return function(x, axis, keepdims)


def nanargmin(x, /, axis=None, *, keepdims=False):
    """The place of the least of the numbers that are not NaN; waits, and refuses lines of NaN alone."""
    return _place_of_extreme(x, axis, keepdims, _core.argmin, float("inf"), "nanargmin")


def nanargmax(x, /, axis=None, *, keepdims=False):
    """The place of the greatest of the numbers that are not NaN; waits, and refuses lines of NaN alone."""
    return _place_of_extreme(x, axis, keepdims, _core.argmax, float("-inf"), "nanargmax")


def _count_of_numbers(x, axis, keepdims):
    count = _core.sum(_core.logical_not(_core.isnan(x)), axis, keepdims)
    return _core.astype(count, x.dtype if _has_nan(x) else _core.float64, False)


def nanmean(x, /, axis=None, *, keepdims=False):
    """The mean of the numbers that are not NaN."""
    return nansum(x, axis, keepdims=keepdims) / _count_of_numbers(x, axis, keepdims)


def nanvar(x, /, axis=None, *, correction=0.0, keepdims=False, ddof=None):
    """As `var`, of the numbers that are not NaN; NaN if there are too few."""
    distances = _core.subtract(x, nanmean(x, axis, keepdims=True))
    left = _count_of_numbers(x, axis, keepdims) - (correction if ddof is None else ddof)
    made = nansum(_core.square(distances), axis, keepdims=keepdims) / left
    return _core.where(left > 0, made, float("nan"))


def nanstd(x, /, axis=None, *, correction=0.0, keepdims=False, ddof=None):
    """The root of `nanvar`."""
    return _core.sqrt(nanvar(x, axis, correction=correction, keepdims=keepdims, ddof=ddof))


__all__ = ["bincount", "segment_sum", "histogram", "quantile", "percentile", "median", "nanquantile", "nanpercentile",
           "nanmedian", "nansum", "nanprod", "nancumsum", "nancumprod", "nanmin", "nanmax", "nanargmin", "nanargmax", "nanmean",
           "nanvar", "nanstd"]
