# SPDX-License-Identifier: MIT
"""Finds and runs the command-line tool."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Sequence

_PACKAGE = Path(__file__).resolve().parent
#: Names another executable.
VARIABLE = "HIPWRIGHT_EXECUTABLE"

#: Exit codes of the tool: docs/exit-codes.md.
OK, NEGATIVE, NOT_COMPLETED, NOT_CHECKED = 0, 1, 2, 3


class ToolError(RuntimeError):
    """The tool could not do what was asked for. `code` is its exit code, if it ran."""

    def __init__(self, message: str, code: int | None = None):
        super().__init__(message)
        self.code = code


def executable() -> Path:
    """The tool: $HIPWRIGHT_EXECUTABLE; of this package; of the clone this package is in; on PATH."""
    if chosen := os.environ.get(VARIABLE):
        if not os.access(chosen, os.X_OK):
            raise ToolError(f"{VARIABLE} names '{chosen}', which is not an executable file")
        return Path(chosen)
    places = [_PACKAGE / "_native/bin/hipwright", _PACKAGE.parents[1] / "build/release/bin/hipwright"]
    for place in places:
        if os.access(place, os.X_OK):
            return place
    if found := shutil.which("hipwright"):
        # pip's own script would start itself.
        if b"hipwright.__main__" not in Path(found).read_bytes()[:4096]:
            return Path(found)
    raise ToolError(
        f"the hipwright executable was not found (tried {', '.join(map(str, places))} and PATH). "
        f"Build it with ./hipwright --version in a clone, or set {VARIABLE}."
    )


def environment() -> dict[str, str]:
    """For the tool: the Python that it starts is this one."""
    return {"HIPWRIGHT_PYTHON": sys.executable, **os.environ}


def run(arguments: Sequence[str | os.PathLike[str]], accepted: Sequence[int] = (OK,)) -> str:
    """Standard output of the tool. Raises ToolError, with what it said, for other exit codes."""
    command = [str(executable()), "--quiet", *(os.fspath(argument) for argument in arguments)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", check=False, env=environment())
    if done.returncode not in accepted:
        raise ToolError(done.stderr.strip() or f"exit code {done.returncode}", done.returncode)
    return done.stdout


def run_json(arguments: Sequence[str | os.PathLike[str]], accepted: Sequence[int] = (OK, NEGATIVE, NOT_CHECKED)) -> Any:
    """The same for commands that print JSON."""
    return json.loads(run(arguments, accepted))
