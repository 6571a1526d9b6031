#!/usr/bin/env python3
"""Writes NAME=true or NAME=false to GITHUB_OUTPUT for each component: did the pull request change it?

usage: changed.py NAME=DIRECTORY…
BASE is the commit to compare with; without it (a push) everything counts as changed, as it does when a file outside all
components changed.
"""
import os
import subprocess
import sys


def changed_files(base):
    if not base:
        return None
    done = subprocess.run(["git", "diff", "--name-only", "-z", f"{base}...HEAD"], capture_output=True, text=True)
    if done.returncode != 0:
        print(f"::warning::all components are built: {done.stderr.strip()}")
        return None
    return [name for name in done.stdout.split("\0") if name]


def main(words):
    components = dict(word.split("=", 1) for word in words)
    files = changed_files(os.environ.get("BASE"))
    inside = {name: [file for file in files or [] if file.startswith(path + "/")] for name, path in components.items()}
    outside = files is None or any(not any(file in found for found in inside.values()) for file in files)
    with open(os.environ["GITHUB_OUTPUT"], "a") as output:
        for name in components:
            value = "true" if outside or inside[name] else "false"
            print(f"{name}={value}", file=output)
            print(f"{name}: {'changed' if value == 'true' else 'not changed'}")


main(sys.argv[1:])
