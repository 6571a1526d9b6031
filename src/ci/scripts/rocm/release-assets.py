#!/usr/bin/env python3
"""Fails unless every asset of a release exists.

usage: release-assets.py DIRECTORY PATTERN…
Each PATTERN must match a file that is not empty; a file that no pattern matches is an error, too.
"""
import fnmatch
import hashlib
import pathlib
import sys


def main(directory, patterns):
    files = sorted(path for path in pathlib.Path(directory).rglob("*") if path.is_file() and path.name != "SHA256SUMS")
    problems = [f"{path} is empty" for path in files if path.stat().st_size == 0]
    for pattern in patterns:
        if not any(fnmatch.fnmatch(path.name, pattern) for path in files):
            problems.append(f"no file matches {pattern}")
    for path in files:
        if not any(fnmatch.fnmatch(path.name, pattern) for pattern in patterns):
            problems.append(f"{path} was not expected")
    names = [path.name for path in files]
    problems += [f"two assets are named {name}" for name in sorted(set(names)) if names.count(name) > 1]
    for problem in problems:
        print(f"::error::{problem}")
    with open(pathlib.Path(directory) / "SHA256SUMS", "w") as sums:
        for path in files:
            print(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}", file=sums)
            print(f"{path.stat().st_size:>12} {path.name}")
    sys.exit(1 if problems else 0)


if len(sys.argv) < 3:
    sys.exit(__doc__)
main(sys.argv[1], sys.argv[2:])
