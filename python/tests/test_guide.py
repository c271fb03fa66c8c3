"""The code of docs/guide/python.md and of the README runs."""

import re

import pytest
from rows import ROOT

import tessera as ts


@pytest.mark.parametrize("page", ["docs/guide/python.md", "docs/guide/interop.md", "README.md"])
def test_code_of_a_page_runs(page, capsys):
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.MULTILINE | re.DOTALL)
    assert blocks
    names = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)
    assert capsys.readouterr().out


def test_the_coverage_page_is_that_of_the_package():
    from coverage_page import page
    assert (ROOT / "docs/reference/python.md").read_text() == page(), "run python/tests/coverage_page.py"
    assert ts.__array_api_version__ in page()
