# SPDX-License-Identifier: MIT
"""usage: parse_powershell.py DIRECTORY: its .ps1 files and the PowerShell steps of its workflows parse (tree-sitter's grammar)."""
import pathlib
import re
import sys

import tree_sitter
import tree_sitter_powershell

parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_powershell.language()))
failed = 0


def check(name, text):
    global failed
    if parser.parse(text.encode()).root_node.has_error:
        print(f"{name}: does not parse")
        failed = 1


def steps(text):
    """The `run:` blocks of jobs whose default shell is pwsh."""
    for job in re.split(r"^(?=  [\w-]+:$)", text, flags=re.M):
        if "shell: pwsh" not in job:
            continue
        for block in re.finditer(r"^( +)run: \|.*\n((?:\1  .*\n|\n)+)", job, flags=re.M):
            yield re.sub(rf"^{block[1]}  ", "", block[2], flags=re.M)


root = pathlib.Path(sys.argv[1])
for path in root.rglob("*.ps1"):
    check(path, path.read_text())
for path in root.glob("workflows/*.yml"):
    for number, step in enumerate(steps(path.read_text())):
        check(f"{path}, PowerShell step {number + 1}", step)
sys.exit(failed)
