#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs every command over made-up trees and damaged inputs of its own kind, freely and under limits. The
rule: what is printed is right, or a message says what is wrong and the exit code is not 0. In particular:

- no crash, no hang, no "internal error", no unknown exit code, an error has a message;
- under limits the result is the same as without, an error (2) or "not checked" (3), which say about what;
- nothing is left: no process, no temporary file;
- no file outside the tree, no token and no control character of a name is shown;
- git runs nothing that the tree's own settings name;
- inputs.py says of every command what it reads.

    attack.py                    a bounded run, always the same
    attack.py --long SECONDS     as many as that time allows, with other seeds
    attack.py --seed N           one case again
    attack.py --only WORDS …     these commands, for example --only "kernels build"
"""

import argparse
import contextlib
import json
import os
import random
import re
import subprocess
import sys
import time

import generate
import inputs
from answers import Answers
from commands import all_commands
from sandbox import Sandbox, all_ended, become_reaper

CASES = 150
SECONDS = 40   # of one command; the build of a program among them
MEMORY = 6 << 30
CODES = {0, 1, 2, 3}
# Their programs have exit codes of their own.
OTHER_CODES = {"cc"}
# What they run or measure is another time another.
UNSTEADY = {"bench", "cc", "ci run", "devices", "doctor", "perf run", "perf bisect", "trace record"}
# Compiles and runs what it finds, which is not the subject here.
CHEAPER = {"verify": ["--level", "static"], "ci run": ["--step-limit", "2"], "pr": ["--retry-delay", "0"],
           "perf run": ["--timeout", "2", "--max-runs", "2"], "bench": ["--shape", "2x64", "--rounds", "3"]}
NEEDED = {"--level", "--step-limit", "--retry-delay", "--timeout", "--max-runs", "--interval", "--shape", "--rounds"}
PROGRAMS = [["true"], ["false"], ["sh", "-c", "kill -9 $$"], ["sh", "-c", "exec >&- 2>&-"], ["no-such-program"], ["/"],
            ["sh", "-c", "head -c 100000 /dev/zero"], ["sh", "-c", "echo '\033[2J{' >>$HIPWRIGHT_PERF_METRICS"], ["-x"], [""]]
# A program that git would run on its own, if it may.
GIT_RUNS = ["core.fsmonitor", "core.sshCommand", "core.pager", "core.editor", "diff.external", "diff.x.textconv",
            "filter.x.clean", "filter.x.process", "credential.helper", "gpg.program"]
LIMITS = [{"memory": 300 << 20}, {"memory": 120 << 20}, {"memory": 80 << 20}, {"memory": 60 << 20}, {"files": 4}, {"files": 5},
          {"files": 7}, {"files": 12}, {"disk": 0}, {"disk": 100},
          {"disk": 20000}, {"processes": 0}]
TIMES = re.compile(rb"[0-9.e-]+ ?(ms|s|min|h|MB/s)\b|\"seconds\": ?[0-9.e-]+|hipwright-tmp-[a-p]{8}|"
                   rb"in [0-9.]+ ")
# A server asked for patience, and the user is told.
WAITS = re.compile(rb"waiting [0-9]+ s\ntimeout$")
# What an error under limits may be about other than a path or a word of the command.
RESOURCES = [b"memory", b"thread", b"process", b"directory", b"cache", b"clang", b"standard output"]

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


def claims(out):
    """What this output says to be so: objects of JSON or lines of text, whatever their numbers, less what was not checked."""
    out = out.decode(errors="replace")
    try:
        found = {json.dumps(each) for each in objects(json.loads(out))}
    except ValueError:
        found = {line.strip() for line in out.splitlines() if not COUNTS.match(line.strip())}
    return {re.sub(r"\d+", "N", each) for each in found if not UNCHECKED.search(each)}


PATHS = {"FILE", "FILES", "DIR", "DIRECTORY", "PATH", "OLD NEW", "SPEC", "TRACE", "A", "B", "RECORD", "BASELINE", "BASE",
         "HEAD", "DATABASE", "LOG", "WHEEL", "WORKFLOW", "FACTS"}
NUMBERS = {"N", "SECONDS", "SCORE", "NUMBER", "PERCENT"}


def value_for(rng, name, choices, paths, box):
    if choices:
        return rng.choice(choices)
    if name in PATHS or rng.random() < 0.2:
        # The last ones are of the command's own kind.
        if rng.random() < 0.7:
            return rng.choice(paths[-3:])
        return rng.choice([*paths, box.at("new"), box.at("new.json"), box.at("no/such"), "", "/dev/full",
                           "/dev/null"])
    if name in NUMBERS:
        return rng.choice(["0", "1", "3", "-1", "999999999999999999999", "x", "0.5"])
    return rng.choice(["gfx942", "text", "json", "HW101", "HP201", "cudaMalloc", "all", "soft:gfx942", "",
                       "\x1b[2J", "x" * 5000, "cpu", "a,b,,c", "cuda/", "**"])


def words_for(rng, command, paths, box):
    words = list(command.words)
    extra = CHEAPER.get(" ".join(command.words), CHEAPER.get(words[0], []))
    declared = {name for name, _, _ in command.options}
    # Declared together with the hidden one.
    if extra[:1] and (extra[0] in declared or words[0] == "pr" and "--timeout" in declared):
        words += extra
    for name, value, choices in command.options:
        if rng.random() > 2.5 / (len(command.options) + 1) or name in NEEDED or name == "--help":
            continue
        words.append(name)
        if value:
            words.append(value_for(rng, value, choices, paths, box))
    for name in command.arguments:
        if name == "COMMAND":
            words += ["--", *rng.choice(PROGRAMS)]
        else:
            words += [value_for(rng, name, [], paths, box) for _ in range(rng.choice((1, 1, 1, 1, 1, 1, 2, 0)))]
    return [os.fsencode(word) for word in words]


def make_repository(box):
    """The tree becomes a git repository whose settings name a program."""
    program = box.write("run.sh", f"#!/bin/sh\ntouch '{box.at('ran')}'\ncat\n", 0o755)

    def git(*words):  # which itself waits for ever where .gitignore is a pipe
        with contextlib.suppress(subprocess.TimeoutExpired):
            subprocess.run(["git", *words], cwd=box.at("t"), env=box.environment, stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=5, check=False)
    git("init", "-q", "-b", "main")
    git("remote", "add", "origin", "https://github.com/pytorch/pytorch")
    files = [name for name in os.listdir(box.at("t")) if os.path.isfile(box.at("t", name)) and
             not os.path.islink(box.at("t", name)) and os.path.getsize(box.at("t", name)) < 1 << 20]
    for words in (("add", "--", *files), ("commit", "-q", "--allow-empty", "-m", "a\x1b[2J")):
        git("-c", "user.name=a", "-c", "user.email=a@b", *words)
    for setting in GIT_RUNS:
        git("config", setting, program)
    for hook in ("fsmonitor-watchman", "post-index-change", "pre-commit", "post-checkout"):
        box.write(f"t/.git/hooks/{hook}", f"#!/bin/sh\nexec {program}\n", 0o755)
    if not os.path.lexists(box.at("t/.gitattributes")) and os.path.isdir(box.at("t/.git")):
        box.write("t/.gitattributes", "* filter=x diff=x\n")


def complaints(command, code, out, err):
    if code == -9 and err.endswith(b"timeout"):
        if not WAITS.search(err):
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


def state_of(box):
    """All that the case may write: paths with sizes and times. The tool's own cache may grow."""
    found = {}
    for folder, names, files in os.walk(box.path):
        if folder == box.path:
            names[:] = [name for name in names if name not in ("home", "tmp")]
        for name in names + files:
            info = os.lstat(os.path.join(folder, name))
            found[os.path.join(folder, name)] = (info.st_mode, info.st_size if name in files else 0, info.st_mtime_ns)
    return found


def differences(first, second, limits, names):
    """Complaints about a result under limits, given the one without and the names of what it may be about."""
    if second[:2] == first[:2]:
        return
    if second[0] == 2:
        if not any(name in second[2] for name in names):
            yield f"under {limits} an error that does not say about what"
    elif second[0] != 3:
        yield f"under {limits} {second[0]}, without {first[0]}; the results differ"
    elif not any(name in line.encode() for line in unchecked(*second[1:]) - unchecked(*first[1:]) for name in names):
        yield f"under {limits} 3, and nothing is named that was checked without"
    elif claimed := claims(second[1]) - claims(first[1]):
        yield f"under {limits} 3, with results that there are not without: {sorted(claimed)[:5]}"


def one(commands, seed):
    """The complaints of one case, with what was called."""
    rng = random.Random(seed)
    with Sandbox() as box, Answers(seed) as answers:
        os.mkdir(box.at("t"))
        command = rng.choice(commands)
        paths = generate.tree(rng, box.at("t")) + inputs.write_inputs(rng, command.words, box.at("t"))
        if rng.random() < 0.3 or command.words[0] == "pr":
            make_repository(box)
        words = words_for(rng, command, paths, box)
        limits = dict(rng.choice(LIMITS))
        found = []

        def run(**limits):
            code, out, err = box.run(*words, timeout=SECONDS, cwd=box.at("t"), environment=answers.environment, **limits)
            found.extend(complaints(command, code, out, err))
            if not all_ended():
                found.append("a process is left")
            if left := box.leftovers():
                found.append(f"left: {left}")
            if os.path.lexists(box.at("ran")):
                found.append("runs a program that the tree's git settings name")
            return code, TIMES.sub(b"", out), err
        before = state_of(box)
        first = run(memory=MEMORY)
        # A command that writes finds another tree the second time.
        is_steady = state_of(box) == before and not UNSTEADY & {command.words[0], " ".join(command.words)}
        second = run(**limits)
        if is_steady:
            names = [os.fsencode(os.path.basename(each)) for each in paths] + [word for word in words if len(word) > 1]
            found.extend(differences(first, second, limits, names + RESOURCES))
        return found, words, second if found else first


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--long", type=float, metavar="SECONDS")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--only", nargs="+", metavar="WORDS")
    options = parser.parse_args()
    become_reaper()
    commands = all_commands()
    if unknown := [" ".join(each.words) for each in commands if inputs.kinds_of(each.words) is None]:
        print(f"inputs.py does not say what these commands read: {', '.join(unknown)}")
        return 1
    if options.only:
        commands = [each for each in commands if " ".join(each.words).startswith(tuple(options.only))]
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
