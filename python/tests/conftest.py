"""What all tests have in common."""

import pytest

import tessera as ts


def pytest_configure(config):
    config.addinivalue_line("markers", "process: starts processes, or measures this one; runs alone")
    config.addinivalue_line("markers", "one_rank: makes calls in an order that differs between ranks, or contexts of one rank")


@pytest.fixture(autouse=True)
def default_context():
    """Tests that change the default context leave it as it was."""
    before = ts.default_device()
    yield
    ts.use_device(before)
    ts.set_default_float(ts.float64)
