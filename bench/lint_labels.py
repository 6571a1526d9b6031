#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Precision and recall of `hipwright lint` on labelled places (tests/lint/labels).

usage: lint_labels.py HIPWRIGHT LABELS CLONES [--missed] [--wrong] [--near N]

CLONES has a git directory OWNER+NAME or OWNER+NAME/repo for each repository; repositories that are missing are named and
left out. The whole tree at the labelled commit is linted, as `hipwright lint` in a checkout would do it. A place counts as
found if a finding begins within N lines of it (default: 1).
"""
import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

CONFIDENCES = ["high", "medium", "low"]
LARGEST = 2_000_000
TEXT = (".py .cu .cuh .h .H .hpp .cpp .cc .c .hip .cmake .txt .toml .in .cfg .inl .inc .hh .cxx .hxx .mk .json").split()


def export(git, commit, folder):
    """The texts of a commit; files that a partial clone lacks are left out."""
    listing = subprocess.run([*git, "ls-tree", "-r", "-l", "-z", commit], capture_output=True, check=True).stdout
    wanted = []
    for line in listing.decode(errors="replace").split("\0"):
        if not line:
            continue
        (mode, kind, name, size), path = line.split("\t", 1)[0].split(), line.split("\t", 1)[1]
        is_text = pathlib.Path(path).suffix in TEXT or pathlib.Path(path).name in ("Makefile", ".gitignore")
        if kind == "blob" and mode != "120000" and size.isdigit() and int(size) < LARGEST and is_text:
            wanted.append((name, path))
    with tempfile.TemporaryFile() as names:
        names.write("".join(name + "\n" for name, _ in wanted).encode())
        names.seek(0)
        cat = subprocess.Popen([*git, "cat-file", "--batch"], stdin=names, stdout=subprocess.PIPE)
        for _, path in wanted:
            head = cat.stdout.readline().split()
            if head[1:2] != [b"blob"]:
                continue
            content = cat.stdout.read(int(head[2]) + 1)[:-1]
            file = pathlib.Path(folder, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        cat.wait()


def findings(tool, folder):
    run = subprocess.run([tool, "lint", "--no-config", "--no-gitignore", "--format", "json"], cwd=folder, capture_output=True)
    if run.returncode not in (0, 1):
        sys.exit(f"{tool} failed with exit code {run.returncode}: {run.stderr.decode()}")
    return json.loads(run.stdout)["findings"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool", type=os.path.abspath)
    parser.add_argument("labels", type=pathlib.Path)
    parser.add_argument("clones", type=pathlib.Path)
    parser.add_argument("--missed", action="store_true", help="list the bugs that were not found")
    parser.add_argument("--wrong", action="store_true", help="list the findings at look-alikes")
    parser.add_argument("--near", type=int, default=1)
    arguments = parser.parse_args()

    trees = collections.defaultdict(list)
    for line in arguments.labels.read_text().splitlines():
        if line and not line.startswith("#"):
            repository, commit, path, number, label, kind = line.split("\t")
            if label != "corrected":
                trees[repository, commit].append((path, int(number), label, kind))

    results = []  # label, class, confidence or None
    for (repository, commit), labels in sorted(trees.items()):
        folder = arguments.clones / repository.replace("/", "+")
        git = ["git", f"--git-dir={folder / 'repo' if (folder / 'repo').exists() else folder}"]
        if not folder.exists():
            print(f"not run: {repository} is not in {arguments.clones}")
            continue
        with tempfile.TemporaryDirectory() as tree:
            export(git, commit, tree)
            found = collections.defaultdict(list)
            for each in findings(arguments.tool, tree):
                found[each["path"]].append(each)
        for path, number, label, kind in labels:
            near = [each for each in found[path]
                    if each["line"] - arguments.near <= number <= each["end_line"] + arguments.near]
            if label == "ok":  # a real bug beside it is no mistake about it
                near = [each for each in near if each["line"] <= number <= each["end_line"]]
            best = min(near, key=lambda each: CONFIDENCES.index(each["confidence"]), default=None)
            results.append((label, kind, best and best["confidence"]))
            place = f"{repository}@{commit} {path}:{number} {kind}"
            if arguments.missed and label == "bug" and not best:
                print(f"missed: {place}")
            if arguments.wrong and label == "ok" and best:
                print(f"wrong: {place}: {best['code']} {best['confidence']}")

    bugs = sum(label == "bug" for label, _, _ in results)
    print(f"{bugs} bugs, {len(results) - bugs} look-alikes")
    for last, name in enumerate(("high", "high and medium", "all")):
        counted = CONFIDENCES[:last + 1]
        true = sum(label == "bug" and confidence in counted for label, _, confidence in results)
        false = sum(label == "ok" and confidence in counted for label, _, confidence in results)
        precision = f"{true / (true + false):.2f}" if true + false else "-"
        print(f"{name}: precision {precision}, recall {true / max(bugs, 1):.2f} ({true} found, {false} wrong)")
    for kind in sorted({kind for label, kind, _ in results if label == "bug"}):
        of_kind = [confidence for label, each, confidence in results if label == "bug" and each == kind]
        print(f"  {kind}: {sum(c is not None for c in of_kind)} of {len(of_kind)}")


main()
