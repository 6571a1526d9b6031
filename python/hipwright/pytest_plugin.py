# SPDX-License-Identifier: MIT
"""pytest: @pytest.mark.amd("gfx942", "gfx1100") runs a test's Triton kernels on software GPUs of these targets.

The test runs once for each target, with all checks: an error that they find fails the test and names the kernel's
line; warnings are shown as pytest shows warnings.
"""

from __future__ import annotations

import os
import warnings

import pytest

_FIXTURE = "amd_target"
#: Set by hipwright.triton.record: the device is chosen, and every test runs once.
_RECORDED_DEVICE = "HIPWRIGHT_TRITON_RECORD"


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "amd(*targets): run the test's Triton kernels on software GPUs of these targets, with checks"
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    marker = metafunc.definition.get_closest_marker("amd")
    if marker is None:
        return
    if not marker.args or not all(isinstance(target, str) for target in marker.args):
        raise pytest.UsageError(f'{metafunc.definition.nodeid}: mark it with targets: @pytest.mark.amd("gfx942")')
    if _FIXTURE not in metafunc.fixturenames:
        metafunc.fixturenames.append(_FIXTURE)
    recorded = os.environ.get(_RECORDED_DEVICE)
    # One name on all devices, by which launches are compared.
    metafunc.parametrize(_FIXTURE, [recorded] if recorded else marker.args, indirect=True, ids=["amd"] if recorded else None)


@pytest.fixture
def amd_target(request: pytest.FixtureRequest):
    """The target that the test runs for: "gfx942"."""
    pytest.importorskip("triton", reason="Triton is not installed")
    from . import triton as soft_triton

    target = request.param.removeprefix("soft:")
    if _RECORDED_DEVICE in os.environ:
        yield target
        return
    with soft_triton.on("soft:" + target):
        yield target
        for finding in soft_triton.findings():
            warnings.warn(f"{finding}", stacklevel=1)
