#!/usr/bin/env python3
"""Checks, before the tests, that PyTorch sees an AMD GPU, and that what is installed fits together.

TORCH_INDEX        the index that PyTorch came from; its ROCm release must be PyTorch's
ROCM_PATH          the machine's ROCm; a different release than PyTorch's is a warning: wheels bring their own libraries
EXPECTED_FEATURES  "package.attribute=value …": what the built package must say of itself
"""
import importlib
import os
import pathlib
import re
import sys


def release(text):
    """(6, 4) of "6.4.43484-123eb5128", or None."""
    match = re.search(r"(\d+)\.(\d+)", text or "")
    return (int(match[1]), int(match[2])) if match else None


def text(value):
    return "unknown" if value is None else ".".join(map(str, value))


def problems_of_torch(torch):
    if not torch.version.hip:
        return [f"PyTorch {torch.__version__} is not a ROCm build: install it from TORCH_INDEX"]
    found = []
    built = release(torch.version.hip)
    print(f"PyTorch {torch.__version__}, HIP {torch.version.hip}")
    index = os.environ.get("TORCH_INDEX", "")
    if (match := re.search(r"rocm-?(?:rel-)?(\d+\.\d+)", index)) and release(match[1]) != built:
        found.append(f"TORCH_INDEX is for ROCm {match[1]}, but PyTorch was built for {text(built)}")
    version = pathlib.Path(os.environ.get("ROCM_PATH") or "/opt/rocm") / ".info/version"
    if version.exists() and release(version.read_text()) != built:
        print(f"::warning::the machine has ROCm {version.read_text().strip()}, PyTorch was built for {text(built)}")
    if not torch.cuda.is_available():
        found.append("PyTorch sees no GPU: run hipwright doctor on this machine; the driver must support "
                     f"ROCm {text(built)}")
        return found
    for index in range(torch.cuda.device_count()):
        gfx = getattr(torch.cuda.get_device_properties(index), "gcnArchName", "unknown")
        print(f"GPU {index}: {torch.cuda.get_device_name(index)}, {gfx}")
    # A kernel of this GPU's own target runs, not only the runtime.
    if (torch.ones(64, device="cuda") + 1).sum().item() != 128:
        found.append("an addition on the GPU gave a wrong result")
    return found


def problems_of_features():
    for word in os.environ.get("EXPECTED_FEATURES", "").split():
        name, equals, expected = word.partition("=")
        module, dot, attribute = name.rpartition(".")
        if not equals or not dot:
            yield f"EXPECTED_FEATURES: write package.attribute=value, not {word}"
            continue
        try:
            value = getattr(importlib.import_module(module), attribute)
        except (ImportError, AttributeError) as error:
            yield f"{name}: {error}"
            continue
        value = value() if callable(value) else value
        print(f"{name} = {value}")
        if str(value) != expected:
            yield f"{name} is {value}, expected {expected}"


def main():
    problems = []
    if os.environ.get("USES_TORCH") == "true":
        try:
            torch = importlib.import_module("torch")
        except ImportError as error:
            sys.exit(f"::error::PyTorch cannot be imported: {error}")
        problems += problems_of_torch(torch)
    problems += problems_of_features()
    for problem in problems:
        print(f"::error::{problem}")
    sys.exit(1 if problems else 0)


main()
