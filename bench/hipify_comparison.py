#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ports CUDA projects with hipify-perl and with hipwright, and compiles both for gfx942, in one run.

usage: HIPIFY_PERL=PATH bench/hipify_comparison.py [--run] [PROJECT…]    (HIPWRIGHT: the tool)

Without a project: those of examples/cuda. --run runs each source with a main function that compiles, on the software GPU.
docs/comparison.md has the results of a run.
"""
import argparse
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOOL = os.environ.get("HIPWRIGHT", str(ROOT / "build/release/bin/hipwright"))
SOURCES, HEADERS = (".cu", ".cpp", ".cc"), (".cuh", ".h", ".hpp")
# AMD's libraries (libhipcxx keeps the names cuda/…), PyTorch and Boost: a source that needs headers of theirs which are not installed is not checked.
LIBRARY = re.compile(r"(hip(blas|fft|rand|sparse|solver|cub|dnn|DNN)|roc(blas|fft|rand|prim|thrust|tracer)|rccl|miopen|amd_smi|thrust|cuda/"
                     r"|torch|ATen|c10|boost)")
# ROCm 6 declares the functions for lane masks only so; hipwright's ports do not need it.
DEFINES = ["-DHIP_ENABLE_WARP_SYNC_BUILTINS"]


def run(*command):
    return subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def cpu_seconds():
    """Of all processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def files(tree, kinds):
    return sorted(path for path in tree.rglob("*") if path.suffix in kinds)


def port_with_hipify(project, tree):
    """Seconds of CPU, and how many warnings it prints."""
    shutil.copytree(project, tree)
    names = [str(path) for path in files(tree, SOURCES + HEADERS)]
    begin = cpu_seconds()
    done = run("perl", os.environ["HIPIFY_PERL"], "-inplace", *names) if names else None
    return cpu_seconds() - begin, done.stdout.count("warning:") if done else 0


def port_with_hipwright(project, tree):
    """Seconds of CPU, and how many places it leaves to people."""
    begin = cpu_seconds()
    done = run(TOOL, "port", str(project), "--mode", "hip", "--out", str(tree))
    if done.returncode == 2:
        sys.exit(done.stdout)
    return cpu_seconds() - begin, sum(int(count) for count in re.findall(r"; (\d+) places", done.stdout))


PORTERS = {"hipify-perl": port_with_hipify, "hipwright": port_with_hipwright}


def compiled(source, tree, output, is_program):
    """"compiles", or why not. All folders with headers are searched for them."""
    kind = [] if is_program else ["-c"]
    folders = sorted({f"-I{header.parent}" for header in files(tree, HEADERS)})
    done = run(TOOL, "cc", "--arch", "gfx942", "-std=c++17", "-O2", *DEFINES, *folders, *kind, str(source), "-o", str(output))
    if done.returncode == 0:
        return "compiles", ""
    problem = next((line for line in done.stdout.splitlines() if "error:" in line), done.stdout.strip()[-200:])
    missing = re.search(r"'([^']+)' file not found", problem)
    if missing and LIBRARY.match(missing[1]):
        return "not checked", f"needs {missing[1]}"
    return "does not compile", re.sub(r".*error: ", "", problem)


def outcome(source, tree, folder, may_run):
    is_program = may_run and re.search(r"\bint main\(", source.read_text(errors="replace")) is not None
    result, why = compiled(source, tree, folder / "output", is_program)
    if result != "compiles" or not is_program:
        return result, why
    done = run(TOOL, "run", "--device", "soft:gfx942", "--", str(folder / "output"))
    return ("runs" if done.returncode == 0 else "fails"), (done.stdout.strip().splitlines() or [""])[-1]


def compare(project, scratch, may_run):
    """Of each tool: the outcome of each source, CPU seconds, and what it reported."""
    of_tool = {}
    for tool, porter in PORTERS.items():
        tree = scratch / tool / project.name
        tree.parent.mkdir(exist_ok=True)
        seconds, reported = porter(project, tree)
        results = {}
        for source in files(project, SOURCES):
            relative = source.relative_to(project)
            results[relative] = outcome(tree / relative, tree, scratch, may_run)
            print(f"{project.name}/{relative}: {tool}: {' '.join(results[relative])[:160]}", flush=True)
        of_tool[tool] = (results, seconds, reported)
    return of_tool


def worst(results):
    """A project is as good as its worst source."""
    order = ("does not compile", "fails", "not checked", "compiles", "runs")
    return min((result for result, _ in results.values()), key=order.index, default="nothing to compile")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--run", action="store_true")
    parser.add_argument("project", type=pathlib.Path, nargs="*")
    options = parser.parse_args()
    if "HIPIFY_PERL" not in os.environ:
        sys.exit("not run: HIPIFY_PERL does not name hipify-perl")
    projects = options.project or sorted(path for path in (ROOT / "examples/cuda").iterdir() if path.is_dir())
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as scratch:
        compared = [compare(project.resolve(), pathlib.Path(scratch), options.run) for project in projects]
    for tool in PORTERS:
        of_tool = [project[tool] for project in compared]
        sources = [result for results, _, _ in of_tool for result, _ in results.values()]
        print(f"\n{tool}: {sum(seconds for _, seconds, _ in of_tool):.2f} CPU s, {sum(reported for _, _, reported in of_tool)} reports")
        print("  sources:  " + ", ".join(f"{sources.count(one)} {one}" for one in sorted(set(sources))))
        whole = [worst(results) for results, _, _ in of_tool]
        print("  projects: " + ", ".join(f"{whole.count(one)} {one}" for one in sorted(set(whole))))


main()
