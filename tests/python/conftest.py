"""Every test starts on the CPU backend unless TESSERA_TEST_DEVICE or TESSERA_DEVICE names another device."""

import os

import pytest

os.environ.setdefault("TESSERA_DEVICE", os.environ.get("TESSERA_TEST_DEVICE", "cpu"))
os.environ.setdefault("GALLIVM_PERF", "nopt")  # the optimiser of Mesa 22.3 spoils values of llvmpipe

import tessera as ts  # noqa: E402


@pytest.fixture(autouse=True)
def seed():
    ts.random.seed(1)


def pytest_report_header():
    return f"tessera on {ts.current_device()!r}, from {os.path.dirname(ts.__file__)}"
