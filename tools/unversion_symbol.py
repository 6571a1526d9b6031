#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Takes the version off one symbol that an ELF library needs, so that another library may provide it.

usage: unversion_symbol.py LIBRARY SYMBOL VERSION

The symbol's version becomes "any", and the entry of VERSION in the list of needed versions becomes a second one of an
older version of the same library: the dynamic linker refuses a library whose list names a version that is missing.
It is an error when another symbol needs VERSION, too.
"""
import struct
import sys

ANY = 1  # VER_NDX_GLOBAL


def string(data, at):
    return data[at:data.index(0, at)].decode()


def sections(data):
    """name -> (offset, size) of a 64-bit little-endian ELF file."""
    start, = struct.unpack_from("<Q", data, 0x28)
    width, count, names = struct.unpack_from("<HHH", data, 0x3A)
    headers = [struct.unpack_from("<IIQQQQIIQQ", data, start + i * width) for i in range(count)]
    return {string(data, headers[names][4] + header[0]): (header[4], header[5]) for header in headers}


def needed_versions(data, found):
    """(offset of the library's group, offset of the entry, version, index) of each needed version."""
    group, texts = found[".gnu.version_r"][0], found[".dynstr"][0]
    while True:
        _, count, _, first, following = struct.unpack_from("<HHIII", data, group)
        entry = group + first
        for _ in range(count):
            _, _, index, name, step = struct.unpack_from("<IHHII", data, entry)
            yield group, entry, string(data, texts + name), index
            entry += step
        if following == 0:
            return
        group += following


def main():
    path, symbol, version = sys.argv[1:]
    with open(path, "rb") as file:
        data = bytearray(file.read())
    found = sections(data)
    entries = list(needed_versions(data, found))
    group, entry, _, index = next(each for each in entries if each[2] == version)
    (symbols, size), texts, versions = found[".dynsym"], found[".dynstr"][0], found[".gnu.version"][0]
    for i in range(size // 24):
        if struct.unpack_from("<H", data, versions + 2 * i)[0] & 0x7FFF != index:
            continue
        name = string(data, texts + struct.unpack_from("<I", data, symbols + 24 * i)[0])
        if name != symbol:
            sys.exit(f"{path}: {name} needs {version}, too")
        struct.pack_into("<H", data, versions + 2 * i, ANY)
    older = next(each[1] for each in entries if each[0] == group and each[2] != version)
    data[entry:entry + 4] = data[older:older + 4]  # hash
    data[entry + 8:entry + 12] = data[older + 8:older + 12]  # name
    with open(path, "wb") as file:
        file.write(data)


main()
