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


class MPI_LIKE:
    """What is neither a device nor a communicator."""


def test_parts_of_all_ranks_are_described():
    a = np.arange(60.0).reshape(10, 6)
    for split in (0, 1, (0, 1)):
        x = ts.asarray(a, split=split)
        described = x.__partitioned__
        assert described["shape"] == x.shape and len(described["partitions"]) == described["partition_tiling"][0]
        seen = np.zeros(a.shape, int)
        for place, part in described["partitions"].items():
            at = tuple(slice(o, o + n) for o, n in zip(part["start"], part["shape"]))
            seen[at] += 1
            is_mine = part["location"] == [x.device.rank]
            assert is_mine == (place in described["locals"]) == (part["data"] is not None)
            if is_mine:
                np.testing.assert_array_equal(np.asarray(described["get"]([part["data"]])[0]), a[at])
        assert (seen == 1).all()
    if x.device.ranks == 1:
        same(ts.asarray(type("Parts", (), {"__partitioned__": described})(), split=0), a)


def test_listings_of_the_heat_paper_run():
    def stddev(a, axis=0):
        return ts.sqrt((a - a.mean(axis)) ** 2)

    a = np.arange(60.0).reshape(5, 4, 3)
    np.testing.assert_allclose(stddev(ts.asarray(a)).numpy(), np.sqrt((a - a.mean(0)) ** 2))
    split = ts.zeros((5, 4, 3), split=0)
    assert split.shape == (5, 4, 3) and split.split == 0
    parts = split.lshape if isinstance(split.lshape[0], tuple) else (split.lshape,)
    assert all(part[1:] == (4, 3) for part in parts)
    if split.device.ranks == 1:
        assert sum(part[0] for part in parts) == 5


@pytest.mark.one_rank
def test_devices_are_named_where_arrays_are_made():
    a = ts.zeros((1,), device="cpu*2")
    assert a.device.name == "cpu*2" and a.device != ts.default_device()
    ts.use_device("cpu*2")
    b = ts.ones((1,))
    assert b.device == a.device and (a + b).tolist() == [1]


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
    assert ts.zeros(3, device="cpu").device == second and ts.ones(3, device="cpu*2").device == first == ts.zeros(3, comm=first).device
    assert ts.asarray(y, device="cpu*2").device == first == y.to_device("cpu*2").device
    for mistaken in (3, MPI_LIKE()):
        with pytest.raises(TypeError):
            ts.zeros(3, device=mistaken)
    with pytest.raises(TypeError, match="communicator"):
        ts.zeros(3, comm=MPI_LIKE())
    with pytest.raises(ValueError, match="both name a context"):
        ts.zeros(3, device="cpu", comm=first)
    with pytest.raises(ValueError):
        ts.zeros(3, device="quantum")
    with pytest.raises(TypeError, match="did you mean 'devices'"):
        ts.init(device_="cpu")
    with pytest.raises(ValueError):
        ts.use_device("quantum")
