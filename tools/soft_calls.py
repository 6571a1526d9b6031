#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""soft_calls.py [--check] LIBRARY ROOT: lists the HIP calls that the software GPU does not provide.

The library's weak symbols are the stubs that the build makes for exported names without a function;
src/soft/hip/refused.cpp has those that look at their arguments and refuse. Both make
docs/soft-unsupported-calls.md, which --check compares instead of writing it."""
import pathlib
import re
import subprocess
import sys

# The first that matches says why. A call that none matches is one that nobody has written yet.
REASONS = [
    (r"Mipmap|MipMap", "mipmapped arrays: ROCm has none on Linux either"),
    (r"BorderColor|1DLinearMaxWidth", "ROCm has no value to give or take"),
    (r"ExternalSemaphore", "semaphores of other graphics interfaces"),
    (r"hipGL|hipGraphics", "OpenGL and Vulkan resources"),
    (r"^hipLink", "linking of device code at run time"),
    (r"MultiDevice", "one kernel on several devices at once"),
    (r"^hipMemMapArrayAsync$", "sparse arrays"),
]
OTHERS = "not written yet"
# Newer than the release that the SDK declares: programs built with ROCm 7 find the name and a refusal.
NEWER = "added by ROCm 7"


def exported(root, file):
    return set(re.findall(r"^\s+(\w+);", (root / file).read_text(), re.M))


def weak_symbols(library):
    lines = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    found = {}
    for line in lines.splitlines():
        _, kind, name = line.split()
        found[name.split("@")[0]] = kind
    return {name for name, kind in found.items() if kind in "WwVv"}


def refused(root):
    return set(re.findall(r"^hipError_t (\w+)\(", (root / "src/soft/hip/refused.cpp").read_text(), re.M))


def page(root, library):
    newer = exported(root, "sdk/lib/amdhip64-7.map")
    names = exported(root, "sdk/lib/amdhip64.map") | newer
    missing = names & (weak_symbols(library) | refused(root))
    groups = {}
    for name in sorted(missing):
        reason = next((text for pattern, text in REASONS if re.search(pattern, name)),
                      NEWER if name in newer else OTHERS)
        groups.setdefault(reason, []).append(name)
    rows = [f"| {reason} | {len(group)} | {' '.join(f'`{name}`' for name in group)} |"
            for reason, group in sorted(groups.items(), key=lambda item: (item[0] == OTHERS, -len(item[1])))]
    return "\n".join([
        "# HIP calls that the software GPU does not provide", "",
        f"Of the {len(names)} functions that ROCm's `libamdhip64.so` exports (5 to 7), {len(missing)} are refused: "
        "the first use of one prints a message, and the call",
        "returns `hipErrorNotSupported`, or the code for a wrong argument. `tools/soft_calls.py` makes this list from the built library; a test compares it.",
        "", "| why | calls | names |", "| --- | --- | --- |", *rows, ""])


def main():
    check = sys.argv[1] == "--check"
    library, root = sys.argv[1 + check], pathlib.Path(sys.argv[2 + check])
    file = root / "docs/soft-unsupported-calls.md"
    text = page(root, library)
    if not check:
        file.write_text(text)
    elif not file.exists() or file.read_text() != text:
        sys.exit(f"{file} is not what the library says: run tools/soft_calls.py {library} {root}")


main()
