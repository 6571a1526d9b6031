#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the console blocks of the documentation: they must print, and exit with, what the pages say.

usage: docs.py [--update] TOOL SOURCE_DIR PAGE…

A block is ```console with lines "$ command" (one that ends with a backslash continues), each followed by what it prints on
standard output and standard error. "…" stands for anything, also across lines. A command exits with 0 unless the last line
of its output is "[exit N]". A block that begins with "# not run: REASON" is not run; a page with no other block is skipped
(exit code 77). Commands run in a scratch folder that has examples/, sdk/ and tests/ of the sources, the tool in PATH, the
source tree's ./hipwright (the tool itself where it is not the one that ./hipwright builds), and no colour.

--update writes what the commands print and exit with into the pages; a line with "…" stays where it still matches.
"""
import argparse
import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77


@dataclasses.dataclass
class Command:
    text: str
    begin: int  # its output is lines[begin:end] of the page
    end: int
    expected: str = ""
    code: int = 0
    update: list | None = None  # the lines that the page should have there


def read_page(lines):
    """The commands of a page, and "line: reason" for each block that is not run."""
    commands, skipped, block = [], [], None
    for index, line in enumerate(lines):
        if line.startswith("```"):
            block = "start" if block is None and line == "```console" else None
        elif block == "start" and line.startswith("# not run: "):
            block = "skipped"
            skipped.append(f"{index + 1}: {line.removeprefix('# not run: ')}")
        elif block == "start" or block == "command":
            last = commands[-1] if block == "command" else None
            if last and last.end == last.begin and last.text.endswith("\\"):
                last.text += "\n" + line
                last.begin = last.end = index + 1
            elif line.startswith("$ "):
                commands.append(Command(line[2:], index + 1, index + 1))
            elif last:
                last.end = index + 1
            block = "command" if commands else block
    for command in commands:
        output = lines[command.begin:command.end]
        if output and (mark := re.fullmatch(r"\[exit (\d+)\]", output[-1])):
            command.code = int(mark[1])
            output.pop()
        command.expected = "\n".join(output).rstrip()
    return commands, skipped


def matches(expected, actual):
    pattern = ".*".join(re.escape(part) for part in expected.split("…"))
    return re.fullmatch(pattern, actual, re.DOTALL) is not None


def merged(expected, actual):
    """The lines of `actual`, but lines of `expected` with "…" where they match in order; the fewest lines change."""
    best = {(len(expected), len(actual)): (0, [])}  # (i, j): changes and lines for expected[i:] and actual[j:]

    def consider(here, there, cost, lines):
        changes, rest = best[there]
        if here not in best or changes + cost < best[here][0]:
            best[here] = (changes + cost, lines + rest)

    for i in range(len(expected), -1, -1):
        for j in range(len(actual), -1, -1):
            for k in range(j, len(actual) + 1 if i < len(expected) and "…" in expected[i] else j):
                if matches(expected[i], "\n".join(actual[j:k])) and (k > j or expected[i] == "…"):
                    consider((i, j), (i + 1, k), 0, [expected[i]])
            if i < len(expected) and j < len(actual):
                same = expected[i] == actual[j]
                consider((i, j), (i + 1, j + 1), 0 if same else 1, [actual[j]])
            if i < len(expected):
                consider((i, j), (i + 1, j), 1, [])
            if j < len(actual):
                consider((i, j), (i, j + 1), 1, [actual[j]])
    return best[0, 0][1]


def updated(command, printed, code):
    """The lines that the page should have for this command."""
    if not matches(command.expected, printed):
        printed = "\n".join(merged(command.expected.splitlines(), printed.splitlines()))
    else:
        printed = command.expected
    return printed.splitlines() + ([f"[exit {code}]"] if code else [])


class Scratch:
    """A folder to run commands in."""

    def __init__(self, tool, source):
        self.folder, self.source = pathlib.Path(tempfile.mkdtemp()).resolve(), source
        (self.folder / "bin").mkdir()
        (self.folder / "bin" / "hipwright").symlink_to(tool)
        wrapped = tool == (source / "build/release/bin/hipwright").resolve()
        (self.folder / "hipwright").symlink_to(source / "hipwright" if wrapped else tool)
        for name in ("examples", "sdk", "tests"):
            (self.folder / name).symlink_to(source / name)
        self.environment = dict(os.environ, NO_COLOR="1", PATH=f"{self.folder / 'bin'}:{os.environ['PATH']}")
        for name in ("ROCM_PATH", "HCC_AMDGPU_TARGET", "CLICOLOR_FORCE"):
            self.environment.pop(name, None)

    def run(self, command):
        """What it prints, and its exit code."""
        run = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment, text=True,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return run.stdout.rstrip(), run.returncode

    def without_paths(self, text):
        return text.replace(str(self.folder), "…").replace(str(self.source), "…")


def check(page, tool, source, update=False):
    """Complaints about one page, how many of its commands ran, and which blocks were not run."""
    lines = page.read_text().splitlines()
    commands, skipped = read_page(lines)
    complaints, scratch = [], Scratch(tool, source)
    try:
        for command in commands:
            printed, code = scratch.run(command.text)
            if matches(command.expected, printed) and code == command.code:
                continue
            complaints.append(f"{page}:{command.begin}: $ {command.text}\n--- expected, exit code {command.code}\n"
                              f"{command.expected}\n--- printed, exit code {code}\n{printed}")
            command.update = updated(command, scratch.without_paths(printed), code)
    finally:
        shutil.rmtree(scratch.folder)
    if update and complaints:
        for command in reversed(commands):
            if command.update is not None:
                lines[command.begin:command.end] = command.update
        page.write_text("\n".join(lines) + "\n")
    return complaints, len(commands), skipped


def main():
    parser = argparse.ArgumentParser(description="Run the console blocks of documentation pages.")
    parser.add_argument("--update", action="store_true", help="write what the commands print into the pages")
    parser.add_argument("tool", type=pathlib.Path)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("page", type=pathlib.Path, nargs="+")
    options = parser.parse_args()
    failed = total = 0
    reasons = []
    for page in options.page:
        complaints, count, skipped = check(page, options.tool.resolve(), options.source.resolve(), options.update)
        total += count
        failed += len(complaints)
        reasons += [f"{page.name}:{block}" for block in skipped]
        print("".join(complaint + "\n" for complaint in complaints), end="")
    print("".join(f"{'skipped' if total else 'not run'}: {reason}\n" for reason in reasons), end="")
    print(f"{total} commands, {failed} differ" + (", updated" if options.update and failed else ""))
    if not total:
        return SKIPPED if reasons else 1
    return 1 if failed and not options.update else 0


if __name__ == "__main__":
    sys.exit(main())
