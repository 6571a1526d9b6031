#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""kill -9 at random system calls of what writes. After the next start nothing is torn and nothing is
left: no process, no temporary file.

    kills.py             a bounded run, always the same
    kills.py --long N    N kills, at other places; KIND… restricts them: InPlace, Undo, Out, Lint, Sdk, Results, Objects
"""

import argparse
import ctypes
import filecmp
import os
import random
import shutil
import signal
import subprocess
import sys

from cases_test import SOURCE
from sandbox import LIBC, Sandbox, all_ended, become_reaper

KILLS = 24
PATIENCE = 60  # seconds without a system call
PTRACE_TRACEME, PTRACE_SYSCALL, PTRACE_SETOPTIONS = 0, 24, 0x4200
TRACE_THREADS = 8  # PTRACE_O_TRACECLONE
WALL = 0x40000000  # waits for threads, too
LIBC.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]

SPEC = """[scale]
source = "scale.hip"
sizes = { n = 64 }
block = [64]
grid = [1]
arguments = [
  { name = "p", type = "f32", shape = ["n"], fill = "uniform(-1, 1)", output = true },
  { name = "n", type = "i32", value = "n" },
]
"""


def wait(process):
    """(thread, status) of the next one that stops or ends; (None, status) when the whole process has ended.
    TimeoutError if nothing does."""
    signal.alarm(PATIENCE)
    try:
        while True:
            try:
                thread, status = os.waitpid(-1, WALL)
            except ChildProcessError:
                return None, 0
            if os.WIFSTOPPED(status) or thread == process.pid:
                return (None if not os.WIFSTOPPED(status) else thread), status
    finally:
        signal.alarm(0)


def kill(process):
    process.kill()
    while wait(process)[0] is not None:
        pass
    process.returncode = -9


def is_stopped_by_us(process):
    """Whether a thread waits for its tracer: rarely, the kernel says nothing of a stop."""
    threads = f"/proc/{process.pid}/task"
    for thread in os.listdir(threads):
        with open(f"{threads}/{thread}/stat", encoding="utf-8") as file:
            if file.read().rpartition(")")[2].split()[0] == "t":
                return True
    return False


def run_traced(box, words, stop_after=None):
    """Runs the tool from one system call of any of its threads to the next; kills it after so many stops, or after one
    that the kernel has not reported. Returns how many there were."""
    def traced():
        LIBC.ptrace(PTRACE_TRACEME, 0, None, None)
    process = subprocess.Popen([os.environ["HIPWRIGHT"], *words], env=box.environment, cwd=box.path,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               stdin=subprocess.DEVNULL, preexec_fn=traced)
    os.waitpid(process.pid, 0)
    LIBC.ptrace(PTRACE_SETOPTIONS, process.pid, None, TRACE_THREADS)
    LIBC.ptrace(PTRACE_SYSCALL, process.pid, None, None)
    stops = 0
    while True:
        try:
            thread, status = wait(process)
        except TimeoutError:
            is_ours = is_stopped_by_us(process)
            kill(process)
            if not is_ours:
                raise
            return stops
        if thread is None:
            process.returncode = os.waitstatus_to_exitcode(status)
            return stops
        number = os.WSTOPSIG(status)
        # Of a new thread the first stop, and the event that announces it.
        given = 0 if number in (signal.SIGTRAP, signal.SIGSTOP) else number
        stops += 1
        if stop_after is not None and stops > stop_after:
            kill(process)
            return stops
        LIBC.ptrace(PTRACE_SYSCALL, thread, None, given)


def state_of(folder):
    """Paths with bytes, modes and times."""
    found = {}
    for at, names, files in os.walk(folder):
        for name in names + files:
            path = os.path.join(at, name)
            info = os.lstat(path)
            content = b""
            if os.path.isfile(path) and not os.path.islink(path):
                with open(path, "rb") as file:
                    content = file.read()
            found[os.path.relpath(path, folder)] = (info.st_mode, info.st_mtime_ns, content)
    return found


def make_tree(box):
    for i in range(3):
        box.write(f"t/s{i}/a{i}.cu", SOURCE.replace("p[", f"p[{i} + "), 0o640 + i)
    for i in range(3):
        os.utime(box.at(f"t/s{i}"), (1000 + i, 2000 + i))
    os.utime(box.at("t"), (1, 2))
    return state_of(box.at("t"))


class InPlace:
    words = ["port", "--in-place", "--force", "t"]

    def prepare(self, box):
        self.before = make_tree(box)

    def after(self, box):
        code, _, err = box.run("port", "--undo", "t")
        if code != 0 and b"no port in place to undo" not in err:
            return err.decode()
        return "" if state_of(box.at("t")) == self.before else "undo is not exact"


class Undo(InPlace):
    words = ["port", "--undo", "t"]

    def prepare(self, box):
        super().prepare(box)
        assert box.run(*InPlace.words)[0] == 0


class Out:
    words = ["port", "--out", "out", "t"]

    def prepare(self, box):
        make_tree(box)

    def after(self, box):
        existed = os.path.exists(box.at("out"))
        code, _, err = box.run(*self.words)
        if code != 0:
            return err.decode()
        box.run("port", "--out", "reference", "t")
        same = filecmp.dircmp(box.at("out"), box.at("reference"))
        torn = same.diff_files or same.left_only or same.right_only
        return f"torn ({existed}): {torn}" if torn else ""


class Sdk:
    words = ["sdk", "path"]

    def prepare(self, box):
        pass

    def after(self, box):
        code, out, err = box.run(*self.words, timeout=300)
        if code != 0:
            return err.decode()
        prefix = out.decode().strip()
        left = [each for each in os.listdir(os.path.dirname(prefix)) if each.startswith("building-")]
        if left or not os.path.exists(os.path.join(prefix, "include/hip/hip_runtime.h")):
            return f"left or torn: {left}"
        return ""


class Results:
    """A sweep: results and kernel cache."""
    words = ["verify", "kernel", "k.kernel.toml", "--device", "soft:gfx942", "--schedules", "0",
             "--results", "results"]

    def prepare(self, box):
        box.write("k.kernel.toml", SPEC)
        box.write("scale.hip", "#include <hip/hip_runtime.h>\n__global__ void "
                               "scale(float* p, int n) { if (threadIdx.x < n) p[threadIdx.x] *= 2; }\n")

    def after(self, box):
        first = box.run(*self.words, timeout=300)
        again = box.run(*self.words, timeout=300)
        if first[0] != again[0] or first[0] not in (0, 3):
            return f"{first[0]} {again[0]} {again[2].decode()}"
        left = [each for each in os.listdir(box.at("results"))
                if each.startswith(".") or each.endswith((".checks.json", ".events.jsonl"))]
        return f"left: {left}" if left else cache_complaint(box, first[2] + again[2])


class Objects:
    """What port and verify compile stays in the cache."""
    words = ["verify", "t", "--level", "build", "--arch", "gfx942"]

    def prepare(self, box):
        for i in range(3):
            box.write(f"t/a{i}.hip", f"#include <hip/hip_runtime.h>\n__global__ void k(int* p) {{ p[{i}] = 1; }}\n")

    def after(self, box):
        first = box.run(*self.words, timeout=300)
        again = box.run(*self.words, timeout=300)
        if first[0] != 0 or again[0] != 0:
            return f"{first[0]} {again[0]} {again[2].decode()}"
        return cache_complaint(box, first[2] + again[2])


def cache_complaint(box, messages):
    """What the next start says about the cache, and what is no entry in it."""
    if b"cache" in messages or b"warning" in messages:
        return messages.decode(errors="replace")
    left = []
    for kind in ("kernels", "objects"):
        for folder, _, files in os.walk(os.path.join(box.environment["XDG_CACHE_HOME"], "hipwright", kind)):
            left += [os.path.join(folder, name) for name in files
                     if name.startswith(".") or "quarantine" in folder]
    return f"left in the cache: {left}" if left else ""


class Lint:
    words = ["lint", "--fix=unsafe", "t"]

    def prepare(self, box):
        box.write("t/a.cu", "__global__ void k(int* p) { *p = __ballot(1) & 0xffffffff; }\n" * 3)
        with open(box.at("t/a.cu"), "rb") as file:
            self.before = file.read()

    def after(self, box):
        shutil.copy(box.at("t/a.cu"), box.at("now"))
        box.run(*self.words)
        with open(box.at("now"), "rb") as now, open(box.at("t/a.cu"), "rb") as fixed:
            return "" if now.read() in (self.before, fixed.read()) else "torn"


# The last ones compile, which takes seconds: fewer kills.
KINDS = [InPlace, InPlace, InPlace, Undo, Undo, Out, Out]
SLOW = [Sdk, Results, Objects]
# With --long only: often the kernel does not report that its killed threads have ended, and the test waits for them.
UNSTEADY = [Lint]


def use_cache(kind, box, made):
    """Only `sdk` makes the SDK's directory; those that fill a cache get a copy."""
    if kind in (Results, Objects):
        box.environment["XDG_CACHE_HOME"] = shutil.copytree(made, box.at("cache"), symlinks=True)
    elif kind is not Sdk:
        box.environment["XDG_CACHE_HOME"] = made


def kill_once(kind, rng, cache):
    with Sandbox() as box:
        use_cache(kind, box, cache)
        work = kind()
        work.prepare(box)
        if kind not in counts:
            with Sandbox() as other:
                use_cache(kind, other, cache)
                kind().prepare(other)
                counts[kind] = run_traced(other, kind.words)
                all_ended()
        where = rng.randrange(counts[kind])
        try:
            run_traced(box, kind.words, where)
        except TimeoutError:
            return f"{kind.__name__} at {where}: hangs"
        if not all_ended():
            return f"{kind.__name__} at {where}: a process is left"
        if why := work.after(box):
            return f"{kind.__name__} at {where}: {why}"
        if not all_ended() or box.leftovers():
            return f"{kind.__name__} at {where}: left {box.leftovers()}"
        return ""


counts = {}


def late(*_):
    raise TimeoutError


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--long", type=int, metavar="N")
    parser.add_argument("kinds", nargs="*", metavar="KIND")
    options = parser.parse_args()
    only = [each for each in dict.fromkeys(KINDS + SLOW + UNSTEADY) if each.__name__ in options.kinds]
    become_reaper()
    signal.signal(signal.SIGALRM, late)
    rng = random.SystemRandom() if options.long else random.Random(1)
    bad, tried = 0, {}
    with Sandbox() as shared:
        shared.environment["XDG_CACHE_HOME"] = shared.at("cache")
        has_compiler = shared.run("sdk", "path")[0] == 0
        for i in range(options.long or KILLS):
            quick = KINDS + UNSTEADY if options.long else KINDS
            kinds = only or (SLOW if has_compiler and i % 8 == 7 else quick)
            kind = rng.choice(kinds)
            tried[kind.__name__] = tried.get(kind.__name__, 0) + 1
            if why := kill_once(kind, rng, shared.at("cache")):
                bad += 1
                print(why, flush=True)
    print(f"kills: {tried}, {bad} with complaints")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
