"""pytest training --data DATA --packages PACKAGES: tests run against the real data folder and the real weights."""
from pathlib import Path

import pytest


def pytest_addoption(parser):
    """--data and --packages, both required."""
    parser.addoption("--data", type=Path, required=True)
    parser.addoption("--packages", type=Path, required=True)


@pytest.fixture(scope="session")
def data(request) -> Path:
    """The folder of --data."""
    return request.config.getoption("--data")


@pytest.fixture(scope="session")
def packages(request) -> Path:
    """The folder of --packages, which fetch.py fills."""
    return request.config.getoption("--packages")
