# SPDX-License-Identifier: MIT
"""hipwright from Python: the backend, the command's results as objects, and the software GPU for Triton and tests.

    import hipwright

    for finding in hipwright.lint("src").findings:
        print(finding.path, finding.line, finding.message)

    backend = hipwright.AMDBackend()

`hipwright.triton` runs Triton kernels as AMD machine code, `hipwright.soft` is the software GPU itself,
`hipwright.compat` has the module names of the backend guide. All are imported by name; neither Triton nor torch is
needed for anything else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .commands import (
    Advice,
    Check,
    Diagnostic,
    Inspection,
    Kernel,
    LintFinding,
    LintResult,
    PortResult,
    TraceSummary,
    VerifyResult,
    compile,
    inspect,
    lint,
    port,
    trace,
    verify,
    verify_triton,
)
from .errors import (
    AMDBackendError,
    AMDConfigurationError,
    AMDDeviceError,
    AMDOptimizationError,
    CompilerMessage,
    ConfigurationProblem,
    GraphCaptureError,
    HIPCompilationError,
    MatrixCoreError,
    ROCmMemoryError,
    ROCmNotAvailableError,
)
from .tool import ToolError, executable, run

if TYPE_CHECKING:
    from ._core import (
        AMDArchitecture,
        AMDBackend,
        AMDConfig,
        AMDMemoryManager,
        Device,
        DeviceBuffer,
        HIPUtilities,
        NVIDIABackend,
        PinnedBuffer,
        Preset,
        ROCmCompiler,
        Stream,
        list_devices,
    )

#: Of the C++ library, which is loaded when one of them is first used.
_NATIVE = (
    "AMDArchitecture",
    "AMDBackend",
    "AMDConfig",
    "AMDMemoryManager",
    "Device",
    "DeviceBuffer",
    "HIPUtilities",
    "NVIDIABackend",
    "PinnedBuffer",
    "Preset",
    "ROCmCompiler",
    "Stream",
    "list_devices",
)

__all__ = [
    "AMDBackendError",
    "AMDConfigurationError",
    "AMDDeviceError",
    "AMDOptimizationError",
    "Advice",
    "Check",
    "CompilerMessage",
    "ConfigurationProblem",
    "Diagnostic",
    "GraphCaptureError",
    "HIPCompilationError",
    "Inspection",
    "Kernel",
    "LintFinding",
    "LintResult",
    "MatrixCoreError",
    "PortResult",
    "ROCmMemoryError",
    "ROCmNotAvailableError",
    "ToolError",
    "TraceSummary",
    "VerifyResult",
    "compile",
    "executable",
    "inspect",
    "lint",
    "port",
    "run",
    "trace",
    "verify",
    "verify_triton",
    *_NATIVE,
]


def __getattr__(name: str) -> object:
    if name not in _NATIVE:
        raise AttributeError(f"module 'hipwright' has no attribute '{name}'")
    try:
        from . import _core
    except ImportError as error:
        raise ImportError(
            f"hipwright.{name} needs the compiled module, which this installation lacks ({error}). "
            "Install the package with pip, or run `pip install .` in a clone."
        ) from None
    try:
        _core.set_home(executable().resolve().parents[1])
    except ToolError:
        pass  # devices that need its files say so
    globals().update({each: getattr(_core, each) for each in _NATIVE})
    return globals()[name]


def __dir__() -> list[str]:
    return sorted({*globals(), *_NATIVE})
