# SPDX-License-Identifier: MIT
"""The exceptions of the runtime. All derive from AMDBackendError; the message says what was attempted, on what, what
happened and what to do, and the attributes have the parts."""

from __future__ import annotations

from typing import NamedTuple, Sequence


class CompilerMessage(NamedTuple):
    """One message of a compiler."""

    severity: str  # "error", "warning", "note"
    file: str
    line: int
    column: int
    text: str


class ConfigurationProblem(NamedTuple):
    """One invalid setting."""

    field: str
    value: str
    allowed: str
    origin: str


class AMDBackendError(RuntimeError):
    """The base of all. `code`, `code_name` and `call` are the native ones; empty or 0 if not applicable."""

    def __init__(
        self,
        message: str = "",
        *,
        code: int = 0,
        code_name: str = "",
        call: str = "",
        device: str = "",
        advice: str = "",
        device_usable: bool = True,
    ):
        super().__init__(message)
        self.code = code
        self.code_name = code_name
        self.call = call
        self.device = device
        self.advice = advice
        #: If False, every further call on this device fails in this process.
        self.device_usable = device_usable


class ROCmNotAvailableError(AMDBackendError):
    """No GPU runtime, no GPU, or an unusable one."""


class AMDDeviceError(AMDBackendError):
    """A missing device, a failed call or launch, a kernel fault."""


class GraphCaptureError(AMDDeviceError):
    """A broken stream capture; the message names the operation that broke it."""


class ROCmMemoryError(AMDBackendError):
    """A failed device allocation; the message breaks down the memory use."""


class MatrixCoreError(AMDBackendError):
    """Matrix cores cannot be used."""


class AMDOptimizationError(AMDBackendError):
    """An optimization failed."""


class HIPCompilationError(AMDBackendError):
    """A kernel does not compile. `log` is all that the compiler printed, `messages` the same, parsed."""

    def __init__(self, message: str = "", *, log: str = "", messages: Sequence[CompilerMessage] = (), **details):
        super().__init__(message, **details)
        self.log = log
        self.messages = list(messages)


class AMDConfigurationError(AMDBackendError):
    """Invalid settings: all of them, in `problems`."""

    def __init__(self, message: str = "", *, problems: Sequence[ConfigurationProblem] = (), **details):
        super().__init__(message, **details)
        self.problems = list(problems)
