"""pytest training --data DATA --packages PACKAGES: tests run against the real data folder and the real weights."""
from pathlib import Path

import pytest


def pytest_addoption(parser):
    parser.addoption("--data", type=Path, required=True)
    parser.addoption("--packages", type=Path, required=True)


@pytest.fixture(scope="session")
def data(request) -> Path:
    return request.config.getoption("--data")


@pytest.fixture(scope="session")
def packages(request) -> Path:
    return request.config.getoption("--packages")
