"""Functions of whole arrays against NumPy: creation, reductions, shapes, order, sets."""

import itertools
import warnings

import numpy as np
import pytest
from rows import DTYPES, PAIRS, samples

import tessera as ts

np.seterr(all="ignore")
SHAPES = [(), (0,), (1,), (7,), (3, 4), (0, 3), (3, 0), (2, 3, 4), (1, 5, 1)]


def filled(shape, dtype="float64"):
    n = int(np.prod(shape, dtype=int))
    return (np.arange(n) * 7 % 11 - 4).astype(dtype).reshape(shape)


def same(actual, desired):
    ts.testing.assert_array_equal(actual, desired)


def close(actual, desired, rtol=1e-12):
    desired = np.asarray(desired)
    assert actual.dtype == desired.dtype
    ts.testing.assert_allclose(actual, desired, rtol, 1e-12)


def axes_of(shape):
    yield None
    for k in range(len(shape)):
        yield k
        yield k - len(shape)
    yield from itertools.combinations(range(len(shape)), 2)


@pytest.mark.parametrize("name", ["sum", "prod", "mean", "any", "all", "count_nonzero", "max", "min", "std", "var"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_reductions_are_those_of_numpy(name, shape):
    a = filled(shape)
    x = ts.asarray(a)
    for axis, keepdims in itertools.product(axes_of(shape), (False, True)):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                wanted = getattr(np, name)(a, axis=axis, keepdims=keepdims)
        except ValueError:
            with pytest.raises(ValueError, match="no elements"):
                getattr(ts, name)(x, axis=axis, keepdims=keepdims)
            continue
        close(getattr(ts, name)(x, axis=axis, keepdims=keepdims), wanted)
    with pytest.raises(ValueError, match="axis"):
        getattr(ts, name)(x, axis=len(shape))


@pytest.mark.parametrize("dtype", DTYPES)
def test_reductions_have_the_types_of_numpy(dtype):
    a = samples(dtype)
    x = ts.asarray(a)
    for name in ("sum", "prod", "mean", "any", "all", "count_nonzero", "max", "min", "std", "var", "argmax"):
        if a.dtype.kind == "c" and name in ("max", "min", "argmax"):
            with pytest.raises(TypeError):
                getattr(ts, name)(x)
            continue
        if a.dtype.kind == "c" and name in ("std", "var"):
            continue
        assert getattr(ts, name)(x).dtype == getattr(np, name)(a).dtype, name
    for wanted in ("float32", "int64", "complex128"):
        if a.dtype.kind == "c" and wanted != "complex128":
            continue
        assert ts.sum(x, dtype=wanted).dtype == wanted and ts.cumulative_sum(x, dtype=wanted).dtype == wanted


def test_nan_is_found_first():
    a = np.array([[1, np.nan, 3], [4, 5, 6]])
    x = ts.asarray(a)
    for name in ("max", "min", "argmax", "argmin", "sum", "nansum", "nanmax", "nanmin", "nanmean", "nanprod"):
        for axis in (None, 0, 1):
            close(getattr(ts, name)(x, axis=axis), getattr(np, name)(a, axis=axis))


@pytest.mark.parametrize("shape", [s for s in SHAPES if s], ids=str)
def test_scans_are_those_of_numpy(shape):
    a = filled(shape)
    for axis, initial in itertools.product(range(len(shape)), (False, True)):
        for name in ("cumulative_sum", "cumulative_prod"):
            close(getattr(ts, name)(ts.asarray(a), axis=axis, include_initial=initial),
                  getattr(np, name)(a, axis=axis, include_initial=initial))
    with pytest.raises(ValueError):
        ts.cumulative_sum(ts.zeros((2, 2)))


@pytest.mark.parametrize("dtype", [*DTYPES, "float16"])
def test_sorts_are_those_of_numpy(dtype):
    a = np.resize(samples(dtype), 24)
    if a.dtype.kind == "f":
        a[3], a[7], a[11] = np.nan, np.inf, -np.inf
    a = a.reshape(2, 3, 4)
    x = ts.asarray(a)
    for axis in (0, 1, 2, -1):
        same(ts.sort(x, axis=axis), np.sort(a, axis=axis, stable=True))
        same(ts.argsort(x, axis=axis), np.argsort(a, axis=axis, stable=True))
        descending = ts.argsort(x, axis=axis, descending=True)
        same(ts.take_along_axis(x, descending, axis=axis), ts.sort(x, axis=axis, descending=True).numpy())
    assert ts.argsort(ts.zeros(5), descending=True).tolist() == [0, 1, 2, 3, 4]
    assert ts.sort(ts.zeros((0, 3)), axis=0).shape == (0, 3)


@pytest.mark.parametrize("dtype", DTYPES)
def test_sets_are_those_of_numpy(dtype):
    a = np.resize(samples(dtype), 20).reshape(4, 5)
    x = ts.asarray(a)
    for own, other in ((ts.unique_all(x), np.unique_all(a)), (ts.unique_counts(x), np.unique_counts(a)),
                       (ts.unique_inverse(x), np.unique_inverse(a))):
        assert own._fields == other._fields
        for one, two in zip(own, other):
            same(one, two)
    same(ts.unique_values(x), np.unique(a))
    same(ts.isin(x, ts.asarray(a[0, :2])), np.isin(a, a[0, :2]))
    same(ts.isin(x, ts.asarray(a[0, :2]), invert=True), np.isin(a, a[0, :2], invert=True))
    same(ts.union1d(x, x), np.union1d(a, a))


def test_nan_are_different_from_each_other():
    found = ts.unique_all(ts.asarray([np.nan, 1, np.nan]))
    assert found.counts.tolist() == [1, 1, 1] and found.indices.tolist() == [1, 0, 2]
    assert not bool(ts.any(ts.isin(ts.asarray([np.nan]), ts.asarray([np.nan]))))


def test_places_in_sorted_vectors_are_those_of_numpy():
    a, v = np.array([1, 2, 2, 5.5, 9]), np.array([[0, 2, 10], [5.5, 2, 1]])
    for side in ("left", "right"):
        same(ts.searchsorted(ts.asarray(a), ts.asarray(v), side=side), np.searchsorted(a, v, side=side))
    order = np.array([4, 3, 2, 1, 0])
    same(ts.searchsorted(ts.asarray(a[::-1].copy()), ts.asarray(v), sorter=ts.asarray(order)), np.searchsorted(a, v))
    with pytest.raises(ValueError):
        ts.searchsorted(ts.zeros((2, 2)), ts.zeros(2))


def test_shapes_are_changed_as_by_numpy():
    a = filled((2, 3, 4))
    x = ts.asarray(a)
    for name, arguments, options in [
        ("reshape", ((4, 6),), {}), ("reshape", ((-1, 8),), {}), ("reshape", (24,), {}), ("permute_dims", ((2, 0, 1),), {}),
        ("matrix_transpose", (), {}), ("moveaxis", (0, 2), {}), ("moveaxis", ((0, 1), (-1, 0)), {}), ("flip", (), {}),
        ("flip", (), {"axis": 1}), ("flip", (), {"axis": (0, 2)}), ("roll", (5,), {}), ("roll", (1,), {"axis": 1}),
        ("roll", ((1, -2),), {"axis": (0, 2)}), ("expand_dims", (), {"axis": 1}), ("expand_dims", (), {"axis": (0, -1)}),
        ("tile", ((2, 1, 3),), {}), ("tile", ((2, 1, 1, 2),), {}), ("tile", ((2,),), {}), ("repeat", (2,), {}),
        ("repeat", (3,), {"axis": 1}), ("broadcast_to", ((5, 2, 3, 4),), {}), ("diagonal", (), {}), ("swapaxes", (0, 2), {}),
        ("diff", (), {}), ("diff", (), {"axis": 0}), ("diff", (), {"n": 2}), ("rot90", (), {}), ("transpose", (), {}),
        ("cumsum", (), {}), ("ravel", (), {}), ("median", (), {}), ("median", (), {"axis": 1}), ("ptp", (), {"axis": 0}),
    ]:
        made = getattr(ts, name)(x, *arguments, **options)
        close(made, getattr(np, name)(a, *arguments, **options))
    same(ts.squeeze(x[:1, :, :1], axis=(0, 2)), a[0, :, 0])
    same(ts.repeat(x, ts.asarray([1, 0, 2]), axis=1), np.repeat(a, [1, 0, 2], axis=1))
    same(ts.diff(x, prepend=x[..., :1], append=x[..., :2]), np.diff(a, prepend=a[..., :1], append=a[..., :2]))
    same(ts.pad(x[0], ((1, 0), (0, 2)), constant_values=9), np.pad(a[0], ((1, 0), (0, 2)), constant_values=9))
    for each, other in zip(ts.unstack(x, axis=1), np.unstack(a, axis=1), strict=True):
        same(each, other)
    with pytest.raises(ValueError):
        ts.reshape(x, (5, 5))
    with pytest.raises(ValueError):
        ts.squeeze(x, axis=0)


def test_arrays_are_joined_as_by_numpy():
    a, b = filled((2, 3)), filled((2, 2), "int32")
    x, y = ts.asarray(a), ts.asarray(b)
    close(ts.concat((x, y), axis=1), np.concat((a, b), axis=1))
    close(ts.concat([x, y], axis=None), np.concat((a, b), axis=None))
    for axis in (0, 1, 2, -1):
        same(ts.stack([x, x + 1], axis=axis), np.stack([a, a + 1], axis=axis))
    for name in ("hstack", "vstack", "column_stack"):
        same(getattr(ts, name)([x, x]), getattr(np, name)([a, a]))
        same(getattr(ts, name)([x[0], x[0]]), getattr(np, name)([a[0], a[0]]))
    made = ts.broadcast_arrays(x, ts.zeros((4, 1, 1)))
    assert isinstance(made, tuple) and [m.shape for m in made] == [(4, 2, 3)] * 2
    assert ts.broadcast_shapes((2, 1), (3,), ()) == (2, 3)
    with pytest.raises(ValueError):
        ts.concat([x, y])


def test_elements_are_taken_as_by_numpy():
    a = filled((4, 5))
    x = ts.asarray(a)
    same(ts.take(x, ts.asarray([3, 0, -1]), axis=0), np.take(a, [3, 0, -1], axis=0))
    same(ts.take(x[0], ts.asarray([1, 1])), np.take(a[0], [1, 1]))
    at = np.argsort(a, axis=1)
    same(ts.take_along_axis(x, ts.asarray(at), axis=1), np.take_along_axis(a, at, axis=1))
    for own, other in zip(ts.nonzero(x), np.nonzero(a), strict=True):
        same(own, other)
    same(ts.argwhere(x), np.argwhere(a))
    close(ts.quantile(x, 0.3), np.quantile(a, 0.3))
    close(ts.percentile(x, 80, axis=0), np.percentile(a, 80, axis=0))
    n = np.array([0, 3, 1, 3])
    same(ts.bincount(ts.asarray(n), minlength=6), np.bincount(n, minlength=6))
    close(ts.bincount(ts.asarray(n), weights=x[0, :4]), np.bincount(n, weights=a[0, :4]))
    close(ts.segment_sum(x, ts.asarray([0, 1, 1, 0]), 2), np.stack([a[0] + a[3], a[1] + a[2]]))
    with pytest.raises(IndexError):
        ts.take(x, ts.asarray([4]), axis=0).tolist()


def test_new_arrays_are_those_of_numpy():
    for arguments in ((5,), (2, 5), (2, 9, 3), (9, 2, -2), (0,), (5, 2), (0.5,), (1, 2, 0.25), (2.0, -1, -0.5)):
        close(ts.arange(*arguments), np.arange(*arguments))
    for options in ({}, {"endpoint": False}, {"dtype": "float32"}):
        close(ts.linspace(1, 4, 7, **options), np.linspace(1, 4, 7, **options), 1e-6 if "dtype" in options else 1e-15)
    close(ts.linspace(0, 1 + 1j, 3), np.linspace(0, 1 + 1j, 3))
    for arguments in ((3,), (3, 5), (0, 2)):
        for k in (-1, 0, 2):
            same(ts.eye(*arguments, k=k), np.eye(*arguments, k=k))
    for k in (-1, 0, 1):
        same(ts.tril(ts.ones((2, 3, 4)), k=k), np.tril(np.ones((2, 3, 4)), k=k))
        same(ts.triu(ts.ones((3, 4)), k=k), np.triu(np.ones((3, 4)), k=k))
    for value in (True, 3, 2.5, 1j):
        same(ts.full((2, 2), value), np.full((2, 2), value))
    for indexing in ("xy", "ij"):
        for own, other in zip(ts.meshgrid(ts.arange(3), ts.arange(4), indexing=indexing),
                              np.meshgrid(np.arange(3), np.arange(4), indexing=indexing), strict=True):
            same(own, other)
    x = ts.zeros((2, 3), dtype=ts.int16)
    for made in (ts.zeros_like(x), ts.empty_like(x), ts.ones_like(x, dtype=ts.float32), ts.full_like(x, 7)):
        assert made.shape == x.shape
    assert ts.full_like(x, 7, dtype=ts.uint8).dtype == ts.uint8 and ts.empty(()).shape == ()
    with pytest.raises(ValueError):
        ts.zeros((2, -1))
    with pytest.raises((OverflowError, ValueError)):
        ts.zeros((1 << 40, 1 << 40))
    with pytest.raises(TypeError):
        ts.zeros(2.5)


def test_types_are_converted_as_by_numpy():
    for first, second in PAIRS:
        a = np.array([0, 1, 1, 2, 3, 100, 5]).astype(first)
        if np.dtype(first).kind == "c" and np.dtype(second).kind not in "cb":
            with pytest.raises(TypeError):
                ts.astype(ts.asarray(a), second)
            continue
        same(ts.astype(ts.asarray(a), second), a.astype(second))


def test_random_numbers_are_those_of_their_seed():
    one, two = ts.random.default_rng(7), ts.random.default_rng(7)
    for draw in (lambda g: g.random((100,)), lambda g: g.normal(2, 3, (50, 2)), lambda g: g.integers(-5, 5, 100),
                 lambda g: g.permutation(20), lambda g: g.choice(ts.arange(10), 4, replace=False)):
        same(draw(one), draw(two).numpy())
    assert float(ts.mean(one.random(100_000))) == pytest.approx(0.5, abs=0.01)
    assert sorted(one.permutation(20).tolist()) == list(range(20))
    drawn = one.integers(0, 3, 1000)
    assert set(drawn.tolist()) == {0, 1, 2}
    with pytest.raises(ValueError):
        one.choice(3, 4, replace=False)
