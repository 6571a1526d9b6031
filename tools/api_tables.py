#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes src/port/api/tables/*.txt from headers.

  api_tables.py --cuda /usr/local/cuda/include --release 5.0=DIR --release 6.4=DIR … [--library blas …]

DIR holds the public headers of one ROCm release, one folder per component (hip, hipamd, hipblas, hipsparse,
hipsolver, hiprand, rocrand, hipfft, hipblaslt, miopen, rccl, roctracer, rocprofiler; "bindings": machine-made
declarations of the host API). A name's date is the first release whose headers have it. The SDK of this tree
counts as 6.4. Names that come from macros or from the compiler's own headers (device functions) are asked from
`hipwright cc`, which must be built (--hipwright).

The files in tables/by_hand are not written, but read: their names are left out here, and with --fix-dates
their dates are set right."""
import argparse
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

from api_headers import aliases_of, bound_names, names_of, read, tokens_of
from api_cub import write_cub
from api_libraries import LIBRARIES, PARTS, parts_of

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLES = ROOT / "src/port/api/tables"
KINDS = ["function", "type", "enumerator", "macro", "device", "namespace", "header"]
DEVICE_LIBRARIES = {"device", "texture", "half", "complex"}


SDK_RELEASE = "6.4"


def in_release(dates, release):
    since, _, until = dates.partition("-")
    return version(since or "0") <= version(release) and (not until or version(release) < version(until))


def version(text):
    return tuple(int(part) for part in text.split("."))


class Hip:
    """What the releases declare: tokens for dates, kinds to keep functions and constants apart."""

    def __init__(self, releases):
        self.releases = sorted(releases.items(), key=lambda item: version(item[0]))
        self.tokens = collections.defaultdict(dict)  # part → release → names
        self.kinds = {}  # name → kinds
        for release, folder in self.releases:
            for part in sorted(pathlib.Path(folder).iterdir()):
                self.add(part.name, release, part)
        self.add("sdk", SDK_RELEASE, ROOT / "sdk/include")

    def add(self, part, release, folder):
        found = set()
        for path in folder.rglob("*") if folder.is_dir() else []:
            if not re.search(r"\.(h|hpp|h\.in|inc)$", path.name) or "nvidia" in str(path) or "nvcc" in path.name:
                continue
            text = read(path)
            found |= tokens_of(text)
            for name, kind in (bound_names(text) if part == "bindings" else names_of(text)).items():
                self.kinds.setdefault(name, set()).add(kind)
        self.tokens[part][release] = found

    def present(self, parts, name):
        """The releases that have the name, out of those that have any of the parts."""
        known, having = [], []
        for release, _ in self.releases:
            seen = [part for part in parts if release in self.tokens[part]]
            # Bindings know the host API only: silent about what they never had.
            judges = [part for part in seen if part != "bindings"] or \
                [part for part in seen if any(name in names for names in self.tokens[part].values())]
            if not judges:
                continue
            known.append(release)
            if any(name in self.tokens[part][release] for part in seen):
                having.append(release)
        return known, having

    def dates(self, parts, name):
        """("", "5.2" or "5.1-7.0"), or None when no release has the name."""
        known, having = self.present(parts, name)
        if not having:
            return None
        since = having[0] if having[0] != known[0] or version(known[0]) > (5, 1) else ""
        gone = known[known.index(having[-1]) + 1:]
        if gone:
            return f"{since or '5.0'}-{gone[0]}"
        return since

    def lowered(self, parts):
        result = {}
        for part in parts:
            for names in self.tokens[part].values():
                for name in names:
                    if name in self.kinds:
                        result.setdefault(parts_of(name), set()).add(name)
        return result


def fits(cuda_kind, hip_kinds):
    """May a name of this kind become one of those? Constants are enumerators here and macros there."""
    if not hip_kinds:
        return False
    constant = {"enumerator", "macro"}
    if cuda_kind in constant:
        return bool(constant & hip_kinds)
    if cuda_kind in ("function", "device"):
        return bool({"function", "macro"} & hip_kinds)
    return bool({"type", "macro"} & hip_kinds)


def probe(hipwright, names, compat):
    """Which of the names HIP code can use: the compiler is asked with one using-declaration each."""
    headers = ["hip_runtime", "hip_fp16", "hip_bf16", "hip_fp8", "hip_complex", "hip_cooperative_groups",
               "hip_math_constants", "hiprtc", "hip_gl_interop"]
    names = sorted(names)
    lines = [f"#include <hip/{header}.h>" for header in headers]
    if compat:
        lines = [f'#include "{ROOT}/sdk/compat/compat.h"'] + lines
    first = len(lines)
    for name in names:
        lines.append(f"#ifndef {name}")
        lines.append(f"using ::{name};")
        lines.append("#endif")
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "probe.hip"
        source.write_text("\n".join(lines) + "\n")
        flags = ["-fsyntax-only", "-ferror-limit=0", "--arch", "gfx942", "-DHIP_ENABLE_WARP_SYNC_BUILTINS=1",
                 "-fno-caret-diagnostics", "--cuda-device-only"]
        result = subprocess.run([hipwright, "cc", "--sdk", "own", *flags, source], capture_output=True, text=True)
    wrong = set()
    for match in re.finditer(r"probe\.hip:(\d+):\d+: error: (.*)", result.stderr):
        index = (int(match[1]) - 1 - first) // 3
        if index < 0:
            sys.exit("the probe does not compile: " + match[0])
        wrong.add(names[index])
    if result.returncode and not wrong:
        sys.exit("the probe does not compile:\n" + result.stderr[-2000:])
    return set(names) - wrong


def table_names(path):
    names = set()
    for line in path.read_text().splitlines():
        word = line.split(" ")[0]
        if word and word[0] not in "#[ " and word not in ("library", "rule"):
            names.add(word)
    return names


def by_hand_names():
    return {name for path in sorted((TABLES / "by_hand").glob("*.txt")) for name in table_names(path)}


def cuda_names(library, include):
    names, aliases = {}, {}
    for header in library.headers:
        text = read(pathlib.Path(include) / header)
        names |= names_of(text) | {name: kind for name, kind in names.items() if kind != "macro"}
        aliases |= aliases_of(text)
    for name, old in aliases.items():
        # #define cublasSgemm cublasSgemm_v2: the old name's kind, which may itself be an alias
        for _ in range(3):
            old = aliases.get(old, old)
        if names.get(name) == "macro" and old in names:
            names[name] = names[old]
    return {name: kind for name, kind in names.items()
            if re.fullmatch(library.names, name) and not re.fullmatch(library.skip, name)}


def old_names(library, hip, names):
    """CUDA names that this toolkit no longer has and that HIP's headers still mirror."""
    result = {}
    for name in {name for release in hip.tokens[library.parts[0]].values() for name in release}:
        kinds = hip.kinds.get(name, set()) & {"function", "type"}
        for old, new in library.rules:
            if new and kinds and name.startswith(new) and old + name[len(new):] not in names:
                result[old + name[len(new):]] = min(kinds)
    return result


def fix_dates(hip):
    """Sets the dates in the tables by hand, and complains of names that no header declares."""
    for path in sorted((TABLES / "by_hand").glob("*.txt")):
        lines, library, rules, kind = [], "", [], ""
        for line in path.read_text().splitlines():
            words = line.split()
            if words[:1] == ["library"]:
                library, rules = words[1], []
            elif words[:1] == ["rule"]:
                rules.append((words[1][:-1], words[2][:-1]))
            elif line.startswith("["):
                kind = line
            elif words and line[0] not in "# " and library in PARTS and kind != "[header]" and \
                    words[-1] not in ("-", "compat"):
                line = dated(hip, PARTS[library], rules, words, path)
            lines.append(line)
        path.write_text("\n".join(lines) + "\n")


def dated(hip, parts, rules, words, path):
    given = " ".join(words)
    words = [word for word in words if not word.startswith("@")]
    if len(words) > 1:
        name = words[1]
    else:
        old, new = next(rule for rule in rules if words[0].startswith(rule[0]))
        name = new + words[0][len(old):]
    dates = hip.dates(parts, name.split("::")[-1].rstrip("*"))
    if dates is None:
        # A date by hand is kept: of what only newer releases have, whose headers were not at hand.
        if "@" not in given:
            print(f"{path.name}: no header declares {name}", file=sys.stderr)
        return given
    return " ".join(words) + (f" @{dates}" if dates else "")


class Writer:
    def __init__(self, hip, hipwright):
        self.hip, self.hipwright = hip, hipwright
        self.taken = by_hand_names()
        self.summary = []

    def choose(self, library, name, kind, lowered):
        """The first proposal that the SDK's release has; else the first that any release has."""
        found = []
        for way in library.ways(name):
            options = sorted(lowered.get(way[1:], ()), key=lambda n: (not n.startswith("hip"), n)) \
                if way.startswith("~") else [way]
            for option in options:
                known = self.hip.dates(library.parts, option)
                if known is not None and fits(kind, self.hip.kinds.get(option)):
                    found.append((option, known))
        return next((each for each in found if in_release(each[1], SDK_RELEASE)), found[0] if found else None)

    def choose_probed(self, library, name, usable, compat):
        ways = list(library.ways(name))
        for way in ways:
            if way in usable:
                known = self.hip.dates(library.parts, way)
                return way, (known if known is not None and "-" not in known else "")
        for way in ways:
            if way in compat:
                known = self.hip.dates(library.parts, way)
                return way, (known or "-") + " compat"
        return None

    def write(self, library, include):
        names = cuda_names(library, include)
        if library.keeps_old:
            names |= old_names(library, self.hip, names)
        names = {name: kind for name, kind in names.items() if name not in self.taken}
        self.taken |= set(names)
        usable = compat = set()
        if library.probe:
            ways = {way for name in names for way in library.ways(name)}
            usable = probe(self.hipwright, ways, False)
            compat = probe(self.hipwright, ways, True) - usable
        lowered = self.hip.lowered(library.parts)
        rows = collections.defaultdict(list)
        mapped = 0
        for name, kind in sorted(names.items()):
            if library.probe:
                chosen = self.choose_probed(library, name, usable, compat)
            else:
                chosen = self.choose(library, name, kind, lowered)
            if chosen is None and not re.fullmatch(library.missing, name):
                continue
            if kind == "function" and library.name in DEVICE_LIBRARIES:
                kind = "device"
            rows[kind].append(self.row(library, name, chosen))
            mapped += chosen is not None
        text = [f"# Written by tools/api_tables.py from the headers of CUDA and HIP; exceptions are in by_hand/.",
                f"library {library.name}"]
        text += [f"rule {old}* {new}*" for old, new in library.rules]
        for kind in KINDS:
            if rows[kind]:
                text += ["", f"[{kind}]", *rows[kind]]
        (TABLES / f"{library.name}.txt").write_text("\n".join(text) + "\n")
        print(f"{library.name:10} {mapped:5} of {len(names)}")

    @staticmethod
    def row(library, name, chosen):
        if chosen is None:
            return f"{name} -"
        hip, dates = chosen
        rule = next(((old, new) for old, new in library.rules if name.startswith(old)), None)
        by_rule = rule and rule[1] + name[len(rule[0]):] == hip
        return name + ("" if by_rule else " " + hip) + (f" @{dates}" if dates else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cuda", required=True, help="the toolkit's include folder")
    parser.add_argument("--release", action="append", default=[], metavar="VERSION=DIR", required=True)
    parser.add_argument("--hipwright", default=str(ROOT / "build/release/bin/hipwright"))
    parser.add_argument("--library", action="append", help="only this one")
    parser.add_argument("--fix-dates", action="store_true", help="only set the dates in tables/by_hand")
    arguments = parser.parse_args()
    hip = Hip(dict(each.split("=", 1) for each in arguments.release))
    if arguments.fix_dates:
        return fix_dates(hip)
    if not arguments.library or "cub" in arguments.library:
        write_cub(TABLES, arguments.cuda, hip, by_hand_names())
    writer = Writer(hip, arguments.hipwright)
    for library in LIBRARIES:
        if not arguments.library or library.name in arguments.library:
            writer.write(library, arguments.cuda)
        else:  # a name belongs to the first library that has it
            writer.taken |= table_names(TABLES / f"{library.name}.txt")


if __name__ == "__main__":
    main()
