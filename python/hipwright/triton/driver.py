# SPDX-License-Identifier: MIT
"""A driver of Triton whose device is the software GPU."""

from __future__ import annotations

import functools
import importlib.util
import sys
from typing import Any, Callable, Sequence

import triton
from triton.backends.compiler import GPUTarget
from triton.backends.driver import DriverBase as _DriverBase

from .. import memory, soft
from . import escaped
from .launcher import Launcher
from .work import Work, total

_warnings: list[soft.Finding] = []
#: By the handle of the module.
_loaded: dict[int, soft.Function] = {}


def take_warnings() -> list[soft.Finding]:
    taken = list(_warnings)
    _warnings.clear()
    return taken


class _Utilities:
    """What Triton calls to load code objects."""

    def __init__(self, device: soft.Device):
        self._device = device

    def get_device_properties(self, _ordinal: int) -> dict[str, Any]:
        properties = self._device.properties
        return {**properties, "sm_clock_rate": properties["clock_rate"], "arch": self._device.target,
                "warpSize": self._device.wave_size}

    def load_binary(self, name: str, kernel: bytes, _shared: int, _ordinal: int) -> tuple[int, int, int, int, int]:
        function = self._device.load(kernel, name)
        _loaded[function.module.value] = function
        spills = function.local_bytes // 4
        return function.module.value, function.handle.value, function.registers, spills, function.max_threads


def _begins_an_atomic(finding: soft.Finding) -> bool:
    """The compare-and-swap that the compiler makes of an atomic of 16 bits begins with a plain load, which the swap verifies."""
    other = finding.record.get("other")
    if not other or not finding.source or other["place"]["source"] != finding.source:
        return False
    instructions = [place["instruction"] for place in (finding.record["place"], other["place"])]
    return any("_load_" in each for each in instructions) and any("cmpswap" in each for each in instructions)


class SoftDriver(_DriverBase):
    """Implements the protocol of triton.runtime.driver.active."""

    launcher_cls: Callable[..., Any]

    def __init__(self, device: str = "soft:gfx942", check: bool | str = True):
        _check_version()
        self.device = soft.Device(device, check)
        self.utils = _Utilities(self.device)
        self.launcher_cls = functools.partial(Launcher, self)
        _adapt_triton()
        escaped.watch()

    @staticmethod
    def is_active() -> bool:
        return False

    def launch(self, *arguments: Any, has_atomics_of_halves: bool = False, **named: Any) -> None:
        found = self.device.launch(*arguments, **named)
        if has_atomics_of_halves:
            found = [finding for finding in found if not _begins_an_atomic(finding)]
        errors = [finding for finding in found if finding.severity == "error"]
        _warnings.extend(finding for finding in found if finding.severity != "error")
        if errors:
            raise soft.FindingsError(errors)

    def map_python_to_cpp_type(self, ty: str) -> str:
        raise NotImplementedError("the software GPU's launcher is not written in C++")

    def get_current_target(self) -> GPUTarget:
        return GPUTarget("hip", self.device.target.split(":")[0], self.device.wave_size)

    def get_current_device(self) -> int:
        return self.device.ordinal

    def set_current_device(self, ordinal: int) -> None:
        if ordinal != self.device.ordinal:
            raise soft.SoftError("choose a software GPU with hipwright.triton.use()")

    def get_current_stream(self, _ordinal: int) -> int:
        return 0

    def get_device_capability(self, _ordinal: int = 0) -> tuple[int, int]:
        name = self.device.target
        return int(name[3:-2]), int(name[-2], 16)

    def get_active_torch_device(self) -> Any:
        import torch

        return torch.device("cpu")

    def get_device_interface(self) -> Any:
        raise soft.SoftError("the software GPU measures no time: triton.testing.do_bench returns counted work")

    def get_benchmarker(self) -> Callable[..., Any]:
        return self.count

    def get_empty_cache_for_benchmark(self) -> None:
        return None

    def clear_cache(self, _cache: Any) -> None:
        return None

    def assemble_tensormap_to_arg(self, _tensormaps_info: Any, args: Any) -> Any:
        return args

    def count(self, kernel_call: Callable[[], Any], quantiles: Sequence[float] | None = None,
              return_mode: str = "mean", **_ignored: Any) -> Any:
        """The work of one call, in the place of triton.testing.do_bench."""
        before = total(self.device.kernels())
        kernel_call()
        after = total(self.device.kernels())
        work = Work(after[0] - before[0], after[1] - before[1], "soft:" + self.device.target)
        if quantiles is not None:
            return [work] * len(quantiles) if len(quantiles) > 1 else work
        return [work] if return_mode == "all" else work


def _check_version() -> None:
    version = tuple(int(part) for part in triton.__version__.split(".")[:2])
    if version < (3, 4):
        print(f"hipwright: warning: Triton {triton.__version__} has not been tried; 3.6 has", file=sys.stderr)


class _Array:
    """A numpy array as Triton looks at arguments: with data_ptr() and dtype."""

    def __init__(self, array: Any):
        self.array, self.dtype = array, array.dtype

    def data_ptr(self) -> int:
        return memory.address_of(self.array)

    def ptr_range(self) -> int:
        """Bytes that the pointer reaches: Triton uses buffer instructions below 2 GiB."""
        return memory.extent_of(self.array).size


def _is_soft() -> bool:
    return isinstance(triton.runtime.driver.active, SoftDriver)


@functools.cache
def _adapt_triton() -> None:
    """Triton takes no numpy arrays, and its do_bench needs a device that keeps time."""
    import triton.testing
    from triton.runtime import jit

    specialize = jit.native_specialize_impl

    @functools.wraps(specialize)
    def specialize_adapted(backend, value, *rest):
        if memory.is_numpy(value) and _is_soft():
            value = _Array(value)
        with escaped.muted():
            return specialize(backend, value, *rest)

    # Triton's binders take this name when they are made, which is after the driver is.
    jit.native_specialize_impl = specialize_adapted
    if importlib.util.find_spec("torch") is None:
        from triton.backends.amd.compiler import HIPBackend

        # Triton's own imports torch to ask whether the argument is a tensor.
        HIPBackend.is_within_2gb = staticmethod(lambda value: hasattr(value, "ptr_range") and value.ptr_range() < 2**31)
    _adapt_unloading()
    for name in ("do_bench", "do_bench_cudagraph"):
        setattr(triton.testing, name, _counting(getattr(triton.testing, name)))


def _adapt_unloading() -> None:
    """Since 3.9 a kernel that is collected asks the driver of that moment, if there is one, to unload its module."""
    from triton.compiler.compiler import CompiledKernel

    if not hasattr(CompiledKernel, "__del__"):
        return
    unload = CompiledKernel.__del__

    @functools.wraps(unload)
    def adapted(self: Any) -> None:
        function = _loaded.pop(self.module, None)
        if function is None:
            unload(self)
        else:
            self.module = None
            function.unload()

    CompiledKernel.__del__ = adapted


def _counting(bench: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(bench)
    def counting(kernel_call, *arguments, **named):
        if _is_soft():
            return triton.runtime.driver.active.count(kernel_call, **named)
        return bench(kernel_call, *arguments, **named)

    return counting


@functools.cache
def _driver(device: str, check: bool | str) -> SoftDriver:
    return SoftDriver(device, check)


def activate(device: str, check: bool | str) -> None:
    triton.runtime.driver.set_active(_driver(device, check))


def active() -> Any:
    # Not `active`, which would look for a GPU.
    return triton.runtime.driver._active


def restore(before: Any) -> None:
    triton.runtime.driver._active = before
