#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs every command over made-up trees, freely and under limits. The rule: what is printed is right,
or a message says what is wrong and the exit code is not 0. In particular:

- no crash, no hang, no "internal error", no unknown exit code, an error has a message;
- under limits the result is the same as without, an error (2) or "not checked" (3);
- whoever says "not checked" (3) says what, and what more under limits;
- nothing is left: no process, no temporary file;
- neither a file outside the tree nor a control character of a name is shown.

    attack.py                    a bounded run, always the same
    attack.py --long SECONDS     as many as that time allows, with other seeds
    attack.py --seed N           one case again
"""

import argparse
import json
import os
import random
import re
import sys
import time

import generate
from commands import all_commands
from sandbox import Sandbox, all_ended, become_reaper

CASES = 150
SECONDS = 40   # of one command; the build of a program among them
MEMORY = 6 << 30
CODES = {0, 1, 2, 3}
# Their programs have exit codes of their own.
OTHER_CODES = {"cc"}
# Compiles and runs what it finds, which is not the subject here.
CHEAPER = {"verify": ["--level", "static"]}
NEEDED = {"--level"}
LIMITS = [{"memory": 300 << 20}, {"memory": 120 << 20}, {"files": 7}, {"files": 12}, {"disk": 100},
          {"disk": 20000}, {"processes": 0}]
TIMES = re.compile(rb"[0-9.e-]+ ?(ms|s|min|h)\b|\"seconds\": ?[0-9.e-]+|hipwright-tmp-[a-p]{8}|"
                   rb"in [0-9.]+ ")


# How commands say that something was not checked; a count of it alone does not say what.
UNCHECKED = re.compile(r"not checked|not compiled|not executed|not run|not known|unknown|omitted|skipped|undecided|"
                       r"inconclusive|incomparable|incomplete|in the middle|could not be judged")
COUNTS = re.compile(r"^[\w ()]*(\d+ [a-z ]+, )+\d+ [a-z ]+$")


def objects(value):
    """The innermost objects of a JSON value."""
    inner = [each for each in (value.values() if isinstance(value, dict) else value)
             if isinstance(each, (dict, list))]
    for each in inner:
        yield from objects(each)
    if isinstance(value, dict):
        yield {key: each for key, each in value.items() if not isinstance(each, (dict, list))}


def unchecked(out, err):
    """What these outputs name as not checked: lines of text, objects and texts of JSON."""
    out, err = out.decode(errors="replace"), err.decode(errors="replace")
    found = {line.strip() for line in (out + "\n" + err).splitlines()
             if UNCHECKED.search(line) and not COUNTS.match(line.strip())
             and len(re.findall(r"\w+", line)) > 3}
    try:
        value = json.loads(out)
        found |= {json.dumps(each) for each in objects(value) if UNCHECKED.search(json.dumps(each)) and len(each) > 1}
    except ValueError:
        pass
    return found


def value_for(rng, name, choices, paths, box):
    if choices:
        return rng.choice(choices)
    if name in ("FILE", "DIR", "PATH", "OLD NEW", "SPEC"):
        return rng.choice([*paths, box.at("new"), box.at("new.json"), box.at("no/such"), "", "/dev/full",
                           "/dev/null"])
    if name in ("N", "SECONDS", "SCORE"):
        return rng.choice(["0", "1", "3", "-1", "999999999999999999999", "x", "0.5"])
    return rng.choice(["gfx942", "text", "json", "HW101", "HP201", "cudaMalloc", "all", "soft:gfx942", "",
                       "\x1b[2J", "x" * 5000, "cpu", "a,b,,c", "cuda/", "**"])


def words_for(rng, command, paths, box):
    words = list(command.words)
    for name, value, choices in command.options:
        if rng.random() > 2.5 / (len(command.options) + 1) or name in NEEDED or name == "--help":
            continue
        words.append(name)
        if value:
            words.append(value_for(rng, value, choices, paths, box))
    words += CHEAPER.get(" ".join(command.words), [])
    for name in command.arguments:
        words += [value_for(rng, name, [], paths, box) for _ in range(rng.choice((1, 1, 1, 2, 0)))]
    return [os.fsencode(word) for word in words]


def complaints(command, code, out, err):
    if code == -9 and err.endswith(b"timeout"):
        yield "hangs"
    elif code not in CODES and command.words[0] not in OTHER_CODES:
        yield f"exit code {code}"
    if b"internal error" in err:
        yield "internal error"
    if code == 2 and b"error:" not in err:
        yield "an error without a message"
    if code == 3 and command.words[0] not in OTHER_CODES and not unchecked(out, err):
        yield "does not say what was not checked"
    if generate.SECRET.encode() in out + err:
        yield "shows a file outside the tree"
    if b"\x1b" in err:
        yield "a control character of a name in messages"


def written_paths(box):
    return [each for each in ("new", "new.json") if os.path.lexists(box.at(each))]


def one(commands, seed):
    """The complaints of one case, with what was called."""
    rng = random.Random(seed)
    with Sandbox() as box:
        os.mkdir(box.at("t"))
        paths = generate.tree(rng, box.at("t"))
        command = rng.choice(commands)
        words = words_for(rng, command, paths, box)
        limits = dict(rng.choice(LIMITS))
        found = []

        def run(**limits):
            code, out, err = box.run(*words, timeout=SECONDS, cwd=box.at("t"), **limits)
            found.extend(complaints(command, code, out, err))
            if not all_ended():
                found.append("a process is left")
            if left := box.leftovers():
                found.append(f"left: {left}")
            return code, TIMES.sub(b"", out), err
        first = run(memory=MEMORY)
        # A command that writes finds another tree the second time.
        writes = written_paths(box) or any(word in (b"--in-place", b"--fix", b"--undo") for word in words)
        if not writes and command.words[0] not in OTHER_CODES:
            second = run(**limits)
            if second[:2] != first[:2] and second[0] != 2:
                if second[0] != 3:
                    found.append(f"under {limits} {second[0]}, without {first[0]}; the results differ")
                elif not unchecked(*second[1:]) - unchecked(*first[1:]):
                    found.append(f"under {limits} 3, and nothing is named that was checked without")
            first = second if found else first
        return found, words, first


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--long", type=float, metavar="SECONDS")
    parser.add_argument("--seed", type=int)
    options = parser.parse_args()
    become_reaper()
    commands = all_commands()
    if options.seed is not None:
        seeds = [options.seed]
    elif options.long:
        seeds = iter(lambda: random.SystemRandom().randrange(1 << 40), None)
    else:
        seeds = range(CASES)
    end = time.monotonic() + (options.long or 1e9)
    tried, bad = 0, 0
    for seed in seeds:
        if time.monotonic() > end:
            break
        found, words, (code, _, err) = one(commands, seed)
        tried += 1
        if found or options.seed is not None:
            bad += bool(found)
            print(f"seed {seed}: {words}\n  exit code {code}\n  {found}\n  {err[-2000:]!r}", flush=True)
    print(f"{tried} cases of {len(commands)} commands, {bad} with complaints")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
