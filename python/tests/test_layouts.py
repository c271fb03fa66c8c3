"""Every name with its elements laid out in every way, against NumPy: results never depend on where elements rest."""

import functools
import itertools
import math
import warnings

import numpy as np
import pytest
from rows import BINARY, IS_LONG, UNARY, oracle, samples

import tessera as ts

SHAPE = (7, 6)
LAYOUTS = ("automatic", "rows", "columns", "tiles", "replicated", "uneven", "empty_parts")
TYPES = ("float64", "float32", "int32", "uint8", "bool", "complex128")


def laid_out(a, layout):
    """`a` as an array in parts."""
    x = ts.asarray(a, split={"rows": 0, "columns": a.ndim - 1, "tiles": (0, a.ndim - 1) if a.ndim > 1 else 0,
                             "replicated": "replicated"}.get(layout))
    devices = len(x.device.devices)
    n = a.shape[0]
    if layout == "uneven":
        ones = [1] * (min(devices, n) - 1)
        return ts.redistribute(x, [n - len(ones), *ones] + [0] * (devices - len(ones) - 1))
    if layout == "empty_parts":
        return ts.redistribute(x, [0] * (devices - 1) + [n])
    return x


def _reductions():
    for name in ("sum", "prod", "min", "max", "any", "all", "mean", "std", "var", "argmin", "argmax", "count_nonzero"):
        for axis in (None, 0, 1):
            yield f"{name}-{axis}", lambda xp, x, y, name=name, axis=axis: getattr(xp, name)(x, axis=axis)


def _shapes():
    for axis in (0, 1):
        yield f"cumsum-{axis}", lambda xp, x, y, axis=axis: xp.cumsum(x, axis=axis)
        yield f"sort-{axis}", lambda xp, x, y, axis=axis: xp.sort(x, axis=axis)
        yield f"flip-{axis}", lambda xp, x, y, axis=axis: xp.flip(x, axis=axis)
        yield f"roll-{axis}", lambda xp, x, y, axis=axis: xp.roll(x, 2, axis=axis)
        yield f"repeat-{axis}", lambda xp, x, y, axis=axis: xp.repeat(x, 2, axis=axis)
        yield f"concat-{axis}", lambda xp, x, y, axis=axis: xp.concatenate([x, y], axis)
        yield f"stack-{axis}", lambda xp, x, y, axis=axis: xp.stack([x, y], axis=axis)
        yield f"take-{axis}", lambda xp, x, y, axis=axis: xp.take(x, xp.asarray([3, 0, 5]), axis=axis)
        yield f"diff-{axis}", lambda xp, x, y, axis=axis: xp.diff(x if x.dtype != bool else xp.astype(x, "int32"), axis=axis)
        yield f"median-{axis}", lambda xp, x, y, axis=axis: xp.median(x, axis=axis)
    yield "argsort", lambda xp, x, y: xp.argsort(x, axis=0, stable=True)
    yield "reshape", lambda xp, x, y: xp.reshape(x, (6, 7))
    yield "ravel", lambda xp, x, y: xp.ravel(x)
    yield "transpose", lambda xp, x, y: xp.transpose(x) + xp.reshape(y, (6, 7))
    yield "squeeze", lambda xp, x, y: xp.squeeze(x[:, :1], axis=1)
    yield "expand_dims", lambda xp, x, y: xp.expand_dims(x, 1) * x[:1]
    yield "broadcast_to", lambda xp, x, y: xp.broadcast_to(x[:1], (4, 6))
    yield "tile", lambda xp, x, y: xp.tile(x, (2, 3))
    yield "tril", lambda xp, x, y: xp.tril(x)
    yield "diagonal", lambda xp, x, y: xp.diagonal(x)
    yield "pad", lambda xp, x, y: xp.pad(x, ((1, 2), (0, 1)))
    yield "where", lambda xp, x, y: xp.where(x == y, x, y)
    yield "clip", lambda xp, x, y: xp.clip(x, x[:1], y)
    yield "nonzero", lambda xp, x, y: xp.stack(xp.nonzero(x))
    yield "unique", lambda xp, x, y: xp.unique(x)
    yield "isin", lambda xp, x, y: xp.isin(x, y[0])
    yield "searchsorted", lambda xp, x, y: xp.searchsorted(xp.sort(x[:, 0]), y)
    yield "matmul", lambda xp, x, y: x @ y.T
    yield "vecdot", lambda xp, x, y: xp.vecdot(x, y)
    yield "tensordot", lambda xp, x, y: xp.tensordot(x, y, axes=2)
    yield "einsum", lambda xp, x, y: xp.einsum("ij,kj->ki", x, y)
    yield "outer", lambda xp, x, y: xp.outer(x[0], y[:, 1])
    yield "histogram", lambda xp, x, y: xp.histogram(x, bins=4)[0]
    yield "fft", lambda xp, x, y: xp.fft.fft(xp.astype(x, "complex128"), axis=0)
    yield "norm", lambda xp, x, y: xp.linalg.vector_norm(x, axis=0)


def _indices():
    yield "slice", lambda xp, x, y: x[1:6:2, ::-1]
    yield "row", lambda xp, x, y: x[-2]
    yield "element", lambda xp, x, y: x[3, 4]
    yield "new_axis", lambda xp, x, y: x[:, None, 1:3]
    yield "mask", lambda xp, x, y: x[y == y[0]]
    yield "mask_of_rows", lambda xp, x, y: x[x[:, 0] == x[0, 0]]
    yield "places", lambda xp, x, y: x[xp.asarray([5, 0, -1]), 1:]

    def written(key, value):
        def write(xp, x, y):
            z = xp.asarray(x, copy=True)
            z[key(xp, z)] = value(xp, z, y)
            return z
        return write
    yield "write_row", written(lambda xp, z: 2, lambda xp, z, y: y[0])
    yield "write_columns", written(lambda xp, z: (slice(None), slice(1, 3)), lambda xp, z, y: y[:, 3:5])
    yield "write_itself", written(lambda xp, z: (slice(None), slice(None, None, -1)), lambda xp, z, y: z)
    yield "write_mask", written(lambda xp, z: z == z[0], lambda xp, z, y: 1)
    yield "write_places", written(lambda xp, z: xp.asarray([0, 6]), lambda xp, z, y: y[2:4])


def _elementwise():
    for name in UNARY:
        yield name, lambda xp, x, y, name=name: getattr(ts, name)(x) if xp is ts else oracle(name)(x)
    for name in BINARY:
        yield name, lambda xp, x, y, name=name: getattr(ts, name)(x, y) if xp is ts else oracle(name)(x, y)
    yield "in_place", lambda xp, x, y: _added(xp, x, y)


def _added(xp, x, y):
    z = xp.asarray(x, copy=True)
    z |= y if z.dtype == bool else z
    z[1:] = y[1:]
    return z


CASES = {**dict(_elementwise()), **dict(_reductions()), **dict(_shapes()), **dict(_indices())}


def _operands(dtype):
    a = np.resize(samples(dtype), math.prod(SHAPE)).reshape(SHAPE)
    b = np.resize(samples(dtype)[::-1], math.prod(SHAPE) + 3)[3:].reshape(SHAPE)
    if dtype in ("int32", "uint8"):
        a, b = a % 8 + 1, b % 5 + 1
    return a, b


@functools.cache
def _wanted(name, dtype):
    """What NumPy gives; None where it has no such function of this type, or computes roots of bytes as float16."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            made = np.asarray(CASES[name](np, *_operands(dtype)))
        except (TypeError, ValueError, np.exceptions.DTypePromotionError):
            return None
    return None if made.dtype == "float16" or (dtype in ("bool", "uint8") and name in ("erf", "erfc", "normal_cdf", "rsqrt")) else made


# A part of the product that every name, layout and type is in; all of it where all tests run.
CHOSEN = [case for k, case in enumerate(itertools.product(CASES, LAYOUTS, TYPES))
          if (IS_LONG or k % 17 == 4) and _wanted(case[0], case[2]) is not None]


def _check(made, wanted):
    wanted = np.asarray(wanted)
    assert made.shape == wanted.shape
    if wanted.dtype.kind not in "fc":
        assert made.dtype == wanted.dtype
        np.testing.assert_array_equal(made.numpy(), wanted)
        return
    rtol = 1e-4 if made.dtype in (ts.float32, ts.complex64) else 1e-11
    np.testing.assert_allclose(made.numpy(), wanted, rtol=rtol, atol=rtol)


def _parts_cover(x):
    """Each element that rests on this rank is the one at its place."""
    whole, seen = x.numpy(), np.zeros(x.shape, bool)
    for offset, elements in x.local:
        part = np.asarray(elements)
        at = tuple(slice(o, o + n) for o, n in zip(offset, part.shape))
        np.testing.assert_array_equal(part, whole[at])
        seen[at] = True
    assert x.device.ranks > 1 or seen.all()


@pytest.mark.parametrize("name, layout, dtype", CHOSEN, ids=str)
def test_a_name_gives_the_same_in_every_layout(name, layout, dtype):
    a, b = _operands(dtype)
    x, y = laid_out(a, layout), laid_out(b, LAYOUTS[(LAYOUTS.index(layout) + 2) % len(LAYOUTS)])
    try:
        made = CASES[name](ts, x, y)
    except TypeError:  # the standard has no such function: in no layout
        with pytest.raises(TypeError):
            CASES[name](ts, ts.asarray(a), ts.asarray(b))
        return
    _check(made, _wanted(name, dtype))
    _check(x, a)
    if made.ndim and made.dtype != ts.bfloat16:
        _parts_cover(made)


def _numbers(shape):
    return (np.arange(math.prod(shape)) * 7 % 11 - 4.0).reshape(shape)


def test_layouts_do_not_change_results():
    a = _numbers((6, 8))
    total = None
    for split in (None, 0, 1, -1, (0, 1), "replicated"):
        x = ts.asarray(a, split=split)
        assert x.shape == a.shape
        y = x.T * 2 + 1
        ts.testing.assert_array_equal(y, a.T * 2 + 1)
        total = total or float(y.sum())
        assert float(y.sum()) == total
        ts.testing.assert_array_equal(ts.resplit(x, 1), a)
        assert ts.resplit(x, 1).split == 1
    with pytest.raises(ValueError):
        ts.zeros((3, 3), split=2)
    with pytest.raises(ValueError):
        ts.zeros((3, 3), split="everywhere")


def test_parts_may_be_uneven_and_empty():
    a = _numbers((7, 5))
    devices = len(ts.default_device().devices)
    for axis in (0, -1):
        n = a.shape[axis]
        counts = [0] * devices
        counts[-1] = n - 2
        counts[0] += 2
        x = ts.redistribute(ts.asarray(a), counts, axis=axis)
        ts.testing.assert_array_equal(x, a)
        ts.testing.assert_array_equal(x * 2 + ts.asarray(a, split=0), a * 3)
        ts.testing.assert_array_equal(ts.balance(x), a)
    for mistaken in ([7] + [0] * devices, [8] + [0] * (devices - 1), [-1] + [8] * (devices - 1)):
        with pytest.raises(ValueError, match="redistribute"):
            ts.redistribute(ts.asarray(a), mistaken)


def test_parts_of_a_rank_are_shown_with_their_places():
    a = _numbers((6, 8))
    for split in (0, (0, 1), "replicated"):
        x = ts.asarray(a, split=split)
        parts = x.local
        for offset, elements in parts:
            part = np.asarray(elements)
            at = tuple(slice(o, o + n) for o, n in zip(offset, part.shape))
            np.testing.assert_array_equal(part, a[at])
        shapes = [np.asarray(each.elements).shape for each in parts]
        assert x.lshape == (shapes[0] if len(shapes) == 1 else tuple(shapes))
        if x.device.ranks == 1 and split != "replicated":
            assert sum(np.asarray(each.elements).size for each in parts) == a.size
