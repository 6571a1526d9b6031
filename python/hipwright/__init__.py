# SPDX-License-Identifier: MIT
"""hipwright from Python: the command's results as objects, and the software GPU for Triton and tests.

    import hipwright

    for finding in hipwright.lint("src").findings:
        print(finding.path, finding.line, finding.message)

`hipwright.triton` runs Triton kernels as AMD machine code, `hipwright.soft` is the software GPU itself. Both
are imported by name; neither Triton nor torch is needed for anything else.
"""

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
    trace_summary,
    verify,
)
from .tool import ToolError, executable, run

__all__ = [
    "Advice",
    "Check",
    "Diagnostic",
    "Inspection",
    "Kernel",
    "LintFinding",
    "LintResult",
    "PortResult",
    "ToolError",
    "TraceSummary",
    "VerifyResult",
    "compile",
    "executable",
    "inspect",
    "lint",
    "port",
    "run",
    "trace_summary",
    "verify",
]
