#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How fast is hipwright lint on a tree? Beside it, in the same run: ripgrep looking for as many fixed strings as the rules look
# for names, over the same files, and CPython's ast over the Python files.
# usage: bench/lint_bench.sh TREE [RUNS]    (HIPWRIGHT: the tool; default build/release/bin/hipwright)
set -eu
[ $# -ge 1 ] || { sed -n '5s/^# //p' "$0" >&2; exit 2; }
export HIPWRIGHT=${HIPWRIGHT-$(dirname "$(readlink -f "$0")")/../build/release/bin/hipwright}
exec python3 - "$@" <<'END'
import json, os, resource, shutil, subprocess, sys, tempfile, time

tree, runs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
tool = os.path.abspath(os.environ["HIPWRIGHT"])


def measure(command):
    """The best of some runs, the files in memory: seconds, seconds of CPU, output."""
    best = None
    for _ in range(runs + 1):  # the first one only warms up
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        began = time.perf_counter()
        out = subprocess.run(command, cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        wall = time.perf_counter() - began
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        best = (wall, cpu) if best is None else (min(best[0], wall), min(best[1], cpu))
    return (*best, out)


rules = json.loads(subprocess.run([tool, "lint", "rules", "--json"], stdout=subprocess.PIPE, check=True).stdout)["rules"]
names = sorted({name for rule in rules for name in rule["triggers"]})
lint = [tool, "-q", "lint", "--no-config", "--format", "json", "--stats"]
wall, cpu, out = measure(lint)
report = json.loads(out)
megabytes = report["statistics"]["bytes"] / 1e6
print(f"{os.cpu_count()} cores; {report['files']} files, {megabytes:.1f} MB; {len(rules)} rules, {len(names)} names; "
      f"best of {runs} runs\n")
print(f"{'':34}{'seconds':>9}{'CPU s':>9}{'MB/s':>9}{'MB/s/core':>11}")


def row(label, wall, cpu, size):
    print(f"{label:34}{wall:9.3f}{cpu:9.3f}{size / wall:9.0f}{size / cpu:11.0f}")


row("hipwright lint, all rules", wall, cpu, megabytes)
alone, alone_cpu, _ = measure([*lint, "--threads", "1"])
row("  one thread", alone, alone_cpu, megabytes)
if shutil.which("rg"):
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as patterns:
        patterns.write("\n".join(names) + "\n")
        patterns.flush()
        kinds = [f"--glob=*.{end}" for end in
                 "cu cuh hip cpp cc cxx c h hh hpp hxx inl inc ipp tpp py pyi cmake toml".split()]
        search = ["rg", "--fixed-strings", "--file", patterns.name, "--hidden", "--no-heading", "--line-number", *kinds,
                  "--glob=CMakeLists.txt", "."]
        rg, rg_cpu, _ = measure(search)
    row(f"rg -F, {len(names)} strings", rg, rg_cpu, megabytes)
    print(f"  hipwright takes {wall / rg:.1f} times as long ({cpu / rg_cpu:.1f} times the CPU)")
else:
    print("not run: rg is not installed")
parse = """
import ast, os, sys, warnings
warnings.simplefilter("ignore")
size = 0
for folder, folders, files in os.walk("."):
    folders[:] = [each for each in folders if each != ".git"]
    for name in files:
        if name.endswith((".py", ".pyi")):
            try:
                text = open(os.path.join(folder, name), "rb").read()
                size += len(text)
                ast.parse(text)
            except (SyntaxError, ValueError, OSError):
                pass
print(size)
"""
runs = 1
ast, ast_cpu, size = measure([sys.executable, "-c", parse])
row("CPython ast, Python files only", ast, ast_cpu, int(size) / 1e6)
print(f"  hipwright reads a byte {ast_cpu / int(size) / (cpu / megabytes / 1e6):.0f} times as fast")
END
