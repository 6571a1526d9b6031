#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the console blocks of the documentation and compares what they print.

usage: docs.py TOOL SOURCE_DIR PAGE…

A block is ```console with lines "$ command" and the output that follows each. Commands run in a
scratch folder that has examples/, sdk/ and tests/ of the sources, the tool in PATH and no colour.
"…" in the expected output stands for anything, also across lines. Exit codes are not compared.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


def blocks(page):
    """(line number, command, expected output) of each command of each console block."""
    found, inside = [], False
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if line.startswith("```"):
            inside = line == "```console"
        elif inside and line.startswith("$ "):
            found.append((number, line[2:], []))
        elif inside and found:
            found[-1][2].append(line)
    return [(number, command, "\n".join(lines).rstrip()) for number, command, lines in found]


def matches(expected, actual):
    pattern = ".*".join(re.escape(part) for part in expected.split("…"))
    return re.fullmatch(pattern, actual, re.DOTALL) is not None


def check(page, tool, source):
    """Complaints about one page, and how many commands ran."""
    complaints, count = [], 0
    scratch = pathlib.Path(tempfile.mkdtemp())
    try:
        (scratch / "bin").mkdir()
        (scratch / "bin" / "hipwright").symlink_to(tool)
        for name in ("examples", "sdk", "tests"):
            (scratch / name).symlink_to(source / name)
        environment = dict(os.environ, NO_COLOR="1", PATH=f"{scratch / 'bin'}:{os.environ['PATH']}")
        for name in ("ROCM_PATH", "HCC_AMDGPU_TARGET", "CLICOLOR_FORCE"):
            environment.pop(name, None)
        for number, command, expected in blocks(page):
            count += 1
            run = subprocess.run(["bash", "-c", command], cwd=scratch, env=environment, text=True,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if not matches(expected, run.stdout.rstrip()):
                complaints.append(f"{page}:{number}: $ {command}\n--- expected\n{expected}\n--- printed\n{run.stdout}")
    finally:
        shutil.rmtree(scratch)
    return complaints, count


def main():
    tool, source = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    failed = total = 0
    for page in map(pathlib.Path, sys.argv[3:]):
        complaints, count = check(page, tool, source)
        total += count
        failed += len(complaints)
        print("\n".join(complaints), end="\n" if complaints else "")
    print(f"{total} commands, {failed} differ")
    return 1 if failed or not total else 0


sys.exit(main())
