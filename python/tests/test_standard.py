"""The names of the Array API standard, with the signatures of array-api-strict."""

import functools
import inspect

import array_api_strict as strict
import pytest

import tessera as ts

# Names of array-api-strict that are none of the standard.
NOT_STANDARD = {"Device", "ArrayAPIStrictFlags", "set_array_api_strict_flags", "get_array_api_strict_flags", "reset_array_api_strict_flags"}
NAMES = sorted(set(strict.__all__) - NOT_STANDARD)
# Those of the extensions; array-api-strict has no `eig` and `eigvals` yet.
EXTENSIONS = [f"linalg.{n}" for n in (*strict.linalg.__all__, "eig", "eigvals")] + [f"fft.{n}" for n in strict.fft.__all__]


def find(module, name):
    return functools.reduce(getattr, name.split("."), module)


@pytest.mark.parametrize("name", NAMES + EXTENSIONS)
def test_every_name_is_there(name):
    find(ts, name)


@pytest.mark.parametrize("name", [n for n in NAMES + EXTENSIONS if n not in ("linalg.eig", "linalg.eigvals") and inspect.isfunction(find(strict, n))])
def test_signatures_are_those_of_the_standard(name):
    wanted = inspect.signature(find(strict, name)).parameters
    given = inspect.signature(find(ts, name)).parameters
    places = list(given)
    for k, (parameter, w) in enumerate(wanted.items()):
        if w.kind is w.VAR_POSITIONAL:
            assert any(g.kind is g.VAR_POSITIONAL for g in given.values())
            continue
        if w.kind is w.POSITIONAL_ONLY:
            g = given[places[k]]
            assert g.kind in (g.POSITIONAL_ONLY, g.POSITIONAL_OR_KEYWORD)
            continue
        assert parameter in given, f"{name} has no parameter {parameter}"
        g = given[parameter]
        assert g.kind in (w.kind, g.POSITIONAL_OR_KEYWORD)
        assert (g.default is g.empty) <= (w.default is w.empty)


def test_the_object_has_all_members_of_the_standard():
    wanted = [n for n in dir(strict.asarray(1.0)) if not n.startswith("_") or (n.startswith("__") and n.endswith("__"))]
    left_out = {"__module__", "__dict__", "__weakref__", "__slots__", "__buffer__",
                "__static_attributes__", "__firstlineno__", "__annotations__", "__array_priority__"}
    assert [n for n in wanted if not hasattr(ts.ndarray, n) and n not in left_out] == []


def test_the_inspection_names_types_and_capabilities():
    info = ts.__array_namespace_info__()
    assert info.capabilities() == {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 8}
    assert set(info.dtypes()) == set(strict.__array_namespace_info__().dtypes())
    for kind in ("bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating", "numeric",
                 ("integral", "bool")):
        assert set(info.dtypes(kind=kind)) == set(strict.__array_namespace_info__().dtypes(kind=kind))
    assert info.default_device() in info.devices()
    assert info.default_dtypes() == {"real floating": ts.float64, "complex floating": ts.complex128, "integral": ts.int64,
                                     "indexing": ts.int64}
    assert ts.__array_api_version__ == "2025.12"


def test_types_meet_as_in_the_standard():
    names = list(strict.__array_namespace_info__().dtypes())
    for first in names:
        for second in names:
            try:
                wanted = strict.result_type(getattr(strict, first), getattr(strict, second))
            except TypeError:
                continue  # the standard has none
            assert str(ts.result_type(getattr(ts, first), getattr(ts, second))) == str(wanted).split(".")[-1]
            assert ts.can_cast(getattr(ts, first), getattr(ts, second)) == (wanted == getattr(strict, second))
    assert ts.result_type(ts.int8, 1) == ts.int8 and ts.result_type(ts.int8, 1.0) == ts.float64
    assert ts.result_type(ts.float32, 1j) == ts.complex64 and ts.result_type(ts.zeros(2, dtype=ts.float32), ts.int8) == ts.float32


def test_limits_of_types_are_those_of_numpy():
    import numpy as np
    for name in ("float32", "float64", "complex64", "complex128"):
        own, other = ts.finfo(getattr(ts, name)), np.finfo(name)
        for field in ("bits", "eps", "max", "min", "smallest_normal"):
            assert getattr(own, field) == float(getattr(other, field))
    for name in ("int8", "uint16", "int64", "uint64"):
        own, other = ts.iinfo(getattr(ts, name)), np.iinfo(name)
        assert (own.bits, own.max, own.min) == (other.bits, other.max, other.min)
    with pytest.raises(ValueError):
        ts.finfo(ts.int8)
    with pytest.raises(ValueError):
        ts.iinfo(ts.float32)


def test_kinds_of_types():
    assert ts.isdtype(ts.int8, "integral") and not ts.isdtype(ts.bool, "numeric") and ts.isdtype(ts.float32, ("bool", ts.float32))
    with pytest.raises(ValueError):
        ts.isdtype(ts.int8, "whole")


def test_every_function_says_what_it_does():
    for name in NAMES + EXTENSIONS:
        if callable(find(ts, name)):
            assert find(ts, name).__doc__, name
