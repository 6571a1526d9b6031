#!/usr/bin/env python3
"""Runs example programs and writes how long they take and how much GPU memory they use.

usage: profile-examples.py LIST OUTPUT_JSON
LIST has one Python program a line; "#" begins a comment. OUTPUT_JSON is an object keyed by the program's path with "/" on every
system; `hipwright perf compare` reads it. All programs run; the exit code is 1 if one failed. For machines on which hipwright
does not run; elsewhere use `hipwright perf run`, which measures more than once.
"""
import json
import os
import subprocess
import sys
import time

CHILD = """
import json, runpy, sys
sys.argv = sys.argv[2:]
report = {}
try:
    import torch
    there = torch.cuda.is_available()
    report = {"torch_available": True, "torch_version": torch.__version__, "hip_version": torch.version.hip,
              "cuda_compiled_version": torch.version.cuda, "is_cuda_available": there, "device_count": torch.cuda.device_count(),
              "device_name": torch.cuda.get_device_name() if there else None,
              "current_device": torch.cuda.current_device() if there else None}
except ImportError:
    torch, there, report = None, False, {"torch_available": False}
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
finally:
    memory = torch.cuda.max_memory_allocated() / 2**20 if there else None
    with open(REPORT, "w") as file:
        json.dump({"rocm_info": report, "peak_memory_mb": memory}, file)
"""


def run(path, limit, scratch):
    if not os.path.exists(path):
        return {"example": path, "status": "missing", "error": "no such file"}
    report = os.path.join(scratch, "report.json")
    if os.path.exists(report):
        os.remove(report)
    begin = time.monotonic()
    try:
        done = subprocess.run([sys.executable, "-c", CHILD.replace("REPORT", repr(report)), "-", path], timeout=limit,
                              stderr=subprocess.PIPE, text=True, errors="replace")
        code, error = done.returncode, done.stderr
    except subprocess.TimeoutExpired:
        code, error = None, f"did not end in {limit} s"
    result = {"example": path, "status": "skipped" if code == 77 else "error", "exit_code": code}
    if os.path.exists(report):
        with open(report) as file:
            measured = json.load(file)
        result["rocm_info"] = measured["rocm_info"]
    if code == 0:
        result.update(status="success", duration_s=time.monotonic() - begin, peak_memory_mb=measured["peak_memory_mb"],
                      hip_version=measured["rocm_info"].get("hip_version"), device_name=measured["rocm_info"].get("device_name"))
    elif code != 77:
        sys.stderr.write(error)
        result["error"] = error.strip().splitlines()[-1] if error.strip() else f"exit code {code}"
    return result


def main(listed, output):
    with open(listed) as file:
        lines = [line.split("#")[0].strip() for line in file]
    results = {}
    folder = os.path.dirname(os.path.abspath(output))
    os.makedirs(folder, exist_ok=True)
    for path in filter(None, lines):
        path = path.replace("\\", "/")
        results[path] = run(path, int(os.environ.get("PROFILE_LIMIT_S", "1800")), folder)
        print(f"{path}: {results[path]['status']}", flush=True)
        with open(output, "w") as file:  # after each: what was measured is kept whatever follows
            json.dump(results, file, indent=2)
    if not results:
        sys.exit(f"{listed} names no program")
    sys.exit(any(each["status"] in ("error", "missing") for each in results.values()))


if len(sys.argv) != 3:
    sys.exit(__doc__)
main(*sys.argv[1:])
