#!/usr/bin/env python3
"""Makes ctest run the tests of a build tree that was made in another directory.

usage: relocate-tests.py BUILD_DIRECTORY
CMake writes absolute paths into CTestTestfile.cmake; runners check out to different places.
"""
import pathlib
import re
import sys


def main(build):
    here = pathlib.Path(build).resolve()
    cache = (here / "CMakeCache.txt").read_text(errors="replace")
    there = {}
    for name, path in re.findall(r"^(CMAKE_HOME_DIRECTORY|CMAKE_CACHEFILE_DIR):INTERNAL=(.*)$", cache, re.M):
        there[name] = path.strip()
    # The build tree first: it may stand inside the source tree.
    moves = [(there["CMAKE_CACHEFILE_DIR"], here.as_posix()), (there["CMAKE_HOME_DIRECTORY"], pathlib.Path.cwd().as_posix())]
    changed = 0
    for file in sorted([*here.rglob("CTestTestfile.cmake"), *here.rglob("*_tests*.cmake")]):
        before = after = file.read_text(errors="surrogateescape")
        for old, new in moves:
            after = re.sub(re.escape(old) + r'(?=[/"\s;)]|$)', lambda _: new, after)
        if after != before:
            file.write_text(after, errors="surrogateescape")
            changed += 1
    print(f"{changed} files of {build} now name this directory")


if len(sys.argv) != 2:
    sys.exit(__doc__)
main(sys.argv[1])
