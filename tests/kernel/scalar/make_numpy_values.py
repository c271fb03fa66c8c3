#!/usr/bin/env python3
"""Writes numpy_values.txt: what NumPy computes, for tests that compare bits. Run by hand with NumPy 2:

    python3 make_numpy_values.py > numpy_values.txt

Lines: `operands TYPE A B`, `amounts TYPE A B` for powers and shifts, whose second operand is not negative, and `OPERATION TYPE RESULT_TYPE VALUES`, values as hexadecimal bytes one behind the other.
Operations have the names of opcode.def; `convert TYPE RESULT_TYPE` converts the first operands."""

import warnings

import numpy as np

warnings.simplefilter("ignore")

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float16", "float32", "float64"]
COMPLEX = ["complex64", "complex128"]
REAL_VALUES = [0.0, -0.0, 1.0, -2.5, 7.25, 1e-3, np.inf, np.nan]
INTEGER_VALUES = [0, 1, 3, 7, 100]
SIGNED_VALUES = [-1, -7]

EVERY, ORDERED = ["bool"] + INTEGERS + FLOATS + COMPLEX, ["bool"] + INTEGERS + FLOATS
OPERATIONS = [
    ("add", np.add, INTEGERS + FLOATS + COMPLEX),
    ("subtract", np.subtract, INTEGERS + FLOATS + COMPLEX),
    ("multiply", np.multiply, INTEGERS + FLOATS),  # of complex numbers NumPy fuses on some processors
    ("divide", np.true_divide, FLOATS + COMPLEX),
    ("negate", np.negative, INTEGERS + FLOATS + COMPLEX),
    ("floor_divide", np.floor_divide, INTEGERS + FLOATS),
    ("floor_remainder", np.remainder, INTEGERS + FLOATS),
    ("fmod", np.fmod, FLOATS),
    ("integer_power", np.power, INTEGERS),
    ("bounded_shift_left", np.left_shift, INTEGERS),
    ("bounded_shift_right", np.right_shift, INTEGERS),
    ("count_ones", lambda a, b: np.bitwise_count(a).astype(a.dtype), INTEGERS),
    ("bit_and", np.bitwise_and, INTEGERS),
    ("bit_or", np.bitwise_or, INTEGERS),
    ("bit_xor", np.bitwise_xor, INTEGERS),
    ("bit_not", np.invert, INTEGERS),
    ("equal", np.equal, EVERY),
    ("not_equal", np.not_equal, EVERY),
    ("less", np.less, ORDERED),
    ("less_equal", np.less_equal, ORDERED),
    # Of zeros with different signs NumPy takes another one for float16 than for wider types.
    ("nan_minimum", np.minimum, [t for t in ORDERED if t != "float16"]),
    ("nan_maximum", np.maximum, [t for t in ORDERED if t != "float16"]),
    ("sign", np.sign, INTEGERS + FLOATS),
    ("absolute", np.absolute, ["int8", "int16", "int32", "int64"] + FLOATS),
    ("sqrt", np.sqrt, FLOATS),
    ("floor", np.floor, FLOATS),
    ("ceil", np.ceil, FLOATS),
    ("trunc", np.trunc, FLOATS),
    ("rint", np.rint, FLOATS),
    ("copysign", np.copysign, FLOATS),
    ("next_after", np.nextafter, ["float32", "float64"]),
    ("sign_bit", np.signbit, FLOATS),
    ("is_nan", np.isnan, FLOATS),
    ("is_inf", np.isinf, FLOATS),
    ("is_finite", np.isfinite, FLOATS),
    ("real_part", np.real, COMPLEX),
    ("imaginary_part", np.imag, COMPLEX),
    ("conjugate", np.conjugate, COMPLEX),
]


def values(name):
    kind = np.dtype(name).kind
    if kind == "b":
        return np.array([False, True])
    if kind in "iu":
        info = np.iinfo(name)
        signed = SIGNED_VALUES if info.min < 0 else []
        return np.array(INTEGER_VALUES + signed + [info.max, info.min], dtype=name)
    if kind == "f":
        info = np.finfo(name)
        return np.array(REAL_VALUES + [info.max, 0.1, -1 / 3], dtype=name)
    parts = [0.0, 1.0, -2.5, 0.1]
    return np.array([complex(x, y) for x in parts for y in parts[:3]], dtype=name)


AMOUNTS = ("integer_power", "bounded_shift_left", "bounded_shift_right")


def operands(name, operation=""):
    second = values(name)
    if operation in AMOUNTS:
        second = second[second >= 0]
    a, b = np.meshgrid(values(name), second, indexing="ij")
    return np.ascontiguousarray(a.ravel()), np.ascontiguousarray(b.ravel())


def main():
    for name in EVERY:
        a, b = operands(name)
        print("operands", name, a.tobytes().hex(), b.tobytes().hex())
    for name in INTEGERS:
        a, b = operands(name, AMOUNTS[0])
        print("amounts", name, a.tobytes().hex(), b.tobytes().hex())
    for operation, function, types in OPERATIONS:
        for name in types:
            a, b = operands(name, operation)
            unary = function in (np.real, np.imag) or (isinstance(function, np.ufunc) and function.nin == 1)
            result = np.ascontiguousarray(function(a) if unary else function(a, b))
            print(operation, name, result.dtype.name, result.tobytes().hex())
    for name in EVERY:
        a = values(name)
        for to in EVERY:
            exact = np.dtype(name).kind in "fc" and np.dtype(to).kind in "iu"  # saturates here, undefined there
            narrows = np.dtype(name).kind == "c" and np.dtype(to).kind not in "cb"
            if to != name and not exact and not narrows:
                print("convert", name, to, a.astype(to).tobytes().hex(), a.tobytes().hex())


if __name__ == "__main__":
    main()
