"""Arrays to and from other libraries."""

import array
import io

import numpy as np
import pytest
from rows import DTYPES, samples

import tessera as ts


def same(actual, desired):
    ts.testing.assert_array_equal(actual, desired)


@pytest.mark.parametrize("dtype", [*DTYPES, "float16"])
def test_elements_go_to_numpy_and_back(dtype):
    a = np.resize(samples(dtype), 24).reshape(2, 3, 4)
    for each in (a, a[:, ::2], a[::-1], a.T, a[:0], a[0, 0, 0], np.asfortranarray(a), a[..., None]):
        x = ts.asarray(each)
        assert x.dtype == each.dtype and x.shape == each.shape
        for back in (np.asarray(x), x.numpy(), np.from_dlpack(x)):
            np.testing.assert_array_equal(back, each)
            assert back.dtype == each.dtype
        if isinstance(each, np.ndarray):
            same(ts.from_dlpack(each), each)
    frozen = a.copy()
    frozen.flags.writeable = False
    same(ts.asarray(frozen), a)


def test_a_copy_is_given_to_numpy():
    x = ts.zeros(4)
    a = np.asarray(x)
    a[0] = 5
    assert x.tolist() == [0, 0, 0, 0] and a.flags.writeable
    assert np.asarray(x, dtype="float32").dtype == np.float32
    with pytest.raises(ValueError, match="copy"):
        np.asarray(x, copy=False)


def test_large_arrays_are_not_gathered_by_accident(monkeypatch):
    monkeypatch.setattr(ts, "gather_limit", 100)
    with pytest.raises(ValueError, match="gather_limit"):
        np.asarray(ts.zeros(13))
    assert np.asarray(ts.zeros(12)).shape == (12,)


def test_functions_of_numpy_call_those_of_the_package():
    x = ts.arange(6.0).reshape(2, 3)
    for made in (np.exp(x), np.add(x, np.ones(3)), np.ones(3) + x, np.concatenate([x, x]), np.sum(x), np.where(x > 1, x, 0)):
        assert isinstance(made, ts.ndarray)
    same(np.exp(x), ts.exp(x).numpy())
    with pytest.raises(TypeError):
        np.add.reduce(x)
    with pytest.raises(TypeError):
        np.kaiser_of_nothing(x) if hasattr(np, "kaiser_of_nothing") else np.packbits(x)


def test_buffers_become_arrays():
    assert ts.asarray(array.array("d", [1.5, 2.5])).tolist() == [1.5, 2.5]
    assert ts.asarray(memoryview(b"\x01\x02")).tolist() == [1, 2]
    with pytest.raises(TypeError):
        ts.asarray(np.zeros(2, dtype=[("a", "i4")]))
    with pytest.raises(TypeError):
        ts.asarray(np.zeros(2, dtype=">f8"))


def test_dlpack_is_versioned_and_refuses_what_it_cannot_do():
    x = ts.arange(4)
    assert x.__dlpack_device__() == (1, 0)
    assert "dltensor_versioned" in repr(x.__dlpack__(max_version=(1, 0)))
    assert '"dltensor"' in repr(x.__dlpack__())
    for options in ({"dl_device": (2, 0)}, {"copy": False}, {"stream": 1}):
        with pytest.raises(BufferError):
            x.__dlpack__(**options)
    capsule = x.__dlpack__()
    ts._core.from_dlpack(capsule, None, None)
    with pytest.raises(BufferError):
        ts._core.from_dlpack(capsule, None, None)
    with pytest.raises(BufferError):
        ts.from_dlpack(x, copy=False)


def test_bfloat16_goes_to_numpy_as_float32():
    x = ts.astype(ts.asarray([1.0, 2.5]), ts.bfloat16)
    assert np.asarray(x).dtype == np.float32 and np.asarray(x).tolist() == [1, 2.5]
    assert ts.from_dlpack(x).dtype == ts.bfloat16


def test_the_configuration_is_printed():
    out = io.StringIO()
    ts.show_config(out)
    assert "device" in out.getvalue() and "NVRTC" in out.getvalue()


@pytest.mark.one_rank
def test_contexts_are_kept_apart():
    first = ts.use_device("cpu*2")
    x = ts.ones(10_000)
    second = ts.use_device("cpu")
    y = ts.ones(10_000)
    assert first != second and x.device == first and y.device == second
    with pytest.raises(ValueError, match="contexts"):
        x + y
    assert (x.to_device(second) + y).tolist()[:2] == [2, 2]
    assert ts.zeros(3, device=first).device == first
    with pytest.raises(TypeError):
        ts.zeros(3, device="cpu")
    with pytest.raises(TypeError, match="did you mean 'devices'"):
        ts.init(device_="cpu")
    with pytest.raises(ValueError):
        ts.use_device("quantum")
