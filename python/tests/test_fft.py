"""`ts.fft` against NumPy."""

import numpy as np
import pytest
from rows import IS_QUICK

import tessera as ts

NORMS = ("backward", "ortho", "forward")
LINES = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
GRIDS = ("fftn", "ifftn", "rfftn", "irfftn")
OF_REALS = ("rfft", "ihfft", "rfftn")
TYPES = ("float32", "complex128") if IS_QUICK else ("int32", "float32", "float64", "complex64", "complex128")


def line(shape, dtype, seed=3):
    g = np.random.default_rng(seed)
    a = g.uniform(-4, 4, shape) + (1j * g.uniform(-4, 4, shape) if np.dtype(dtype).kind == "c" else 0)
    return a.astype(dtype)


def near(actual, desired):
    assert actual.shape == desired.shape and actual.dtype == desired.dtype
    eps = np.finfo(desired.dtype).eps
    scale = np.abs(desired).max(initial=1.0)
    np.testing.assert_allclose(actual.numpy(), desired, rtol=0, atol=40 * eps * scale)


def fits(name, dtype):
    return not (name in OF_REALS and np.dtype(dtype).kind == "c")


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", LINES)
def test_transforms_of_lines_are_those_of_numpy(name, dtype):
    if not fits(name, dtype):
        with pytest.raises(TypeError):
            getattr(ts.fft, name)(ts.asarray(line((4,), dtype)))
        return
    for n in (2, 3, 7, 8, 12):
        a = line((n,), dtype)
        near(getattr(ts.fft, name)(ts.asarray(a)), getattr(np.fft, name)(a))
    a = line((3, 5, 4), dtype)
    x = ts.asarray(a)
    for axis in (0, 1, -1):
        for norm in NORMS:
            near(getattr(ts.fft, name)(x, axis=axis, norm=norm), getattr(np.fft, name)(a, axis=axis, norm=norm))
        for n in (1, 2, 4, 9):
            near(getattr(ts.fft, name)(x, n=n, axis=axis), getattr(np.fft, name)(a, n=n, axis=axis))
    empty = ts.asarray(a[:0])
    near(getattr(ts.fft, name)(empty, axis=1), getattr(np.fft, name)(a[:1], axis=1)[:0])
    with pytest.raises(ValueError):
        getattr(ts.fft, name)(empty, axis=0)
    with pytest.raises(ValueError):
        getattr(ts.fft, name)(x, n=0)
    with pytest.raises(ValueError):
        getattr(ts.fft, name)(x, axis=3)
    with pytest.raises(ValueError, match="norm"):
        getattr(ts.fft, name)(x, norm="none")


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", GRIDS)
def test_transforms_of_grids_are_those_of_numpy(name, dtype):
    if not fits(name, dtype):
        with pytest.raises(TypeError):
            getattr(ts.fft, name)(ts.asarray(line((4, 4), dtype)))
        return
    a = line((4, 3, 5), dtype)
    x = ts.asarray(a)
    for options in ({}, {"axes": (0, 2)}, {"axes": (2, 0)}, {"axes": (1,)}, {"axes": (-1, 0), "s": (6, 2)},
                    {"s": (2, 4, 6), "axes": (0, 1, 2)}):
        for norm in NORMS:
            near(getattr(ts.fft, name)(x, norm=norm, **options), getattr(np.fft, name)(a, norm=norm, **options))
    with pytest.raises(ValueError):
        getattr(ts.fft, name)(x, s=(2,), axes=(0, 1))


def test_there_and_back_is_where_it_began():
    a = line((4, 6), "complex128")
    x = ts.asarray(a)
    for norm in NORMS:
        near(ts.fft.ifft(ts.fft.fft(x, norm=norm), norm=norm), a)
        near(ts.fft.ifftn(ts.fft.fftn(x, norm=norm), norm=norm), a)
    r = line((4, 7), "float64")
    near(ts.fft.irfft(ts.fft.rfft(ts.asarray(r)), n=7), r)


def test_frequencies_and_shifts_are_those_of_numpy():
    for n in (1, 2, 5, 8):
        for d in (1.0, 0.25):
            near(ts.fft.fftfreq(n, d=d), np.fft.fftfreq(n, d=d))
            near(ts.fft.rfftfreq(n, d=d), np.fft.rfftfreq(n, d=d))
    assert ts.fft.fftfreq(4, dtype=ts.float32).dtype == ts.float32
    assert ts.fft.fftfreq(4, device=ts.default_device()).device == ts.default_device()
    a = line((4, 5), "float64")
    x = ts.asarray(a)
    for axes in (None, 0, 1, (0, 1), (-1,)):
        for name in ("fftshift", "ifftshift"):
            ts.testing.assert_array_equal(getattr(ts.fft, name)(x, axes=axes), getattr(np.fft, name)(a, axes=axes))
    with pytest.raises((ValueError, TypeError)):
        ts.fft.fftfreq(4, dtype=ts.int64)
