#!/usr/bin/env python3
"""Writes numpy_values.txt: what functions of arrays give in NumPy, for tests that compare bits. Run by hand with NumPy 2:

    python3 make_numpy_values.py > numpy_values.txt

Lines: `elements TYPE BYTES`, the operands of a type; `one FUNCTION` with TYPE RESULT_TYPE BITS for each type, and `two
FUNCTION` with TYPE OTHER_TYPE RESULT_TYPE BITS for each pair of types. Of two arrays, each element of the first is taken
with each of the second, row by row. RESULT_TYPE is `-` where there is no such function. BITS are bytes in hexadecimal, or
a sum of them (FNV-1a, 64 bits) if there are more than 16 results, with every NaN as 0; `*` where they are not NumPy's, as
those of mathematical functions."""

import warnings

import numpy as np

warnings.simplefilter("ignore")

TYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32",
         "float64", "complex64", "complex128"]
EXACT_UNARY = ["negative", "sign", "sqrt", "bitwise_invert", "bitwise_count", "logical_not", "abs", "positive", "square",
               "floor", "ceil", "trunc", "round", "isnan", "isinf", "isfinite", "signbit", "real", "imag", "conj",
               "reciprocal"]
OTHER_UNARY = ["cbrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin", "acos", "atan",
               "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"]
EXACT_BINARY = ["add", "subtract", "multiply", "divide", "floor_divide", "remainder", "minimum", "maximum", "fmod",
                "copysign", "nextafter", "bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_left_shift",
                "bitwise_right_shift", "logical_and", "logical_or", "logical_xor", "equal", "not_equal", "less",
                "less_equal", "greater", "greater_equal", "fmax", "fmin", "heaviside"]
OTHER_BINARY = ["atan2", "hypot", "logaddexp", "pow", "float_power"]
EXACT_NUMERIC = ["nan_to_num", "deg2rad", "rad2deg", "diff"]


def elements(name):
    kind = np.dtype(name).kind
    if kind == "b":
        return np.array([False, True])
    if kind in "iu":
        info = np.iinfo(name)
        return np.array([0, 1, 3, 100] + ([-1, -7] if info.min < 0 else [9]) + [info.max, info.min], dtype=name)
    if kind == "f":
        info = np.finfo(name)
        return np.array([0.0, -0.0, 1.0, -2.5, 7.25, 0.1, np.inf, -np.inf, np.nan, info.max, info.tiny], dtype=name)
    parts = [0.0, 1.0, -2.5]
    return np.array([complex(x, y) for x in parts for y in parts] + [complex(np.nan, 1), complex(np.inf, 0)], dtype=name)


def bits(result):
    """The bytes of a result, or their sum."""
    flat = np.ascontiguousarray(result).ravel()
    if flat.dtype.kind == "f":
        flat = np.where(np.isnan(flat), np.zeros((), flat.dtype), flat)
    if flat.dtype.kind == "c":
        parts = flat.view(flat.real.dtype)
        flat = np.where(np.isnan(parts), np.zeros((), parts.dtype), parts)
    data = flat.tobytes()
    if result.size <= 16:
        return data.hex() or "-"
    total = 0xcbf29ce484222325
    for byte in data:
        total = ((total ^ byte) * 0x100000001b3) % 2**64
    return f"sum:{total:016x}"


def function(name):
    other = {"bitwise_invert": "invert", "bitwise_left_shift": "left_shift", "bitwise_right_shift": "right_shift",
             "pow": "power"}
    return getattr(np, other.get(name, name))


def is_refused(name, *operands):
    """What arrays do not have although NumPy has it: orders of complex numbers, as in the Array API standard, and two
    functions that no kernel has."""
    kind = np.result_type(*operands).kind
    if kind == "c":
        return name in ("minimum", "maximum", "less", "less_equal", "greater", "greater_equal", "fmax", "fmin", "exp2")
    return name == "nextafter" and function(name)(*operands).dtype == np.float16


def apply(name, *operands):
    if is_refused(name, *operands):
        return None
    if name == "reciprocal" and operands[0].dtype.kind in "iu":  # of zeros NumPy gives what the processor gives
        return np.where(operands[0] == 0, operands[0], np.reciprocal(operands[0] + (operands[0] == 0)))
    try:
        return np.asarray(function(name)(*operands))
    except (TypeError, ValueError):
        return None


def is_exact(name, types, result):
    kinds = [np.dtype(t).kind for t in types]
    # Products of complex numbers are fused on some processors.
    if "c" in kinds and name not in ("add", "subtract", "equal", "not_equal", "negative", "real", "imag", "conj", "isnan",
                                     "isinf", "isfinite", "positive", "logical_not", "logical_and", "logical_or",
                                     "logical_xor", "nan_to_num", "diff"):
        return False
    if name in ("minimum", "maximum", "fmax", "fmin") and result.dtype == np.float16:
        return False  # of zeros with different signs NumPy takes another one than for wider types
    return True


def described(name, exact, types, operands):
    result = apply(name, *operands)
    if result is None:
        return [*types, "-", "-"]
    same = exact and is_exact(name, types, result)
    return [*types, result.dtype.name, bits(result) if same else "*"]


def operands_of(name, first, second):
    a, b = elements(first)[:, None], elements(second)[None, :]
    if name == "pow" and b.dtype.kind in "iu":  # integers to negative powers are refused there
        b = np.maximum(b, np.zeros((), b.dtype))
    return a, b


def main():
    for name in TYPES:
        print("elements", name, elements(name).tobytes().hex())
    for name in EXACT_UNARY + EXACT_NUMERIC + OTHER_UNARY:
        words = ["one", name]
        for type_name in TYPES:
            words += described(name, name not in OTHER_UNARY, [type_name], [elements(type_name)])
        print(*words)
    for name in EXACT_BINARY + OTHER_BINARY:
        words = ["two", name]
        for first in TYPES:
            for second in TYPES:
                words += described(name, name not in OTHER_BINARY, [first, second], operands_of(name, first, second))
        print(*words)


if __name__ == "__main__":
    main()
