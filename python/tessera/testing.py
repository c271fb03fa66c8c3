"""Comparisons for tests. Need NumPy."""


def _as_numpy(x):
    import numpy
    from ._core import ndarray
    return x.numpy() if isinstance(x, ndarray) else numpy.asarray(x)


def assert_array_equal(actual, desired):
    """Equal shapes, types and elements; NaN equals NaN."""
    import numpy
    actual, desired = _as_numpy(actual), _as_numpy(desired)
    assert actual.shape == desired.shape, f"shapes {actual.shape} and {desired.shape} differ"
    assert actual.dtype == desired.dtype, f"types {actual.dtype} and {desired.dtype} differ"
    numpy.testing.assert_array_equal(actual, desired)


def assert_allclose(actual, desired, rtol=1e-7, atol=0.0):
    """Equal shapes, and elements that are close."""
    import numpy
    actual, desired = _as_numpy(actual), _as_numpy(desired)
    assert actual.shape == desired.shape, f"shapes {actual.shape} and {desired.shape} differ"
    numpy.testing.assert_allclose(actual, desired, rtol=rtol, atol=atol)
