# SPDX-License-Identifier: MIT
"""Triton kernels as AMD machine code, on a machine without an AMD GPU.

    import hipwright.triton

    hipwright.triton.use("soft:gfx942")

From there on `@triton.jit` kernels take CPU tensors and numpy arrays, are compiled by the installed Triton for
that target, and run on the software GPU with all checks. An error that a check finds is raised where the kernel
is launched, and names the line of the kernel. Without any change to a program, HIPWRIGHT_TRITON=soft:gfx942 does
the same.
"""

from __future__ import annotations

import contextlib
from typing import Iterator

from ..soft import Finding, FindingsError, SoftError

__all__ = ["Finding", "FindingsError", "SoftError", "Work", "findings", "on", "use"]

from .work import Work


def _driver():
    try:
        import triton  # noqa: F401
    except ImportError as error:
        raise ImportError(f"hipwright.triton needs the Python package triton, which is not installed ({error})") from None
    from . import driver

    return driver


def use(device: str = "soft:gfx942", check: bool | str = True) -> None:
    """Makes a software GPU the device of Triton. `check`: True, False, or names as `hipwright run --check` takes."""
    _driver().activate(device, check)


@contextlib.contextmanager
def on(device: str, check: bool | str = True) -> Iterator[None]:
    """The same for a block; afterwards the device is the one before."""
    driver = _driver()
    before = driver.active()
    driver.activate(device, check)
    try:
        yield
    finally:
        driver.restore(before)


def findings() -> list[Finding]:
    """Warnings of the checks since the last call; errors are raised."""
    return _driver().take_warnings()
