#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How fast is hipwright port on a large repository? Beside it, in the same run: hipify-perl on a part of the same files, where the
# user has it. The repository is made of examples/cuda, over and over: the same bytes on every machine.
# usage: bench/port_bench.sh [RUNS]    (HIPWRIGHT: the tool; HIPIFY_PERL: hipify-perl; FILES, MEGABYTES: 2700, 25)
set -eu
here=$(dirname "$(readlink -f "$0")")
export HIPWRIGHT=${HIPWRIGHT-$here/../build/release/bin/hipwright} EXAMPLES=$here/../examples/cuda
exec python3 - "$@" <<'END'
import os, pathlib, resource, shutil, subprocess, sys, tempfile, time

runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
tool = os.path.abspath(os.environ["HIPWRIGHT"])
peer = os.environ.get("HIPIFY_PERL") or shutil.which("hipify-perl")
wanted, size = int(os.environ.get("FILES", 2700)), int(float(os.environ.get("MEGABYTES", 25)) * 1e6)
kinds = (".cu", ".cuh", ".h", ".hpp", ".cpp")


def make(tree):
    """`wanted` files of about size / wanted bytes; each begins with another example than the one before."""
    sources = sorted(path for path in pathlib.Path(os.environ["EXAMPLES"]).rglob("*") if path.suffix in kinds)
    texts = [(path.suffix, path.read_bytes()) for path in sources]
    total = 0
    for i in range(wanted):
        suffix, text = texts[i % len(texts)]
        parts, enough = [text], (size - total) // (wanted - i)
        length, k = len(text), i
        while length < enough:
            k += 1
            more = texts[k % len(texts)][1]
            parts.append(more[:more.rfind(b"\n", 0, max(enough - length, 1)) + 1] or b"\n")
            length += len(parts[-1])
        folder = tree / f"part{i // 100}"
        folder.mkdir(exist_ok=True)
        (folder / f"file{i}{suffix}").write_bytes(b"".join(parts))
        total += length
    return total


def measure(command, times):
    """The best of some runs, the files in memory: seconds, seconds of CPU."""
    best = None
    for _ in range(times):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        began = time.perf_counter()
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wall = time.perf_counter() - began
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode not in (0, 1):
            sys.exit(f"{command[0]}: exit code {done.returncode}")
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        best = (wall, cpu) if best is None else (min(best[0], wall), min(best[1], cpu))
    return best


def row(label, files, megabytes, wall, cpu):
    print(f"{label:34}{files:7}{wall:9.3f}{cpu:9.3f}{files / cpu:10.1f}{megabytes / cpu:11.3f}")


with tempfile.TemporaryDirectory() as folder:
    tree = pathlib.Path(folder)
    megabytes = make(tree) / 1e6
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; {wanted} files, {megabytes:.1f} MB; best of {runs} runs\n")
    print(f"{'':34}{'files':>7}{'seconds':>9}{'CPU s':>9}{'files/s':>10}{'MB/s':>11}   (of CPU)")
    for mode in ("hip", "dual"):
        wall, cpu = measure([tool, "-q", "port", folder, "--diff", "--mode", mode], runs + 1)
        row(f"hipwright port --mode {mode} --diff", wanted, megabytes, wall, cpu)
        if mode == "hip":
            own = megabytes / cpu
    if peer:
        some = sorted(path for path in tree.rglob("*") if path.suffix in kinds)[::max(wanted // 4, 1)]
        part = sum(path.stat().st_size for path in some) / 1e6
        wall, cpu = measure(["perl", peer, *map(str, some)], 1)
        row("hipify-perl, a part of the files", len(some), part, wall, cpu)
        print(f"  hipwright translates {own / (part / cpu):.0f} times as many bytes in a second")
    else:
        print("not run: hipify-perl is not installed (HIPIFY_PERL: its path)")
END
