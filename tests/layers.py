#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails when a file of src/<unit> includes a unit that <unit> may not use.

usage: layers.py SRC "base: arch:base toolchain:arch"   (direct arrows; they are followed)
"""
import pathlib
import re
import sys


def read_arrows(words):
    """What each unit uses directly. CMake joins the list with blanks: a word with a colon starts a unit, others add to it."""
    direct, unit = {}, None
    for word in words.split():
        if ":" in word:
            unit, first = word.split(":", 1)
            direct[unit] = [first] if first else []
        else:
            direct[unit].append(word)
    return direct


def main() -> int:
    source = pathlib.Path(sys.argv[1])
    direct = read_arrows(sys.argv[2])

    def reachable(name):
        seen = {name}
        for used in direct[name]:
            seen |= reachable(used)
        return seen

    wrong = []
    checked = 0
    for name in direct:
        allowed = reachable(name)
        for path in sorted((source / name).rglob("*")):
            if path.suffix not in (".h", ".cpp"):
                continue
            checked += 1
            for number, line in enumerate(path.read_text().splitlines(), 1):
                match = re.match(r'\s*#\s*include\s+"([^/"]+)/', line)
                if match and match[1] in direct and match[1] not in allowed:
                    wrong.append(f"{path}:{number}: {name} may not use {match[1]}")
                elif match and match[1] == "cli":
                    wrong.append(f"{path}:{number}: nothing may use cli")
    print("\n".join(wrong) or f"{checked} files follow the arrows")
    return 1 if wrong or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
