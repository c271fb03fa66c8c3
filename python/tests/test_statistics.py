"""Counts, quantiles and the nan-family against NumPy."""

import itertools
import warnings

import numpy as np
import pytest

import tessera as ts


def close(actual, desired, rtol=1e-12):
    desired = np.asarray(desired)
    assert actual.dtype == desired.dtype and actual.shape == desired.shape
    np.testing.assert_allclose(actual.numpy(), desired, rtol=rtol, atol=1e-12)


def with_gaps(shape, dtype="float64", seed=5):
    a = np.random.default_rng(seed).uniform(-3, 3, shape).astype(dtype)
    a[np.random.default_rng(seed + 1).uniform(size=shape) < 0.3] = np.nan
    return a


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_statistics_that_pass_nan_over_are_those_of_numpy(dtype):
    a = with_gaps((4, 5, 3), dtype)
    a[1, :, 2] = np.nan
    x = ts.asarray(a)
    rtol = 1e-5 if dtype == "float32" else 1e-12
    for axis, keepdims in itertools.product((None, 0, 1, -1, (0, 2)), (False, True)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for name in ("nansum", "nanprod", "nanmin", "nanmax", "nanmean", "nanvar", "nanstd"):
                close(getattr(ts, name)(x, axis=axis, keepdims=keepdims), getattr(np, name)(a, axis=axis, keepdims=keepdims), rtol)
            if not isinstance(axis, tuple):
                close(ts.nanmedian(x, axis=axis, keepdims=keepdims), np.nanmedian(a, axis=axis, keepdims=keepdims), rtol)
                close(ts.nanquantile(x, 0.3, axis=axis, keepdims=keepdims), np.nanquantile(a, 0.3, axis=axis, keepdims=keepdims), rtol)
                close(ts.nanpercentile(x, 77, axis=axis), np.nanpercentile(a, 77, axis=axis), rtol)
    close(ts.nanvar(x[:, :, :2], ddof=1), np.nanvar(a[:, :, :2], ddof=1), rtol)
    for name in ("nancumsum", "nancumprod"):
        for axis in (None, 0, 1):
            close(getattr(ts, name)(x, axis=axis), getattr(np, name)(a, axis=axis), rtol)
    full = a.copy()
    full[0], full[:, :, 0] = 1.5, -0.5
    for name in ("nanargmin", "nanargmax"):
        for axis in (None, 0, 2):
            close(getattr(ts, name)(ts.asarray(full), axis=axis), getattr(np, name)(full, axis=axis))
        with pytest.raises(ValueError, match="NaN alone"):
            getattr(ts, name)(x, axis=1)


def test_integers_have_no_nan_to_pass_over():
    a = np.arange(12).reshape(3, 4)
    x = ts.asarray(a)
    for name in ("nansum", "nanprod", "nanmin", "nanmax", "nanmean", "nanvar", "nanstd", "nanargmin", "nanargmax", "nanmedian"):
        close(getattr(ts, name)(x, axis=1), getattr(np, name)(a, axis=1))


def test_quantiles_are_those_of_numpy():
    a = np.random.default_rng(2).normal(size=(7, 6))
    a[0, 0] = np.nan
    x = ts.asarray(a)
    for axis, keepdims in itertools.product((None, 0, 1), (False, True)):
        for q in (0, 0.25, 0.5, 1, [0.1, 0.9], (0.5,)):
            with np.errstate(invalid="ignore"):
                close(ts.quantile(x[1:], q, axis=axis, keepdims=keepdims), np.quantile(a[1:], q, axis=axis, keepdims=keepdims))
                close(ts.quantile(x, q, axis=axis), np.quantile(a, q, axis=axis))
        close(ts.median(x[1:], axis=axis, keepdims=keepdims), np.median(a[1:], axis=axis, keepdims=keepdims))
    assert float(ts.median(ts.asarray([1, np.inf, np.inf, np.inf]))) == np.inf
    close(ts.percentile(x[1:3], [10, 90], axis=1), np.percentile(a[1:3], [10, 90], axis=1))
    close(ts.quantile(x[1:3], ts.asarray([0.1, 0.2])), np.quantile(a[1:3], [0.1, 0.2]))
    assert ts.median(ts.ones(3, dtype=ts.float32)).dtype == ts.float32
    for mistake in (lambda: ts.quantile(x, 1.5), lambda: ts.quantile(ts.zeros((0,)), 0.5), lambda: ts.median(ts.zeros((2, 0)), axis=1)):
        with pytest.raises(ValueError):
            mistake()


def test_counts_are_those_of_numpy():
    n = np.array([0, 3, 1, 3, 200, 3])
    x = ts.asarray(n)
    close(ts.bincount(x), np.bincount(n))
    close(ts.bincount(x[:4], minlength=6), np.bincount(n[:4], minlength=6))
    close(ts.bincount(x[:0], minlength=2), np.bincount(n[:0], minlength=2))
    close(ts.bincount(x, weights=x * 0.5), np.bincount(n, weights=n * 0.5))
    close(ts.bincount(ts.astype(x, ts.uint8)), np.bincount(n.astype("uint8")))
    with pytest.raises(ValueError):
        ts.bincount(ts.asarray([1, -1]))
    with pytest.raises(TypeError):
        ts.bincount(ts.asarray([1.0]))


@pytest.mark.parametrize("bins", [1, 5, 100, [-2, 0, 0.5, 4], np.array([0.0, 1.0])], ids=str)
def test_histograms_are_those_of_numpy(bins):
    a = np.concatenate([np.random.default_rng(1).normal(size=300), [0.0, 0.5, -2.0, 4.0]])
    x, own = ts.asarray(a), ts.asarray(bins) if isinstance(bins, np.ndarray) else bins
    w = np.arange(a.size) * 0.25
    for options in ({}, {"density": True}, {"range": (-1.0, 2.0)}):
        for made, wanted in zip(ts.histogram(x, own, **options), np.histogram(a, bins, **options), strict=True):
            close(made, wanted)
    close(ts.histogram(x, own, weights=ts.asarray(w))[0], np.histogram(a, bins, weights=w)[0])
    close(ts.histogram(x.reshape(16, 19), own)[0], np.histogram(a, bins)[0])


def test_histograms_of_little_and_of_nothing():
    for given in ([], [2.0], [3, 3, 3]):
        for made, wanted in zip(ts.histogram(ts.asarray(given)), np.histogram(np.asarray(given)), strict=True):
            close(made, wanted)
    for mistake in (lambda: ts.histogram(ts.ones(3), 0), lambda: ts.histogram(ts.ones(3), [2, 1]),
                    lambda: ts.histogram(ts.asarray([1.0, float("nan")])), lambda: ts.histogram(ts.ones(3), range=(2, 1))):
        with pytest.raises(ValueError):
            mistake()
