# SPDX-License-Identifier: MIT
"""The module names of the backend guide, on request.

    import hipwright.compat

    hipwright.compat.install()
    from kernel_pytorch.backends.amd import AMDBackend
    from kernel_pytorch.core.config import AMDConfig

The package ships nothing of these names: they exist in this process, after install().
"""

from __future__ import annotations

import sys
from types import ModuleType

import hipwright

_ERRORS = (
    "AMDBackendError",
    "ROCmNotAvailableError",
    "AMDDeviceError",
    "HIPCompilationError",
    "ROCmMemoryError",
    "MatrixCoreError",
    "AMDOptimizationError",
    "AMDConfigurationError",
)
_CONFIG = {"AMDConfig": "AMDConfig", "AMDArchitecture": "AMDArchitecture", "KernelPyTorchConfig": "AMDConfig"}
_AMD = ("AMDBackend", "ROCmCompiler", "AMDMemoryManager", "HIPUtilities", "AMDConfig", "AMDArchitecture")

#: Module: its names, and ours.
MODULES: dict[str, dict[str, str]] = {
    "kernel_pytorch": {},
    "kernel_pytorch.core": {},
    "kernel_pytorch.core.config": _CONFIG,
    "kernel_pytorch.backends": {},
    "kernel_pytorch.backends.amd": {name: name for name in (*_AMD, *_ERRORS)},
    "kernel_pytorch.backends.amd.amd_exceptions": {name: name for name in _ERRORS},
    "kernel_pytorch.backends.nvidia": {"NVIDIABackend": "NVIDIABackend"},
}

#: Names of the guide that hipwright does not have.
MISSING = {"AMDOptimizer": "hipwright has no optimizer of PyTorch models"}


def _module(name: str, names: dict[str, str]) -> ModuleType:
    module = ModuleType(name, f"Provided by hipwright.compat: {name}.")
    for theirs, ours in names.items():
        setattr(module, theirs, getattr(hipwright, ours))
    module.__path__ = []  # type: ignore[attr-defined]  # a package: `import a.b` looks for b in sys.modules

    def missing(attribute: str) -> object:
        if attribute in MISSING:
            raise ImportError(f"cannot import name '{attribute}' from '{name}': {MISSING[attribute]}")
        raise AttributeError(f"module '{name}' has no attribute '{attribute}'")

    module.__getattr__ = missing  # type: ignore[attr-defined]
    return module


def install() -> None:
    """Provides the modules in MODULES. RuntimeError if another package already does; a second call does nothing."""
    foreign = [name for name in MODULES if name in sys.modules and not _is_ours(sys.modules[name])]
    if foreign:
        raise RuntimeError(f"module '{foreign[0]}' is already imported from elsewhere")
    for name, names in MODULES.items():
        if name in sys.modules:
            continue
        module = sys.modules[name] = _module(name, names)
        parent, _, last = name.rpartition(".")
        if parent:
            setattr(sys.modules[parent], last, module)


def _is_ours(module: ModuleType) -> bool:
    return (module.__doc__ or "").startswith("Provided by hipwright.compat")
