#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: findings.py SCRATCH VERDICT: the findings on the lines that change.diff adds, from lint.json, as drift.json.

A finding whose fix stays within lines that the change added gets a suggestion: the new text of these lines.
"""
import json
import os
import re
import sys


def changed_lines(diff):
    """{path: line numbers} of a diff without context."""
    changed, path = {}, None
    for line in diff:
        if line.startswith("+++ b/"):
            path = line[6:].rstrip("\n")
        elif match := re.match(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@", line):
            first, count = int(match[1]), int(match[2] or 1)
            changed.setdefault(path, set()).update(range(first, first + count))
    return changed


def suggestion(text, edits, allowed):
    """(first line, last line, new text of them), or None where the fix leaves the allowed lines."""
    if not edits:
        return None
    begin = min(edit["begin"] for edit in edits)
    end = max(edit["end"] for edit in edits)
    first, last = text.count(b"\n", 0, begin) + 1, text.count(b"\n", 0, max(begin, end - 1)) + 1
    if not set(range(first, last + 1)) <= allowed:
        return None
    start = text.rfind(b"\n", 0, begin) + 1
    stop = text.find(b"\n", max(begin, end - 1))
    stop = len(text) if stop < 0 else stop
    part = text[start:max(stop, end)]
    for edit in sorted(edits, key=lambda edit: edit["begin"], reverse=True):
        part = part[:edit["begin"] - start] + edit["text"].encode() + part[edit["end"] - start:]
    return first, last, part.decode(errors="replace").rstrip("\n")


def main(scratch, verdict):
    tree = os.path.join(scratch, "head.tree")
    with open(os.path.join(scratch, "change.diff"), errors="replace") as file:
        changed = changed_lines(file)
    try:
        with open(os.path.join(scratch, "lint.json")) as file:
            found = json.load(file)["findings"]
    except (OSError, ValueError, KeyError):
        found = []
    findings = []
    for finding in found:
        path = os.path.relpath(os.path.join(os.getcwd(), finding["path"]), tree)
        if finding["line"] not in changed.get(path, ()):
            continue
        kept = {"path": path, "line": finding["line"], "code": finding["code"], "message": finding["message"]}
        with open(os.path.join(tree, path), "rb") as file:
            text = file.read()
        fix = finding.get("fix")
        if fix and (replaced := suggestion(text, fix["edits"], changed[path])):
            kept["suggestion"] = {"first": replaced[0], "last": replaced[1], "text": replaced[2], "safe": fix["safe"],
                                  "description": fix["description"]}
        findings.append(kept)
    with open(os.path.join(scratch, "drift.json"), "w") as file:
        json.dump({"verdict": verdict, "findings": findings}, file, indent=2)
    for finding in findings:
        print(f"- `{finding['path']}:{finding['line']}`: {finding['message']} ({finding['code']})")


main(*sys.argv[1:])
