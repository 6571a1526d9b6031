#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The table of docs/lint-fixes.md, from the programs of this folder: table.py HIPWRIGHT [--check PAGE | --update PAGE]"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

WHERE = {"nowhere": "nowhere", "python": "with Python", "with-one-gpu": "with one GPU", "cuda": "CUDA"}


def header(text, key):
    return re.search(rf"^(?://|#) {key}: (.*)$", text, re.M)[1]


def fixes_of(tool, program, rule):
    """Descriptions of the fixes that the linter offers in a program."""
    with tempfile.TemporaryDirectory() as folder:
        name = "pyproject.toml" if program.suffix == ".toml" else program.name
        shutil.copy(program, f"{folder}/{name}")
        shutil.copy(program.parent / "run.h", folder)
        run = subprocess.run([tool, "lint", "--no-config", "--select", rule, "--format", "json", name], cwd=folder,
                             capture_output=True, text=True)
        found = json.loads(run.stdout)["findings"]
    return sorted({each["fix"]["description"] for each in found if "fix" in each})


def main():
    tool, folder = sys.argv[1], pathlib.Path(__file__).parent
    rows = ["| rule | fix | kind | program | right before the fix | right after it |", "| --- | --- | --- | --- | --- | --- |"]
    for program in sorted(folder.glob("HW*")):
        text = program.read_text()
        rule, kind = header(text, "fix").split()
        offered = "; ".join(fixes_of(tool, program, rule)) or "none offered: it would be wrong here"
        where = header(text, "right").split()
        before = ", ".join(WHERE.get(each, each) for each in where)
        after = "gfx942, gfx1100" if program.suffix == ".cu" else "with Python"
        rows.append(f"| {rule} | {offered} | {kind} | {program.name} | {before} | {after} |")
    table = "\n".join(rows) + "\n"
    if len(sys.argv) < 4:
        return print(table, end="")
    page = pathlib.Path(sys.argv[3])
    begin, end = "<!-- table: tests/lint/fixes/table.py -->\n", "<!-- end -->\n"
    old = page.read_text()
    new = old[:old.index(begin) + len(begin)] + table + old[old.index(end):]
    if sys.argv[2] == "--update":
        page.write_text(new)
    elif old != new:
        sys.exit(f"{page} is not what the programs say; run: tests/lint/fixes/table.py HIPWRIGHT --update {page}")


main()
