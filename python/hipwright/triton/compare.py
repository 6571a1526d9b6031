# SPDX-License-Identifier: MIT
"""Compares what Triton kernels compute on several devices.

    python -m hipwright.triton.compare [--relative R] [--timeout SECONDS] DEVICE,… FILE [ARGUMENT…]

runs the file once for each device and prints {"checks": […]}, which `hipwright verify triton` shows.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from . import values
from .record import CUDA, INTERPRETER, is_test_file

PASS, FAIL, NOT_CHECKED = "pass", "fail", "not checked"
_SHOWN_LINES = 12


@dataclass
class Check:
    level: str
    subject: str
    question: str
    verdict: str
    evidence: str
    device: str = ""


@dataclass
class Run:
    """What a program did on a device."""

    device: str
    folder: Path
    code: int | None  # None: it did not end in time
    output: str
    launches: list[dict[str, Any]] = field(default_factory=list)


_VARIABLES = ("TRITON_INTERPRET", "HIPWRIGHT_TRITON", "HIPWRIGHT_SOFT_SCHEDULE")
#: "soft:gfx942/2": the software GPU with waves in the random order of seed 2.
_SCHEDULE = "/"


def _environment(device: str) -> dict[str, str]:
    environment = {key: value for key, value in os.environ.items() if key not in _VARIABLES}
    if device == INTERPRETER:
        environment["TRITON_INTERPRET"] = "1"
    if _SCHEDULE in device:
        environment["HIPWRIGHT_SOFT_SCHEDULE"] = "random:" + device.split(_SCHEDULE)[1]
    return environment


def _shown(device: str) -> str:
    name, _, seed = device.partition(_SCHEDULE)
    return f"{name} with waves in a random order (seed {seed})" if seed else name


def run(device: str, file: Path, arguments: list[str], folder: Path, timeout: float) -> Run:
    folder.mkdir()
    command = [sys.executable, "-m", "hipwright.triton.record", str(folder), device.partition(_SCHEDULE)[0], str(file), *arguments]
    try:
        done = subprocess.run(command, env=_environment(device), timeout=timeout, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        code, output = done.returncode, done.stdout
    except subprocess.TimeoutExpired as expired:
        code, output = None, expired.stdout or b""
    result = Run(device, folder, code, output.decode(errors="replace"))
    lines = folder / "launches.jsonl"
    if lines.exists():
        result.launches = [json.loads(line) for line in lines.read_text(encoding="utf-8").splitlines()]
    return result


def _last_lines(text: str) -> str:
    return "\n".join(text.rstrip().splitlines()[-_SHOWN_LINES:])


def functional(each: Run, file: Path, timeout: float) -> Check:
    """Whether the program ran, with what it said."""
    question = f"{'the tests pass' if is_test_file(file) else 'the program runs'} on {_shown(each.device)}"
    check = Check("functional", file.name, question, PASS, "", each.device.partition(_SCHEDULE)[0])
    failed = [launch for launch in each.launches if launch["error"]]
    if each.code is None:
        check.verdict, check.evidence = NOT_CHECKED, f"it did not end within {timeout:g} seconds"
    elif each.code != 0:
        # Triton's interpreter lacks some operations: it cannot fail a kernel.
        check.verdict = NOT_CHECKED if each.device == INTERPRETER else FAIL
        check.evidence = failed[0]["error"] if failed else _last_lines(each.output)
    elif not each.launches:
        check.verdict, check.evidence = NOT_CHECKED, "no Triton kernel was launched"
    else:
        check.evidence = f"{len(each.launches)} launches of {len({launch['kernel'] for launch in each.launches})} kernels"
    return check


def _tolerance(launch: dict[str, Any], chosen: float | None) -> float:
    if chosen is not None:
        return chosen
    return max((values.RELATIVE.get(array["dtype"], 0.0) for array in launch["arrays"]), default=0.0)


def _bytes(each: Run, name: str | None) -> bytes | None:
    return None if name is None else (each.folder / name).read_bytes()


class _Incomparable(Exception):
    pass


def _compare_array(left: Run, right: Run, a: dict, b: dict, relative: float) -> str:
    """What differs; empty if nothing does. Raises _Incomparable."""
    if (a["dtype"], a["shape"]) != (b["dtype"], b["shape"]):
        raise _Incomparable(f"{a['name']} is {a['dtype']}{a['shape']} and {b['dtype']}{b['shape']}")
    before = [_bytes(left, a["before"]), _bytes(right, b["before"])]
    if None in before:
        raise _Incomparable("the arrays were too large to be kept")
    if values.difference(before[0], before[1], a["dtype"], relative):
        raise _Incomparable(f"the input {a['name']} differs between the runs")
    after = [_bytes(each, array["after"]) if array["after"] else old
             for each, array, old in zip((left, right), (a, b), before)]
    if None in after:
        raise _Incomparable("the arrays were too large to be kept")
    found = values.difference(after[0], after[1], a["dtype"], relative)
    if not found:
        return ""
    place, rest = [], found.index
    for size in reversed(a["shape"]):
        place.insert(0, rest % size)
        rest //= size
    return (f"{a['name']}: {found.count} of {found.of} elements differ (first {place}: {found.value:g}, "
            f"expected {found.expected:g}; relative tolerance {relative:g})")


def _key(launches: list[dict[str, Any]]) -> dict[tuple[str, str, int], dict[str, Any]]:
    """Launches by test, kernel, and number among those."""
    keyed: dict[tuple[str, str, int], dict[str, Any]] = {}
    counts: dict[tuple[str, str], int] = {}
    for launch in launches:
        name = (launch["test"], launch["kernel"])
        counts[name] = counts.get(name, 0) + 1
        keyed[(*name, counts[name])] = launch
    return keyed


def numerical(each: Run, reference: Run, relative: float | None) -> list[Check]:
    """One check for each kernel: whether its launches leave the same on both devices."""
    keyed, expected = _key(each.launches), _key(reference.launches)
    checks = []
    for kernel in dict.fromkeys(launch["kernel"] for launch in (*reference.launches, *each.launches)):
        compared, differences, skipped = 0, [], []
        for key in [key for key in {**expected, **keyed} if key[1] == kernel]:
            where = f"{key[0] + ': ' if key[0] else ''}launch {key[2]}"
            if key not in keyed or key not in expected:
                skipped.append(f"{where}: only on {_shown((each if key in keyed else reference).device)}")
                continue
            a, b = keyed[key], expected[key]
            if a["error"] or b["error"]:
                skipped.append(f"{where}: failed on {_shown((each if a['error'] else reference).device)}")
                continue
            if not any(array["after"] for array in (*a["arrays"], *b["arrays"])):
                skipped.append(f"{where}: it changed no array")
                continue
            try:
                found = [text for x, y in zip(a["arrays"], b["arrays"])
                         if (text := _compare_array(each, reference, x, y, _tolerance(b, relative)))]
            except _Incomparable as reason:
                skipped.append(f"{where}: {reason}")
                continue
            compared += 1
            differences += [f"{where}: {text}" for text in found]
        question = f"{_shown(each.device)} and {_shown(reference.device)} agree"
        check = Check("numerical", kernel, question, PASS, "", each.device.partition(_SCHEDULE)[0])
        source = next(launch["source"] for launch in (*reference.launches, *each.launches) if launch["kernel"] == kernel)
        if differences:
            check.verdict, check.evidence = FAIL, "\n".join([source, *differences[:_SHOWN_LINES]])
        elif skipped:
            check.verdict, check.evidence = NOT_CHECKED, "\n".join(skipped[:_SHOWN_LINES])
        else:
            check.evidence = f"{compared} launches"
        checks.append(check)
    return checks


def _pairs(runs: list[Run]) -> list[tuple[Run, Run]]:
    """Each with the reference, which is cuda, else the interpreter, as far as it came; and the
    software GPUs with each other."""
    whole = [each for each in runs if each.device in (CUDA, INTERPRETER) and each.launches]
    references = sorted(whole, key=lambda each: each.device != CUDA)[:1]
    soft = [each for each in runs if each.device not in (CUDA, INTERPRETER)]
    others = [each for each in runs if each not in references and each.launches and _SCHEDULE not in each.device]
    pairs = [(each, reference) for reference in references for each in others]
    return pairs + [(each, soft[0]) for each in soft[1:] if each.launches]


def compare(devices: list[str], file: Path, arguments: list[str], relative: float | None, timeout: float) -> list[Check]:
    with tempfile.TemporaryDirectory(prefix="hipwright-triton-") as folder:
        with ThreadPoolExecutor(min(len(devices), os.cpu_count() or 1)) as pool:
            runs = list(pool.map(
                lambda pair: run(pair[1], file, arguments, Path(folder) / str(pair[0]), timeout), enumerate(devices)))
        checks = [functional(each, file, timeout) for each in runs]
        for each, reference in _pairs(runs):
            checks += numerical(each, reference, relative)
    if not any(check.level == "numerical" for check in checks):
        checks.append(Check("numerical", file.name, "devices agree", NOT_CHECKED, "there are not two runs to compare"))
    return checks


def _has_cuda() -> bool:
    try:
        import torch
    except ImportError:
        return False
    return bool(torch.version.cuda) and torch.cuda.is_available()


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m hipwright.triton.compare")
    parser.add_argument("--relative", type=float)
    parser.add_argument("--timeout", type=float, default=600)
    parser.add_argument("--schedules", type=int, default=0, help="random orders of waves on the first device")
    parser.add_argument("--cuda", action="store_true", help="also on an NVIDIA GPU, if there is one")
    parser.add_argument("devices")
    parser.add_argument("file", type=Path)
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    options = parser.parse_args(words)
    devices = options.devices.split(",")
    devices += [f"{devices[0]}{_SCHEDULE}{seed}" for seed in range(1, options.schedules + 1)]
    devices += [CUDA] if options.cuda and _has_cuda() else []
    checks = compare(devices, options.file, options.arguments, options.relative, options.timeout)
    json.dump({"checks": [asdict(check) for check in checks]}, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
