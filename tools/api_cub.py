# SPDX-License-Identifier: MIT
"""CUB's table: C++ in folders, one class or a few per header, mirrored by hipCUB file by file."""
import pathlib
import re

from api_headers import code_of, read

FOLDERS = ["block", "device", "warp", "iterator", "grid", "thread", "."]
# What the public headers declare for themselves.
INTERNAL = re.compile(r"[_a-z]|Agent|.*(Policy|Kernel|Dispatch|Impl|Internal|Base|Helper|Traits|Wrapper)|If$|Enum$|Int2Type|Cub[A-Z]|.*Storage$")


def classes_of(path):
    """Classes, structures and enumerators that a header declares outside of other classes."""
    text = re.sub(r"^[ \t]*#.*$", "", code_of(read(path)), flags=re.M)
    text = re.sub(r"namespace detail\b.*?\n\} *(?:// *namespace detail)?\n", "", text, flags=re.S)
    names = {match[1] for match in re.finditer(r"^(?:class|struct) +(?:\w+\(\d+\) *)?(\w+)", text, re.M)}
    names |= {match[1] for match in re.finditer(r"^using +(\w+) *=", text, re.M)}
    kinds = {name: "type" for name in names if not INTERNAL.match(name)}
    for match in re.finditer(r"^enum (?:class )?(\w+)?[^{;]*\{([^}]*)\}", text, re.M):
        if match[1] and not INTERNAL.match(match[1]):
            kinds[match[1]] = "type"
            kinds |= {name: "enumerator" for name in re.findall(r"\b([A-Z][A-Z0-9_]+)\b", match[2])}
    return kinds


def paths_in(folder, root):
    """Paths of hipCUB's headers, below its folder."""
    return {str(path.relative_to(base)) for base in pathlib.Path(folder).rglob(root) if base.is_dir()
            for path in base.rglob("*.hpp") if "backend" not in str(path.relative_to(base))}


def write_cub(tables, cuda, hip, taken):
    root = pathlib.Path(cuda) / "cccl/cub"
    kinds, headers = {}, []
    for folder in FOLDERS:
        for path in sorted((root / folder).glob("*.cuh")):
            headers.append(str(path.relative_to(root)))
            kinds |= classes_of(path)
    rows = {"type": [], "enumerator": []}
    for name, kind in sorted(kinds.items()):
        dates = hip.dates(["hipcub"], name)
        full = f"cub::{name}"
        if full not in taken:
            rows[kind].append(f"{full} -" if dates is None else full + (f" @{dates}" if dates else ""))
    text = ["# Written by tools/api_tables.py from the headers of CUDA and HIP; exceptions are in by_hand/.", "library cub",
            "rule cub* hipcub*"]
    for kind, lines in rows.items():
        text += ["", f"[{kind}]", *lines]
    text += ["", "[header]"]
    for header in headers:
        if "cub/" + header not in taken:
            text.append(header_row(header, hip))
    (tables / "cub.txt").write_text("\n".join(text) + "\n")
    mapped = sum(not line.endswith(" -") for lines in rows.values() for line in lines)
    print(f"cub        {mapped:5} of {len(kinds)}")


def header_row(header, hip):
    """hipCUB's header of the same name, or all of hipCUB where it has none."""
    wanted = header.removesuffix(".cuh") + ".hpp"
    known, having = [], []
    for release, folder in hip.releases:
        paths = paths_in(pathlib.Path(folder) / "hipcub", "hipcub/include/hipcub")
        if paths:
            known.append(release)
            if wanted in paths:
                having.append(release)
    if not having or having[-1] != known[-1]:
        return f"cub/{header} hipcub/hipcub.hpp"
    return f"cub/{header} hipcub/{wanted}" + ("" if having[0] == known[0] else f" @{having[0]}")
