# SPDX-License-Identifier: MIT
"""The commands as functions. Each returns an object with typed fields; `record` is the whole JSON."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, Iterable, Sequence, TypeVar, Union

from .tool import NEGATIVE, NOT_CHECKED, OK, run, run_json

PathText = Union[str, "PathLike[str]"]
_T = TypeVar("_T")


def _typed(kind: type[_T], record: dict[str, Any], **more: Any) -> _T:
    """A dataclass from the fields of the same name; `record` keeps the rest."""
    names = {each.name for each in dataclasses.fields(kind)} - {"record"}  # type: ignore[arg-type]
    return kind(**{**{name: record[name] for name in names if name in record}, **more, "record": record})


@dataclass(frozen=True)
class LintFinding:
    code: str  # "HW101"
    name: str
    path: str
    line: int
    column: int
    severity: str  # "error", "warning", "note"
    confidence: str  # "high", "medium", "low"
    message: str
    record: dict[str, Any] = field(repr=False, compare=False)


@dataclass(frozen=True)
class LintResult:
    findings: list[LintFinding]
    record: dict[str, Any] = field(repr=False, compare=False)

    def of(self, *codes: str) -> list[LintFinding]:
        """The findings whose code begins with one of these: result.of("HW1")."""
        return [finding for finding in self.findings if finding.code.startswith(codes)]


def _listed(option: str, values: Iterable[str] | str | None) -> list[str]:
    if not values:
        return []
    return [option, values if isinstance(values, str) else ",".join(values)]


def lint(
    *paths: PathText,
    select: Iterable[str] | str | None = None,
    ignore: Iterable[str] | str | None = None,
    confidence: str | None = None,
) -> LintResult:
    """`hipwright lint`: what will not work on AMD GPUs."""
    arguments = ["lint", "--format", "json", *_listed("--select", select), *_listed("--ignore", ignore)]
    if confidence:
        arguments += ["--min-confidence", confidence]
    record = run_json([*arguments, "--", *paths])
    return LintResult([_typed(LintFinding, each) for each in record["findings"]], record)


@dataclass(frozen=True)
class Diagnostic:
    code: str  # "HP201"
    severity: str
    path: str
    line: int
    column: int
    message: str
    record: dict[str, Any] = field(repr=False, compare=False)


@dataclass(frozen=True)
class PortResult:
    changed: list[str]  # files
    to_do: int  # places that are left to a person
    diagnostics: list[Diagnostic]
    record: dict[str, Any] = field(repr=False, compare=False)


def port(path: PathText, *, out: PathText | None = None, mode: str | None = None) -> PortResult:
    """`hipwright port`: plans a port, and writes it to the directory `out` if given."""
    options = ["--mode", mode] if mode else []
    record = run_json(["port", "--json", *options, "--", path])
    if out is not None:
        run(["port", "--out", out, *options, "--", path], (OK, NEGATIVE, NOT_CHECKED))
    files = record["files"]
    return PortResult(
        changed=[each["path"] for each in files if each["changed"]],
        to_do=record["summary"]["to_do"],
        diagnostics=[_typed(Diagnostic, each) for file in files for each in file["diagnostics"]],
        record=record,
    )


@dataclass(frozen=True)
class Check:
    level: str  # "static", "build", "functional", "numerical"
    subject: str
    question: str
    verdict: str  # "pass", "fail", "not checked"
    evidence: str
    device: str
    record: dict[str, Any] = field(repr=False, compare=False)


@dataclass(frozen=True)
class VerifyResult:
    levels: dict[str, str]  # level: verdict
    checks: list[Check]
    record: dict[str, Any] = field(repr=False, compare=False)

    @property
    def failed(self) -> list[Check]:
        return [check for check in self.checks if check.verdict == "fail"]

    @property
    def not_checked(self) -> list[Check]:
        return [check for check in self.checks if check.verdict == "not checked"]


def verify(
    path: PathText,
    *,
    level: str | None = None,
    arch: Iterable[str] | str | None = None,
    device: Iterable[str] | str | None = None,
    original: PathText | None = None,
) -> VerifyResult:
    """`hipwright verify`: whether a port works."""
    arguments: list[PathText] = ["verify", "--json", *_listed("--arch", arch), *_listed("--device", device)]
    if level:
        arguments += ["--level", level]
    if original is not None:
        arguments += ["--original", original]
    return _verified(run_json([*arguments, "--", path]))


def _verified(record: dict[str, Any]) -> VerifyResult:
    return VerifyResult(
        levels={name: each["verdict"] for name, each in record["levels"].items()},
        checks=[_typed(Check, each) for each in record["checks"]],
        record=record,
    )


def verify_triton(
    path: PathText,
    *arguments: str,
    arch: Iterable[str] | str | None = None,
    interpreter: bool = True,
    schedules: int | None = None,
    relative: float | None = None,
    timeout: float | None = None,
) -> VerifyResult:
    """`hipwright verify triton`: whether the Triton kernels of a program or a file of tests compute the same on several
    targets and in Triton's interpreter. `relative`: a tolerance in place of those by type."""
    options = [*_listed("--arch", arch), *([] if interpreter else ["--no-interpreter"])]
    options += [] if schedules is None else ["--schedules", str(schedules)]
    options += [] if relative is None else ["--relative", str(relative)]
    options += [] if timeout is None else ["--timeout", str(timeout)]
    return _verified(run_json(["verify", "triton", "--json", *options, "--", path, *arguments]))


@dataclass(frozen=True)
class Kernel:
    """A kernel in a code object, as the compiler left it."""

    name: str
    target: str
    vgprs: int
    agprs: int
    sgprs: int
    vgpr_spills: int
    sgpr_spills: int
    lds_bytes: int
    scratch_bytes: int
    code_bytes: int
    waves_per_simd: int
    record: dict[str, Any] = field(repr=False, compare=False)


@dataclass(frozen=True)
class Inspection:
    kernels: list[Kernel]
    record: dict[str, Any] = field(repr=False, compare=False)


def inspect(*files: PathText, flags: bool = False) -> Inspection:
    """`hipwright inspect`: registers, spills, shared memory and occupancy of kernels in programs, code objects and Triton's
    cache. `flags`: kernels of Triton's cache again with other options of its AMD backend, named in record["variant"]."""
    record = run_json(["inspect", "--json", *(["--flags"] if flags else []), "--", *files])
    kernels = [
        _typed(Kernel, each, waves_per_simd=each["occupancy"]["waves_per_simd"])
        for file in record["files"]
        for image in file["images"]
        for each in image["kernels"]
    ]
    return Inspection(kernels, record)


@dataclass(frozen=True)
class Advice:
    code: str
    title: str
    bound_us: float
    speedup_bound: float
    figures: str
    evidence: list[str]
    next: str
    record: dict[str, Any] = field(repr=False, compare=False)


@dataclass(frozen=True)
class TraceSummary:
    device: str
    span_us: float
    busy_us: float
    kernels_run: int
    categories: dict[str, Any]
    advice: list[Advice]
    record: dict[str, Any] = field(repr=False, compare=False)


def trace(*files: PathText, window: Sequence[float] | None = None) -> TraceSummary:
    """`hipwright trace summary`. `window`: seconds since the first event, (from, to)."""
    options = [] if window is None else ["--from", str(window[0]), "--to", str(window[1])]
    record = run_json(["trace", "summary", "--json", *options, "--", *files])
    return _typed(TraceSummary, record, advice=[_typed(Advice, each) for each in record["advice"]])


def compile(source: PathText, output: PathText, *options: str, arch: Iterable[str] | str = "gfx942") -> Path:
    """`hipwright cc`: a HIP program or, with --genco among the options, a code object."""
    run(["cc", *_listed("--arch", arch), "-o", output, *options, source])
    return Path(output)
