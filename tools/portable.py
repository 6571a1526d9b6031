#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a tree of programs and libraries needs of the system that it runs on.

    tools/portable.py TREE

prints the newest glibc that a file of the tree needs ("2.35"). A file that looks for libraries outside the tree, or
needs one that is neither in it nor glibc's, is an error.
"""
import pathlib
import re
import subprocess
import sys

GLIBC = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libresolv.so.2", "ld-linux-x86-64.so.2"}
MINIMUM_FILES = 20  # fewer, and this is no staged tree


def elf_files(tree):
    for path in sorted(tree.rglob("*")):
        if not path.is_symlink() and path.is_file() and path.suffix != ".o":
            with open(path, "rb") as file:
                if file.read(4) == b"\x7fELF":
                    yield path


def main(tree):
    wrong, count, newest = [], 0, (2, 0)
    for path in elf_files(tree):
        count += 1
        dynamic = subprocess.run(["readelf", "-dVW", path], capture_output=True, text=True, check=True).stdout
        folders = [pathlib.Path(folder.replace("$ORIGIN", str(path.parent)))
                   for paths in re.findall(r"(?:runpath|rpath): \[(.*?)\]", dynamic) for folder in paths.split(":")]
        if any(not folder.resolve().is_relative_to(tree.resolve()) for folder in folders):
            wrong.append(f"{path}: looks for libraries in {', '.join(map(str, folders))}")
        for library in re.findall(r"\(NEEDED\).*\[(.*?)\]", dynamic):
            if library not in GLIBC and not any((folder / library).exists() for folder in folders):
                wrong.append(f"{path}: needs {library}")
        versions = re.findall(r"GLIBC_(\d+(?:\.\d+)+)", dynamic)
        newest = max([newest, *(tuple(map(int, version.split("."))) for version in versions)])
    if count < MINIMUM_FILES:
        wrong.append(f"{tree}: only {count} ELF files")
    if wrong:
        sys.exit("\n".join(wrong))
    print(".".join(map(str, newest)))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
