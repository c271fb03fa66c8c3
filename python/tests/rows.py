"""The rows of nd/ops.def, and the oracle of each."""

import itertools
import math
import os
import pathlib
import re

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
_ROW = re.compile(r"^TESSERA_ND_(COMPOSED_)?(UNARY|BINARY)\((\w+)", re.MULTILINE)
_TEXT = (ROOT / "tessera/nd/ops.def").read_text()
UNARY = [name for _, kind, name in _ROW.findall(_TEXT) if kind == "UNARY"]
BINARY = [name for _, kind, name in _ROW.findall(_TEXT) if kind == "BINARY"]
DTYPES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "complex64",
          "complex128")
# Where nothing is a host value each case is kernels of its own: a part of all pairs of types, unless all tests run.
IS_LONG = "TEST_LONG" in os.environ
IS_QUICK = os.environ.get("TESSERA_SMALL") == "0" and not IS_LONG
PAIRS = [pair for k, pair in enumerate(itertools.product(DTYPES, DTYPES)) if not IS_QUICK or k % 23 == 5]

_OWN = {
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "erf": np.vectorize(math.erf),
    "erfc": np.vectorize(math.erfc),
    "normal_cdf": lambda x: np.vectorize(math.erfc)(x * -0.5**0.5) / 2,
}


def oracle(name):
    """NumPy's function of a name."""
    return _OWN.get(name) or getattr(np, name)


def samples(dtype, n=7):
    """Ordinary elements of a type, among them its limits where it has some."""
    kind = np.dtype(dtype).kind
    if kind == "b":
        return np.array([True, False, True, True, False, False, True])[:n]
    if kind == "u":
        return np.array([0, 1, 2, 3, 7, 100, np.iinfo(dtype).max], dtype)[:n]
    if kind == "i":
        return np.array([0, 1, -1, 3, -7, np.iinfo(dtype).min, np.iinfo(dtype).max], dtype)[:n]
    if kind == "f":
        return np.array([0.5, -0.25, 1.5, 2, -3, 0.125, 1], dtype)[:n]
    return np.array([0.5 + 1j, -0.25, 1.5j, 2 - 1j, -3 - 0.5j, 0.125, 1], dtype)[:n]


SPECIAL = np.array([0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 3.0, -3.0, np.inf, -np.inf, np.nan, 1e300, -1e300, 5e-324,
                    -5e-324, 710.0, -710.0, 1.5, 2.5])
