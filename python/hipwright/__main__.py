# SPDX-License-Identifier: MIT
"""python -m hipwright: the command-line tool."""

import os
import sys

from .tool import ToolError, environment, executable


def main() -> int:
    try:
        tool = executable()
    except ToolError as error:
        print(f"hipwright: error: {error}", file=sys.stderr)
        return 2
    os.execve(tool, [str(tool), *sys.argv[1:]], environment())


if __name__ == "__main__":
    sys.exit(main())
