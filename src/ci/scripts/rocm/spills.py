#!/usr/bin/env python3
"""Fails when more kernels than SPILL_LIMIT (0) spill vector registers to memory, or when there is no kernel.

usage: spills.py FILE…
A FILE is the JSON of `hipwright inspect --json`, or a build log with the compiler's remarks
(-Rpass-analysis=kernel-resource-usage).
"""
import json
import os
import re
import sys

COLUMNS = ("target", "kernel", "VGPRs", "LDS", "scratch", "spills")
REMARKS = {"VGPRs": "VGPRs", "LDS Size [bytes/block]": "LDS", "ScratchSize [bytes/lane]": "scratch", "VGPRs Spill": "spills"}


def from_inspection(text):
    for file in json.loads(text)["files"]:
        for image in file.get("images", []):
            for kernel in image.get("kernels", []):
                yield {
                    "target": kernel["target"], "kernel": kernel["name"], "VGPRs": kernel["vgprs"],
                    "LDS": kernel["lds_bytes"], "scratch": kernel["scratch_bytes"], "spills": kernel["vgpr_spills"],
                }


def from_remarks(text):
    """Each kernel's remarks begin with its name."""
    kernel = None
    for match in re.finditer(r"remark: .*?\s*(Function Name|[A-Z][\w \[\]/]*): (\S+)", text):
        name, value = match[1].strip(), match[2]
        if name == "Function Name":
            if kernel:
                yield kernel
            kernel = {"target": os.environ.get("GFX", ""), "kernel": value, "VGPRs": 0, "LDS": 0, "scratch": 0, "spills": 0}
        elif kernel and name in REMARKS and value.isdigit():
            kernel[REMARKS[name]] = int(value)
    if kernel:
        yield kernel


def main(paths):
    if not paths:
        sys.exit(__doc__)
    kernels = []
    for path in paths:
        with open(path, errors="replace") as file:
            text = file.read()
        kernels += from_inspection(text) if path.endswith(".json") else from_remarks(text)
    spilling = [kernel for kernel in kernels if kernel["spills"] > 0]
    for kernel in spilling:
        print(f"{kernel['target']} {kernel['kernel']}: {kernel['spills']} VGPRs spill")
    print(f"{len(kernels)} kernels, {len(spilling)} with spilled registers")
    if summary := os.environ.get("GITHUB_STEP_SUMMARY"):
        with open(summary, "a") as file:
            print("| " + " | ".join(COLUMNS) + " |\n" + "| --- " * len(COLUMNS) + "|", file=file)
            for kernel in kernels:
                print("| " + " | ".join(str(kernel[column]).replace("|", "\\|") for column in COLUMNS) + " |", file=file)
    if not kernels:
        sys.exit("the build contains no kernels")
    if len(spilling) > int(os.environ.get("SPILL_LIMIT") or 0):
        sys.exit("more kernels spill registers than SPILL_LIMIT allows")


main(sys.argv[1:])
