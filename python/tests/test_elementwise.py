"""Every function of nd/ops.def against NumPy: names, signatures, types, values, special cases."""

import inspect
import operator
import warnings

import numpy as np
import pytest
from rows import BINARY, DTYPES, IS_QUICK, PAIRS, SPECIAL, UNARY, oracle, samples

import tessera as ts

warnings.simplefilter("ignore")
np.seterr(all="ignore")

# Where NumPy and the standard differ, or NumPy's elements are not defined.
NOT_AS_NUMPY = {"fmod": "integers divided by zero", "heaviside": "types of its own"}


ORDERED = {"minimum", "maximum", "less", "less_equal", "greater", "greater_equal", "fmin", "fmax"}


def of_numpy(name, *operands):
    """What NumPy gives; nothing where it has no such function for these types, or the standard has none."""
    is_complex = any(np.asarray(o).dtype.kind == "c" for o in operands)
    if is_complex and (name in ORDERED or name == "exp2"):
        return None
    try:
        return oracle(name)(*operands)
    except TypeError:
        return None


def compare(name, made, wanted, *operands):
    assert made.dtype == wanted.dtype, f"{name}{[o.dtype.name for o in operands]} is {made.dtype}, NumPy's {wanted.dtype}"
    assert made.shape == wanted.shape
    got = made.numpy()
    if wanted.dtype.kind in "biu":
        np.testing.assert_array_equal(got, wanted)
    else:
        bound = 16 * np.finfo(wanted.dtype).eps
        np.testing.assert_allclose(got, wanted, rtol=bound, atol=bound * 1e-3)


@pytest.mark.parametrize("name", UNARY)
def test_functions_of_one_array_give_types_and_values_of_numpy(name):
    assert str(inspect.signature(getattr(ts, name))) == "(x, /, *, out=None)"
    for dtype in DTYPES[4::4] if IS_QUICK else DTYPES:
        x = samples(dtype)
        if name == "reciprocal" and x.dtype.kind in "iu":
            x = x[1:]  # NumPy's reciprocal of the integer 0 is what the processor gives
        if name in ("sin", "cos", "tan"):
            x = np.where(np.abs(x.astype("complex128")) < 2.0**51, x, np.ones((), x.dtype))  # the bound of their precision
        if name in ("erf", "erfc", "normal_cdf", "rsqrt") and x.dtype.kind != "f":
            continue  # these oracles have types of their own
        wanted = of_numpy(name, x)
        if wanted is None or (dtype == "bool" and name in ("floor", "ceil", "trunc")):
            if wanted is None:
                with pytest.raises(TypeError):
                    getattr(ts, name)(ts.asarray(x))
            continue
        compare(name, getattr(ts, name)(ts.asarray(x)), np.asarray(wanted, x.dtype if name in ("erf", "erfc", "normal_cdf") else None),
                x)


@pytest.mark.parametrize("name", BINARY)
def test_functions_of_two_arrays_give_types_and_values_of_numpy(name):
    assert str(inspect.signature(getattr(ts, name))) == "(x1, x2, /, *, out=None)"
    for first, second in PAIRS:
        x, y = samples(first), samples(second)[::-1].copy()
        if "pow" in name and y.dtype.kind in "iu":
            y = np.abs(np.clip(y, -5 if y.dtype.kind == "i" else 0, 5)).astype(y.dtype)
        if name == "nextafter" and np.result_type(x, y).itemsize < 4:
            continue  # of float16, which has none
        if name == "pow" and x.dtype.kind in "iu":
            x = np.clip(x, 0, 5).astype(x.dtype)
        if "shift" in name and y.dtype.kind in "iu":
            y = np.clip(y, 0, 5).astype(y.dtype)
        if name in ("floor_divide", "remainder", "fmod"):
            y = np.where(y == 0, np.ones((), y.dtype), y)
        if name in NOT_AS_NUMPY:
            getattr(ts, name)(ts.asarray(samples("float64")), ts.asarray(samples("float64")))
            continue
        wanted = of_numpy(name, x, y)
        if wanted is None:
            with pytest.raises(TypeError):
                getattr(ts, name)(ts.asarray(x), ts.asarray(y))
        else:
            compare(name, getattr(ts, name)(ts.asarray(x), ts.asarray(y)), wanted, x, y)


@pytest.mark.parametrize("name", [n for n in UNARY if n not in ("erf", "erfc", "normal_cdf", "rsqrt", "bitwise_invert",
                                                                "bitwise_count")])
def test_special_cases_of_one_operand_are_those_of_numpy(name):
    for dtype in ("float64", "float32"):
        x = SPECIAL.astype(dtype)
        got, wanted = getattr(ts, name)(ts.asarray(x)).numpy(), oracle(name)(x)
        unclear = (np.abs(x) > 2.0**51) & np.isfinite(x) if name in ("sin", "cos", "tan") else np.zeros(x.shape, bool)
        np.testing.assert_allclose(got[~unclear], wanted[~unclear], rtol=1e-5 if dtype == "float32" else 1e-13)
        if wanted.dtype.kind == "f":
            signs = ~np.isnan(wanted) & ~unclear
            np.testing.assert_array_equal(np.signbit(got[signs]), np.signbit(wanted[signs]))


@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "divide", "floor_divide", "remainder", "pow", "atan2", "hypot",
                                  "copysign", "nextafter", "logaddexp", "minimum", "maximum", "less", "equal", "fmax", "fmin",
                                  "logical_and", "not_equal", "greater_equal", "fmod"])
def test_special_cases_of_two_operands_are_those_of_numpy_in_all_forms(name):
    x, y = (a.ravel() for a in np.meshgrid(SPECIAL, SPECIAL))
    wanted = oracle(name)(x, y)
    forms = [getattr(ts, name)(ts.asarray(x), ts.asarray(y))]
    symbols = {"add": "add", "subtract": "sub", "multiply": "mul", "divide": "truediv", "floor_divide": "floordiv",
               "remainder": "mod", "pow": "pow", "less": "lt", "equal": "eq", "not_equal": "ne", "greater_equal": "ge"}
    if name in symbols:
        forms.append(getattr(operator, symbols[name])(ts.asarray(x), ts.asarray(y)))
        in_place = getattr(operator, "i" + symbols[name], None)
        if in_place:
            forms.append(in_place(ts.asarray(x), ts.asarray(y)))
    for made in forms:
        got = made.numpy()
        np.testing.assert_allclose(got, wanted, rtol=1e-13)
        if wanted.dtype.kind == "f":
            signs = ~np.isnan(wanted) & ~((wanted == 0) & (name in ("minimum", "maximum", "fmax", "fmin")))
            np.testing.assert_array_equal(np.signbit(got[signs]), np.signbit(wanted[signs]))


def test_numbers_beside_arrays_take_their_type():
    for dtype in DTYPES[4::4] if IS_QUICK else DTYPES:
        for number in (True, 2, 1.5, 1j):
            x = samples(dtype)
            for name in ("add", "multiply", "less" if np.dtype(dtype).kind != "c" and number != 1j else "equal"):
                wanted = of_numpy(name, x, number)
                compare(name, getattr(ts, name)(ts.asarray(x), number), wanted, x)
                compare(name, getattr(ts, name)(number, ts.asarray(x)), of_numpy(name, number, x), x)


@pytest.mark.parametrize("shapes", [((3, 4), (4,)), ((3, 1), (1, 4)), ((), (2, 3)), ((0,), (1,)), ((2, 0, 3), (1, 3)), ((5, 1, 2), (3, 1)),
                                    ((), ()), ((1, 1, 1), (2,)), ((0, 3), ())], ids=str)
def test_shapes_are_repeated_as_in_numpy(shapes):
    a, b = (np.arange(np.prod(s, dtype=int), dtype=float).reshape(s) + 1 for s in shapes)
    for name in ("add", "divide", "maximum", "less"):
        compare(name, getattr(ts, name)(ts.asarray(a), ts.asarray(b)), np.asarray(oracle(name)(a, b)), a, b)
    compare("where", ts.where(ts.asarray(a) > 2, ts.asarray(a), ts.asarray(b)), np.where(a > 2, a, b), a, b)


def test_shapes_that_do_not_fit_are_value_errors():
    for a, b in (((3,), (4,)), ((2, 3), (2,)), ((2, 3, 4), (3, 3))):
        with pytest.raises(ValueError, match="do not fit"):
            ts.zeros(a) + ts.zeros(b)


def test_out_takes_the_result():
    x, out = ts.arange(4.0), ts.zeros(4)
    assert ts.exp(x, out=out) is out and out.tolist() == ts.exp(x).tolist()
    assert ts.add(x, 1, out=out[::-1]).tolist() == [1, 2, 3, 4] and out.tolist() == [4, 3, 2, 1]
    with pytest.raises(ValueError, match="out= has the shape"):
        ts.exp(x, out=ts.zeros(3))
    with pytest.raises(TypeError):
        ts.divide(x, 2, out=ts.zeros(4, dtype=ts.int64))
    with pytest.raises(TypeError, match="no argument 'axis'"):
        ts.exp(x, axis=1)


def test_clip_bounds_on_one_or_both_sides():
    a = np.arange(10) - 5
    x = ts.asarray(a)
    for low, high in ((None, 2), (-2, None), (-2, 2), (None, None), (-1.5, 2.5)):
        ts.testing.assert_array_equal(ts.clip(x, low, high), a if low is high is None else np.clip(a, low, high))
