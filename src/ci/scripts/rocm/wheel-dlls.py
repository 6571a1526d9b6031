#!/usr/bin/env python3
"""Fails unless each Windows wheel has extension modules and brings the HIP runtime that they need.

usage: wheel-dlls.py WHEEL…
"""
import re
import sys
import zipfile

RUNTIME = re.compile(rb"\b(amdhip64(?:_\d+)?)\.dll\b", re.I)


def problems_of(path):
    with zipfile.ZipFile(path) as wheel:
        names = wheel.namelist()
        modules = [name for name in names if name.lower().endswith(".pyd")]
        needed = {match[1].lower().decode() for name in modules for match in RUNTIME.finditer(wheel.read(name))}
    brought = {match[1].lower() for name in names if (match := re.search(r"(amdhip64(?:_\d+)?)\b[^/]*\.dll$", name, re.I))}
    print(f"{path}: {len(modules)} extension modules, HIP runtime needed: {sorted(needed)}, bundled: {sorted(brought)}")
    if not modules:
        yield "contains no extension module"
    # delvewheel renames what it bundles, and the references to it: amdhip64_7-0123….dll
    for name in sorted(needed):
        if not any(each.startswith(name) for each in brought):
            yield f"needs {name}.dll and does not bring it"


def main(paths):
    if not paths:
        sys.exit(__doc__)
    failed = False
    for path in paths:
        for problem in problems_of(path):
            print(f"::error::{path} {problem}")
            failed = True
    sys.exit(failed)


main(sys.argv[1:])
