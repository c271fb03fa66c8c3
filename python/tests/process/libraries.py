"""Arrays to and from libraries that are too large for every machine: those that are installed are tested."""

import pathlib
import sys

import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from rows import samples

import tessera as ts


def same(actual, desired):
    ts.testing.assert_array_equal(actual, desired)


def exchanged_with(library, arrays):
    """Arrays of another library become ours, and ours become its, with equal elements."""
    for theirs in arrays:
        x = ts.from_dlpack(theirs)
        back = library.from_dlpack(x)
        assert x.shape == tuple(theirs.shape) and back.shape == theirs.shape and back.dtype == theirs.dtype
        same(x, np.from_dlpack(back))
        same(ts.asarray(theirs), x.numpy())


KINDS = ("float32", "float64", "int32", "uint8", "bool", "complex64")


def test_arrays_go_to_torch_and_back():
    torch = pytest.importorskip("torch")
    for kind in KINDS:
        a = torch.asarray(np.resize(samples(kind), 24).reshape(4, 6))
        exchanged_with(torch, [a, a[1:, ::2], a.T, a[:0], a[0, 0]])
    x = ts.astype(ts.asarray([1.0, 2.5]), ts.bfloat16)
    assert torch.from_dlpack(x).dtype == torch.bfloat16 and torch.from_dlpack(x).tolist() == [1, 2.5]
    assert ts.from_dlpack(torch.ones(3, dtype=torch.float16)).dtype == ts.float16
    y = torch.from_dlpack(ts.zeros(3))
    y += 1  # a copy: memory of its own
    assert y.tolist() == [1, 1, 1]


def test_arrays_go_to_jax_and_back():
    jax = pytest.importorskip("jax")
    for kind in ("float32", "int32", "uint8", "bool"):
        a = jax.numpy.asarray(np.resize(samples(kind), 24).reshape(4, 6))
        exchanged_with(jax.dlpack, [a])


def test_arrays_go_to_cupy_and_back():
    cupy = pytest.importorskip("cupy")
    for kind in KINDS:
        a = cupy.asarray(np.resize(samples(kind), 24).reshape(4, 6))
        x = ts.from_dlpack(a)
        np.testing.assert_array_equal(x.numpy(), a.get())
        np.testing.assert_array_equal(cupy.asarray(x.numpy()).get(), a.get())
