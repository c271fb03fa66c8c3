"""The array object: attributes, conversions, views, writes."""

import copy
import pickle

import numpy as np
import pytest

import tessera as ts


def same(actual, desired):
    ts.testing.assert_array_equal(actual, desired)


def test_attributes_are_those_of_the_standard():
    x = ts.zeros((2, 3, 4), dtype=ts.float32)
    assert (x.shape, x.ndim, x.size, x.dtype, x.nbytes) == ((2, 3, 4), 3, 24, ts.float32, 96)
    assert x.T.shape == (4, 3, 2) and x.mT.shape == (2, 4, 3)
    assert x.device == ts.default_device()
    assert x.__array_namespace__() is ts


def test_arrays_without_axes_become_numbers_of_python():
    assert float(ts.asarray(2.5)) == 2.5 and int(ts.asarray(7)) == 7 and bool(ts.asarray(True))
    assert complex(ts.asarray(1 + 2j)) == 1 + 2j
    assert [10, 20, 30][ts.asarray(1)] == 20
    assert int(ts.asarray(2**64 - 1, dtype=ts.uint64)) == 2**64 - 1
    with pytest.raises(TypeError):
        [1, 2][ts.asarray(1.0)]
    with pytest.raises(TypeError):
        float(ts.zeros(3))
    with pytest.raises(ValueError, match="any.* or all"):
        bool(ts.zeros(3))
    with pytest.raises((ValueError, OverflowError)):
        int(ts.asarray(float("nan")))


def test_an_array_is_not_hashable():
    with pytest.raises(TypeError):
        hash(ts.zeros(3))


@pytest.mark.parametrize("key", [
    0, -1, slice(1, 4), slice(None, None, -2), slice(4, 1, -1), slice(10, 20), Ellipsis, None, (0, 1), (Ellipsis, 1),
    (slice(None), None, 2), (1, Ellipsis, None), (slice(None, None, -1), slice(3, None, -1)), (), (slice(5, 2),),
], ids=str)
def test_basic_indices_are_those_of_numpy(key):
    a = np.arange(30.0).reshape(5, 6)
    x = ts.asarray(a)
    same(x[key], a[key])
    x[key] = -1
    a[key] = -1
    same(x, a)


_mask = np.arange(30).reshape(5, 6) % 4 == 0


@pytest.mark.parametrize("key", [
    _mask, ~_mask, _mask[:, 0], (slice(None), _mask[0]), np.array([3, 0, -1]), (np.array([0, 2]), np.array([1, -1])),
    (slice(None), np.array([[0, 1], [5, 2]])), (np.array([[0], [4]]), np.array([1, 2])), (2, np.array([1, 1])),
    (np.array([1, 3]), None, slice(1, 4)), (None, np.array([1, 2]), np.array([3, 4])), np.zeros((5, 6), bool), [1, 2],
    (np.array([0, 1]), slice(None), None), np.array([], dtype=int),
], ids=lambda k: "key")
def test_indices_by_arrays_are_those_of_numpy(key):
    own = tuple(ts.asarray(k) if isinstance(k, np.ndarray) else k for k in key) if isinstance(key, tuple) else \
        ts.asarray(key) if isinstance(key, np.ndarray) else key
    a = np.arange(30).reshape(5, 6)
    x = ts.asarray(a)
    same(x[own], a[key])
    value = np.arange(a[key].size).reshape(a[key].shape) + 100
    x[own] = ts.asarray(value)
    a[key] = value
    same(x, a)
    x[own] = 7
    a[key] = 7
    same(x, a)
    x[own] += 2
    a[key] += 2
    same(x, a)


def test_mistaken_indices_are_index_errors():
    x = ts.zeros((3, 4))
    for key in (3, (0, 4), (0, 0, 0), 1.5, "a", ts.zeros((2, 4), dtype=bool), ts.asarray([0, 3]), ts.asarray([0.0])):
        with pytest.raises(IndexError):
            x[key].tolist()
    with pytest.raises(ValueError):
        x[::0]
    with pytest.raises(ValueError):
        x[0] = ts.zeros(3)


def test_views_share_elements():
    x = ts.zeros((4, 4))
    x[1:3].T[0] = 5
    assert x.tolist() == [[0] * 4, [5, 0, 0, 0], [5, 0, 0, 0], [0] * 4]
    before = x + 0
    x[:] = 1
    assert before.tolist()[1][0] == 5


def test_operators_in_place_keep_array_and_type():
    x = ts.arange(5, dtype=ts.float32)
    y = x
    for operation in ("x += 1", "x *= 2", "x -= 3", "x /= 2", "x //= 1", "x %= 3", "x **= 2"):
        names = {"x": x}
        exec(operation, names)
        assert names["x"] is y and y.dtype == ts.float32
    i = ts.arange(4)
    with pytest.raises(TypeError):
        i += 0.5
    i <<= 1
    i |= 1
    assert i.tolist() == [1, 3, 5, 7]


def test_operators_take_numbers_on_either_side_and_numpys_arrays():
    x = ts.arange(4)
    assert (10 - x).tolist() == [10, 9, 8, 7] and (2**x).tolist() == [1, 2, 4, 8] and (7 // (x + 1)).tolist() == [7, 3, 2, 1]
    a = np.arange(4.0)
    for made in (x + a, a + x, x * np.float32(2), np.float64(2) * x):
        assert isinstance(made, ts.ndarray)
    assert (x * np.float32(2)).dtype == ts.float64 and (ts.ones(3, dtype=ts.float32) * np.float64(2)).dtype == ts.float32
    for other in ("a", None, object(), [1, 2, 3, 4], {}):
        with pytest.raises(TypeError):
            x + other
    assert (x == "a") is False and (x != None) is True  # noqa: E711


def test_numbers_that_a_type_does_not_have_are_overflow_errors():
    with pytest.raises(OverflowError):
        ts.ones(3, dtype=ts.int8) + 300
    with pytest.raises(OverflowError):
        ts.ones(3, dtype=ts.uint8)[0:1].__setitem__(0, -1)
    with pytest.raises(OverflowError):
        ts.asarray([300], dtype=ts.int8)
    with pytest.raises(OverflowError):
        ts.ones(3, dtype=ts.int64) + 2**70
    assert (ts.ones(1) + 2**70).tolist() == [1 + 2.0**70]


def test_lists_become_arrays_of_the_highest_sort_of_number():
    for given in ([True, False], [1, 2], [1, 2.5], [1, 2j], [[1, 2], [3, 4]], [], [[]], [[], []], 3, 2.5, True, 1j, (1, (2)), [2**63]):
        same(ts.asarray(given), np.asarray(given))
    for given in ([[1], [1, 2]], [1, [2]], [[1], 2]):
        with pytest.raises(ValueError, match="lists do not make an array"):
            ts.asarray(given)
    for given in (["a"], [None], object(), "abc", {1: 2}, np.array(["a"]), np.array([object()])):
        with pytest.raises(TypeError):
            ts.asarray(given)
    assert ts.asarray([ts.asarray(1), np.int8(2)]).tolist() == [1, 2]
    assert ts.asarray([ts.zeros(2), ts.ones(2)]).tolist() == [[0, 0], [1, 1]]


def test_going_through_an_array_gives_its_rows():
    assert [row.tolist() for row in ts.arange(6).reshape(3, 2)] == [[0, 1], [2, 3], [4, 5]]
    assert len(ts.zeros((3, 2))) == 3 and 2 in ts.arange(3) and 5 not in ts.arange(3)
    with pytest.raises(TypeError):
        iter(ts.asarray(1))
    with pytest.raises(TypeError):
        len(ts.asarray(1))


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float16", "bfloat16", "float32", "complex64", "complex128"])
def test_arrays_are_copied_and_pickled(dtype):
    x = ts.astype(ts.arange(6).reshape(2, 3), dtype)
    for made in (pickle.loads(pickle.dumps(x)), copy.copy(x), copy.deepcopy(x), x.copy()):
        assert made is not x and made.dtype == x.dtype
        same(made, x)
    assert pickle.loads(pickle.dumps(x.dtype)) == x.dtype


def test_types_equal_their_names_and_those_of_numpy():
    assert ts.float32 == "float32" and ts.float32 == np.float32 and ts.float32 == np.dtype("float32") and ts.int64 == int
    assert ts.float32 != ts.float64 and len({ts.int8, ts.int8, ts.int16}) == 2 and repr(ts.bool) == "tessera.bool"
    with pytest.raises(TypeError, match="no type of elements"):
        ts.zeros(3, dtype="float31")


def test_text_shows_elements_as_numpy_does():
    for given in ([1, 2, 3], [[1.5, 2], [3, 4]], [True, False], [], 5, [0.1, 1e20], [1 + 2j]):
        assert eval(repr(ts.asarray(given)), {**vars(ts), "array": ts.asarray}).tolist() == np.asarray(given).tolist()
    assert repr(ts.arange(3)) == "array([0, 1, 2])" and str(ts.ones((2, 2))) == "[[1. 1.]\n [1. 1.]]"
    assert repr(ts.zeros(2, dtype=ts.float32)) == "array([0., 0.], dtype=float32)"
    assert f"{ts.asarray(2.0):.3f}" == "2.000" and f"{ts.asarray([1])}" == "[1]"


def test_text_of_a_large_array_reads_only_what_it_shows():
    x = ts.zeros((1000, 1000))
    x += 1
    before = ts.stats()["inline_operations"]
    text = repr(x)
    assert text.count("...") == 7 and "shape=(1000, 1000)" in text
    assert ts.stats()["inline_operations"] - before < 1000


def test_default_floats_can_be_single():
    ts.set_default_float(ts.float32)
    assert ts.zeros(2).dtype == ts.float32 and ts.asarray([1.5]).dtype == ts.float32 and ts.asarray([1j]).dtype == ts.complex64
    with pytest.raises(ValueError):
        ts.set_default_float(ts.int8)
