#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How often `hipwright perf` catches a planted slowdown, and how often it raises a false alarm.

usage: perf_gate.py TOOL [--tries N] [--percent P] [--milliseconds M] [--only planted|same] [-- OPTIONS of perf run]

A program that computes for about M milliseconds is compared with one that does P percent more of the same (planted) and with
itself (same), N times each, with the tool as users run it. Prints the verdicts, and the machine with its load.
"""
import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

PROGRAM = """
#include <stdlib.h>
int main(int argc, char** argv) {
  unsigned long rounds = strtoul(argv[1], 0, 10);
  volatile double sum = 0;
  for (unsigned long i = 0; i < rounds; ++i) sum = sum + 1.0 / (double)(i + 1);
  return sum < 0;
}
"""


def rounds_for(program, seconds):
    """Iterations that take about so long; the fastest of a few tries, because the machine may be busy."""
    best = min(timed(program, 4_000_000) for _ in range(5))
    return int(4_000_000 * seconds / best)


def timed(program, rounds):
    begin = time.perf_counter()
    subprocess.run([program, str(rounds)], check=True)
    return time.perf_counter() - begin


def side(folder, name, rounds):
    (folder / name).mkdir(exist_ok=True)
    script = folder / name / "bench.sh"
    script.write_text(f"#!/bin/sh\nexec {folder}/work {rounds}\n")
    script.chmod(0o755)


def one_try(tool, folder, options):
    """Verdict by metric, and the number of rounds."""
    records = [folder / "base.json", folder / "head.json"]
    subprocess.run([tool, "-q", "perf", "run", "--base", folder / "base", "--head", folder / "head", *options,
                    "--base-output", records[0], "--output", records[1], "--", "./bench.sh"],
                   check=True, stdout=subprocess.DEVNULL)
    run = subprocess.run([tool, "perf", "compare", "--json", *records, "--metric", "duration_s,cpu_s"],
                         stdout=subprocess.PIPE, text=True)
    comparison = json.loads(run.stdout)
    rows = {row["metric"]: row for row in comparison["rows"]}
    measured = json.loads(records[0].read_text())["benchmarks"][0]["measurements"][0]
    return rows, len(measured["values"]), run.returncode


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool", type=pathlib.Path)
    parser.add_argument("--tries", type=int, default=20)
    parser.add_argument("--percent", type=float, default=10)
    parser.add_argument("--milliseconds", type=float, default=40)
    parser.add_argument("--only", choices=["planted", "same"])
    own = sys.argv[1:sys.argv.index("--")] if "--" in sys.argv else sys.argv[1:]
    options = sys.argv[sys.argv.index("--") + 1:] if "--" in sys.argv else []
    arguments = parser.parse_args(own)
    tool = arguments.tool.resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "work.c").write_text(PROGRAM)
        subprocess.run(["cc", "-O1", "-o", folder / "work", folder / "work.c"], check=True)
        rounds = rounds_for(folder / "work", arguments.milliseconds / 1000)
        for kind in ["planted", "same"]:
            if arguments.only not in (None, kind):
                continue
            side(folder, "base", rounds)
            side(folder, "head", int(rounds * (1 + arguments.percent / 100)) if kind == "planted" else rounds)
            verdicts = collections.defaultdict(collections.Counter)
            failed = ran = 0
            begin = time.perf_counter()
            for _ in range(arguments.tries):
                rows, count, code = one_try(tool, folder, options)
                ran += count
                failed += code == 1
                for metric, row in rows.items():
                    verdicts[metric][row["verdict"]] += 1
            seconds = (time.perf_counter() - begin) / arguments.tries
            print(f"{kind}: the gate failed {failed} of {arguments.tries} times; {ran / arguments.tries:.0f} rounds and "
                  f"{seconds:.1f} s each, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} CPUs")
            for metric, counts in sorted(verdicts.items()):
                print(f"  {metric}: " + ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())), flush=True)


if __name__ == "__main__":
    main()
