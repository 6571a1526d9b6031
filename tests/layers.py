#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails when an #include goes against the arrows.

usage: layers.py SRC "base: arch:base toolchain:arch"   (direct arrows; they are followed)

Two levels: units of src/ may use what the argument says; within a unit, its rooms may use what
src/<unit>/rooms.txt says:

    # comment
    ROOM…: ROOM…

A room is a folder of the unit, or the stem of a file beside the folders (`port` is port.h and
port.cpp). `.` is all files beside the folders that no line names. Neither level has cycles.
"""
import pathlib
import re
import sys

INCLUDE = re.compile(r'\s*#\s*include\s+"([^"]+)"')


def sources(folder):
    return [path for path in sorted(folder.rglob("*")) if path.suffix in (".h", ".cpp")]


def includes(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if match := INCLUDE.match(line):
            yield number, pathlib.PurePosixPath(match[1])


def reachable(name, arrows, path=()):
    if name in path:
        raise ValueError(" -> ".join(path[path.index(name):] + (name,)))
    seen = {name}
    for used in arrows[name]:
        seen |= reachable(used, arrows, path + (name,))
    return seen


class Rooms:
    """The rooms of one unit."""

    def __init__(self, unit):
        self.unit = unit
        self.arrows = {}
        self.wrong = []
        self.folders = {path.name for path in unit.iterdir() if path.is_dir() and sources(path)}
        self.table = unit / "rooms.txt"
        if self.table.exists():
            self.read()
        elif self.folders:
            self.wrong.append(f"{unit} has folders and no rooms.txt, which says what may use what")

    def read(self):
        for number, line in enumerate(self.table.read_text().splitlines(), 1):
            rooms, colon, used = line.split("#")[0].partition(":")
            if not colon:
                continue
            for room in rooms.split():
                if room in self.arrows:
                    self.wrong.append(f"{self.table}:{number}: {room} is declared twice")
                self.arrows[room] = used.split()
        self.arrows.setdefault(".", [])
        stems = {path.stem for path in sources(self.unit) if path.parent == self.unit}
        for room in self.folders - self.arrows.keys():
            self.wrong.append(f"{self.table}: {room} is a folder, and not declared")
        for room in self.arrows.keys() - self.folders - stems - {"."}:
            self.wrong.append(f"{self.table}: there is no {room} in {self.unit}")
        for room, used in self.arrows.items():
            for other in used:
                if other not in self.arrows:
                    self.wrong.append(f"{self.table}: {room} uses {other}, which is not declared")

    def room_of(self, parts):
        """`parts`: of a path below the unit."""
        if len(parts) > 1:
            return parts[0]
        stem = parts[0].rsplit(".", 1)[0]
        return stem if stem in self.arrows else "."

    def check(self):
        if self.wrong or not self.arrows:
            return self.wrong
        try:
            allowed = {room: reachable(room, self.arrows) for room in self.arrows}
        except ValueError as cycle:
            return [f"{self.table}: a cycle: {cycle}"]
        for path in sources(self.unit):
            room = self.room_of(path.relative_to(self.unit).parts)
            for number, include in includes(path):
                if include.parts[0] != self.unit.name or len(include.parts) < 2:
                    continue
                used = self.room_of(include.parts[1:])
                if used not in allowed[room]:
                    self.wrong.append(f"{path}:{number}: {room} may not use {used} ({self.table})")
        return self.wrong


def read_arrows(text):
    # CMake joins the list with blanks: a word with a colon starts a unit, others add to it.
    units = {}
    unit = None
    for word in text.split():
        if ":" in word:
            unit, first = word.split(":", 1)
            units[unit] = [first] if first else []
        else:
            units[unit].append(word)
    return units


def check_units(source, units):
    wrong = []
    for name in units:
        allowed = reachable(name, units)
        for path in sources(source / name):
            for number, include in includes(path):
                used = include.parts[0]
                if len(include.parts) < 2:
                    continue
                if used in units and used not in allowed:
                    wrong.append(f"{path}:{number}: {name} may not use {used}")
                elif used == "cli":
                    wrong.append(f"{path}:{number}: nothing may use cli")
    return wrong


def main() -> int:
    source = pathlib.Path(sys.argv[1])
    units = read_arrows(sys.argv[2])
    try:
        wrong = check_units(source, units)
    except ValueError as cycle:
        wrong = [f"a cycle of units: {cycle}"]
    for unit in sorted(path for path in source.iterdir() if path.is_dir()):
        wrong += Rooms(unit).check()
    checked = len(sources(source))
    print("\n".join(wrong) or f"{checked} files follow the arrows")
    return 1 if wrong or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
