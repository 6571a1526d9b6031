# SPDX-License-Identifier: MIT
"""The software GPU in this process: devices, modules, launches, and what the checks found.

Kernels use the memory of the program: what a launch may touch is registered for its duration, to the byte.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import json
import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Iterable, Iterator, Sequence

from .tool import ToolError, executable

_HOST_REGISTER_READ_ONLY = 0x08
# hipFunction_attribute
_MAX_THREADS, _LOCAL_BYTES, _REGISTERS = 0, 3, 4
# hipDeviceAttribute_t
_ATTRIBUTES = {
    "clock_rate": 5,
    "max_threads_per_sm": 57,
    "mem_bus_width": 59,
    "mem_clock_rate": 60,
    "multiprocessor_count": 63,
    "max_num_regs": 71,
    "max_shared_mem": 74,
    "warp_size": 87,
}


class SoftError(RuntimeError):
    """A call of the software GPU failed, or a kernel did."""


@dataclass(frozen=True)
class Finding:
    """A finding of a check, at the instruction that caused it."""

    kind: str  # "out-of-bounds"
    severity: str  # "error" or "warning"
    kernel: str
    what: str
    source: str  # "kernels.py:12"; empty without line tables
    text: str  # for people, with instruction, workgroup, wave and lane
    count: int
    record: dict[str, Any] = field(repr=False, compare=False)  # everything

    def __str__(self) -> str:
        return self.text


class FindingsError(SoftError):
    """The checks found errors in a kernel."""

    def __init__(self, findings: Sequence[Finding]):
        super().__init__("\n".join(finding.text.rstrip() for finding in findings))
        self.findings = list(findings)


def library_path() -> Path:
    """libhipwright_soft.so: $HIPWRIGHT_SOFT_LIBRARY, or that of the executable."""
    if chosen := os.environ.get("HIPWRIGHT_SOFT_LIBRARY"):
        return Path(chosen)
    path = executable().resolve().parents[1] / "lib/hipwright/libhipwright_soft.so"
    if not path.exists():
        raise ToolError(f"the software GPU was not found at '{path}'. Set HIPWRIGHT_SOFT_LIBRARY to libhipwright_soft.so.")
    return path


def _is_loaded(library: Path) -> bool:
    try:
        ctypes.CDLL(str(library), mode=os.RTLD_NOLOAD)
    except OSError:
        return False
    return True


class _Library:
    """The library, once per process: it reads its settings when it is loaded."""

    def __init__(self, checks: str):
        if _is_loaded(library_path()):
            raise SoftError(
                "the software GPU is already used by this process, and its checks are chosen when it is loaded. "
                "Call hipwright.soft.load() before the first AMDBackend."
            )
        self.checks = checks
        with tempfile.NamedTemporaryFile(prefix="hipwright-", suffix=".jsonl", delete=False) as events:
            self._events = Path(events.name)
        atexit.register(self._events.unlink, missing_ok=True)
        self._read = 0
        os.environ["HIPWRIGHT_SOFT_EVENTS"] = str(self._events)
        os.environ["HIPWRIGHT_SOFT_COUNT"] = "1"
        if checks:
            os.environ["HIPWRIGHT_SOFT_CHECK"] = checks
        self.functions = ctypes.CDLL(str(library_path()))
        for name in ("hipwright_soft_error", "hipwright_soft_take_findings", "hipwright_soft_kernels", "hipGetErrorString"):
            getattr(self.functions, name).restype = ctypes.c_char_p

    def call(self, name: str, *arguments: Any) -> None:
        code = getattr(self.functions, name)(*arguments)
        if code != 0:
            self.functions.hipGetLastError()
            said = self.events()
            raise SoftError("\n".join([f"{name}: {self.functions.hipGetErrorString(code).decode()}", *said]))

    def events(self) -> list[str]:
        """What the library reported since the last call."""
        with open(self._events, encoding="utf-8", errors="replace") as file:
            file.seek(self._read)
            lines = file.readlines()
            self._read = file.tell()
        records = [json.loads(line) for line in lines]
        return [record["text"] for record in records if record["kind"] != "start" and "text" in record]

    def take_findings(self) -> list[Finding]:
        found = json.loads(self.functions.hipwright_soft_take_findings() or b"[]")
        return [
            Finding(
                kind=each["kind"],
                severity=each["severity"],
                kernel=each["kernel"],
                what=each["what"],
                source=each["place"]["source"],
                text=each["text"],
                count=each["count"],
                record=each,
            )
            for each in found
        ]

    def kernels(self) -> list[dict[str, Any]]:
        return json.loads(self.functions.hipwright_soft_kernels() or b"[]")


_library: _Library | None = None


def _checks_of(check: bool | str) -> str:
    return "all" if check is True else check or ""


def load(check: bool | str = True) -> _Library:
    """Loads the software GPU. `check`: True, False, or names as `hipwright run --check` takes them.

    The checks are chosen once per process: they are part of how kernels are executed."""
    global _library
    checks = _checks_of(check)
    if _library is None:
        _library = _Library(checks)
    elif _library.checks != checks:
        raise SoftError(
            f"this process runs with checks '{_library.checks or 'none'}': they cannot be changed to "
            f"'{checks or 'none'}'. Choose them when the software GPU is first used."
        )
    return _library


class Device:
    """A software GPU of one target: Device("gfx942"). Devices of the same name are one device."""

    def __init__(self, target: str, check: bool | str = True):
        self.target = target.removeprefix("soft:")
        self._library = load(check)
        self.ordinal = self._library.functions.hipwright_soft_device(self.target.encode(), 0)
        if self.ordinal < 0:
            raise SoftError(self._library.functions.hipwright_soft_error().decode())
        self.properties = {name: self._attribute(number) for name, number in _ATTRIBUTES.items()}

    def __repr__(self) -> str:
        return f"Device({self.target!r})"

    def _attribute(self, number: int) -> int:
        value = ctypes.c_int()
        self._library.call("hipDeviceGetAttribute", ctypes.byref(value), number, self.ordinal)
        return value.value

    @property
    def wave_size(self) -> int:
        return self.properties["warp_size"]

    def activate(self) -> None:
        self._library.call("hipSetDevice", self.ordinal)

    def load(self, image: bytes, name: str) -> Function:
        """The kernel of that name in a code object."""
        self.activate()
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        self._library.call("hipModuleLoadData", ctypes.byref(module), image)
        self._library.call("hipModuleGetFunction", ctypes.byref(function), module, name.encode())
        return Function(self, name, module, function)

    def unload(self, function: Function) -> None:
        self._library.call("hipModuleUnload", function.module)

    def attribute(self, function: Function, number: int) -> int:
        value = ctypes.c_int()
        self._library.call("hipFuncGetAttribute", ctypes.byref(value), number, function.handle)
        return value.value

    def synchronize(self) -> None:
        self.activate()
        self._library.call("hipDeviceSynchronize")

    def launch(
        self,
        function: int | ctypes.c_void_p,
        grid: Sequence[int],
        block: Sequence[int],
        arguments: Sequence[ctypes._SimpleCData],
        shared: int = 0,
        memory: Iterable[Extent] = (),
        cooperative: bool = False,
    ) -> list[Finding]:
        """Runs a kernel to its end and returns the findings. Raises SoftError if it failed."""
        self.activate()
        if isinstance(function, int):
            function = ctypes.c_void_p(function)
        pointers = (ctypes.c_void_p * max(len(arguments), 1))(
            *(ctypes.cast(ctypes.byref(argument), ctypes.c_void_p) for argument in arguments)
        )
        self._check_sizes(function, [ctypes.sizeof(argument) for argument in arguments])
        name = "hipModuleLaunchCooperativeKernel" if cooperative else "hipModuleLaunchKernel"
        sizes = [*(ctypes.c_uint(size) for size in (*grid, *block)), ctypes.c_uint(shared), None]
        with self._registered(memory):
            try:
                self._library.call(name, function, *sizes, pointers, *([] if cooperative else [None]))
                self._library.call("hipDeviceSynchronize")
            except SoftError:
                # Nothing would run on this device any more, as on hardware.
                self._library.functions.hipDeviceReset()
                # The failure may be a finding, too, which says more.
                if findings := self._library.take_findings():
                    raise FindingsError(findings) from None
                raise
        self._library.events()
        return self._library.take_findings()

    def _check_sizes(self, function: ctypes.c_void_p, given: list[int]) -> None:
        """A launch reads as many arguments as the kernel has, however many are given."""
        sizes = (ctypes.c_uint * (len(given) + 1))()
        count = self._library.functions.hipwright_soft_argument_sizes(function, sizes, len(sizes))
        if count >= 0 and (count, list(sizes[:count])) != (len(given), given):
            wanted = f"{count} arguments" if count != len(given) else f"arguments of {', '.join(map(str, sizes[:count]))} bytes"
            raise SoftError(
                f"the kernel takes {wanted}, and {len(given)} of {', '.join(map(str, given))} bytes were given: "
                "the code that lays them out does not know this version of the compiler"
            )

    @contextlib.contextmanager
    def _registered(self, memory: Iterable[Extent]) -> Iterator[None]:
        registered: list[ctypes.c_void_p] = []
        try:
            for extent in sorted(set(memory), key=lambda each: (each.begin, -each.size)):
                if extent.size == 0:
                    continue
                flags = _HOST_REGISTER_READ_ONLY if extent.is_read_only else 0
                begin = ctypes.c_void_p(extent.begin)
                self._library.call("hipHostRegister", begin, ctypes.c_size_t(extent.size), flags)
                registered.append(begin)
            yield
        finally:
            for begin in reversed(registered):
                self._library.functions.hipHostUnregister(begin)

    def kernels(self) -> list[dict[str, Any]]:
        """What each kernel did until now, on all devices: the `kernels` of `hipwright run --report`."""
        return self._library.kernels()


@dataclass(frozen=True)
class Extent:
    """Memory of the program that a kernel may touch."""

    begin: int
    size: int
    is_read_only: bool = False


@dataclass
class Function:
    """A kernel on a device."""

    device: Device
    name: str
    module: ctypes.c_void_p
    handle: ctypes.c_void_p

    def unload(self) -> None:
        """Its module. The function must not be used again."""
        self.device.unload(self)

    @property
    def registers(self) -> int:
        return self.device.attribute(self, _REGISTERS)

    @property
    def local_bytes(self) -> int:
        """Scratch memory of a thread: spills and arrays."""
        return self.device.attribute(self, _LOCAL_BYTES)

    @property
    def max_threads(self) -> int:
        return self.device.attribute(self, _MAX_THREADS)
