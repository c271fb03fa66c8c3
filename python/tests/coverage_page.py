"""Writes docs/reference/python.md: every public name of the package.

  PYTHONPATH=build/dev/python build/python/bin/python python/tests/coverage_page.py
"""

import inspect
import types

from rows import BINARY, ROOT, UNARY

import tessera as ts

GROUPS = (("Creation", "_creation"), ("Reductions and statistics", "_reduction"), ("Counts, quantiles, NaN passed over", "_statistics"), ("Shapes and joins", "_shape"), ("Products", "_products"),
          ("Order, search, sets, places", "_order"), ("More functions of elements", "_elementwise"), ("Types", "_dtypes"),
          ("Devices", "_device"), ("Other libraries", "_interop"), ("Inspection", "_info"))


def _row(name, function):
    text = (inspect.getdoc(function) or "").split("\n")[0]
    return f"| `{name}{inspect.signature(function)}` | {text} |"


def page():
    lines = ["# Names of the Python package", "",
             f"Made by `python/tests/coverage_page.py`. Array API standard {ts.__array_api_version__}.", "", "## Element by element",
             "", "Made from the rows of `tessera/nd/ops.def`; each takes `out=`.", "",
             "Of one array: " + ", ".join(f"`{n}`" for n in UNARY) + ".", "",
             "Of two operands: " + ", ".join(f"`{n}`" for n in BINARY) + ".", ""]
    for title, module in GROUPS:
        found = {n: f for n, f in vars(ts).items()
                 if isinstance(f, types.FunctionType) and f.__module__ == "tessera." + module and not n.startswith("_")}
        if module == "_reduction":
            found |= {n: getattr(ts, n) for n in ts._core.reduction_names}
        lines += [f"## {title}", "", "| name | does |", "|---|---|"]
        lines += [_row(n, f) for n, f in sorted(found.items())] + [""]
    for title, module in (("Linear algebra: `ts.linalg`", ts.linalg), ("Fourier transforms: `ts.fft`", ts.fft)):
        lines += [f"## {title}", "", "| name | does |", "|---|---|"]
        lines += [_row(n, getattr(module, n)) for n in sorted(module.__all__) if inspect.isfunction(getattr(module, n))] + [""]
    aliases = ", ".join(f"`{a}` (`{n}`)" for a, n in sorted(ts._elementwise.ALIASES.items()))
    lines += ["## Names of NumPy for functions above", "", aliases + ".", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    (ROOT / "docs/reference/python.md").write_text(page())
