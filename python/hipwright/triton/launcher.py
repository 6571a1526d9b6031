# SPDX-License-Identifier: MIT
"""Lays out a kernel's arguments as Triton's AMD compiler expects them, and launches it."""

from __future__ import annotations

import ctypes
import dataclasses
import struct
from typing import Any

from .. import memory, soft
from . import escaped

_INTEGERS = {
    "i1": ctypes.c_int8,
    "u1": ctypes.c_uint8,
    "i8": ctypes.c_int8,
    "i16": ctypes.c_int16,
    "i32": ctypes.c_int32,
    "i64": ctypes.c_int64,
    "u8": ctypes.c_uint8,
    "u16": ctypes.c_uint16,
    "u32": ctypes.c_uint32,
    "u64": ctypes.c_uint64,
}


_HALVES = ("*fp16", "*bf16")


def _bf16_bits(value: float) -> int:
    return struct.unpack("<I", struct.pack("<f", value))[0] >> 16


def _fp16_bits(value: float) -> int:
    return struct.unpack("<H", struct.pack("<e", value))[0]


def scalar(kind: str, value: Any) -> ctypes._SimpleCData:
    """A scalar argument by its type in Triton's signature."""
    if kind in _INTEGERS:
        return _INTEGERS[kind](int(value))
    if kind in ("fp32", "f32"):
        return ctypes.c_float(value)
    if kind == "fp64":
        return ctypes.c_double(value)
    if kind == "fp16":
        return ctypes.c_uint16(_fp16_bits(value))
    if kind == "bf16":
        return ctypes.c_uint16(_bf16_bits(value))
    raise TypeError(f"arguments of type {kind} are not supported by the software GPU's launcher")


class Arguments:
    """The arguments of one launch, and the memory that they point to."""

    def __init__(self) -> None:
        self.values: list[ctypes._SimpleCData] = []
        self.memory: list[soft.Extent] = []

    def add(self, kind: Any, value: Any) -> None:
        if isinstance(kind, tuple):
            for inner_kind, inner in zip(kind, value):
                self.add(inner_kind, inner)
        elif kind == "constexpr":
            pass
        elif kind.startswith("*"):
            self.add_pointer(value)
        elif kind.startswith("tensordesc"):
            self.add_descriptor(value)
        else:
            self.values.append(scalar(kind, value))

    def add_pointer(self, value: Any) -> None:
        if value is None:
            address = 0
        elif isinstance(value, int):
            address = value
        else:
            address = memory.address_of(value)
            if address:
                self.memory.append(memory.extent_of(value))
        self.values.append(ctypes.c_void_p(address))

    def add_descriptor(self, descriptor: Any) -> None:
        # Triton's compiler takes it apart, and asks for shape and strides twice.
        self.add_pointer(descriptor.base)
        shape, strides = descriptor.shape, descriptor.strides
        for size in (*shape, *strides):
            self.values.append(ctypes.c_int64(size))
        self.values.append(ctypes.c_int8(getattr(descriptor, "padding", None) == "nan"))
        if hasattr(descriptor, "round_f32_to_tf32"):  # since Triton 3.7
            self.values.append(ctypes.c_int8(descriptor.round_f32_to_tf32))
        self.values.extend(ctypes.c_int32(size) for size in shape)
        self.values.extend(ctypes.c_int64(stride) for stride in strides)


def _uses_atomics(function: Any, seen: set[int]) -> bool:
    """Whether a kernel, or a @triton.jit function that it calls by name, has an atomic operation."""
    if id(function) in seen or not hasattr(function, "src"):
        return False
    seen.add(id(function))
    if "atomic" in function.src:
        return True
    names, found = function.fn.__code__.co_names, function.fn.__globals__
    return any(_uses_atomics(found[name], seen) for name in names if name in found)


def _in_words(extent: soft.Extent) -> soft.Extent:
    """With the whole of the 4 bytes in which it ends."""
    return dataclasses.replace(extent, size=(extent.size + 3) // 4 * 4)


class Launcher:
    """Triton makes one for each compiled kernel."""

    def __init__(self, driver: Any, source: Any, metadata: Any):
        self._driver = driver
        self._kinds = list(source.signature.values())
        self._metadata = metadata
        # The compiler makes atomics of 16 bits of those of 32, which reach the other half of the word.
        self._has_atomics_of_halves = any(kind in _HALVES for kind in self._kinds) and _uses_atomics(
            getattr(source, "fn", None), set()
        )
        if getattr(metadata, "profile_scratch_size", 0):
            raise soft.SoftError("kernels instrumented for Triton's profiler are not supported")
        if getattr(metadata, "num_ctas", 1) > 1:
            raise soft.SoftError("num_ctas above 1 is not supported")

    def _memory(self, arguments: Arguments) -> list[soft.Extent]:
        return [_in_words(each) for each in arguments.memory] if self._has_atomics_of_halves else arguments.memory

    def __call__(self, grid_x: int, grid_y: int, grid_z: int, _stream: int, function: int, _packed: Any,
                 launch_metadata: Any, enter_hook: Any, exit_hook: Any, *values: Any) -> None:
        if enter_hook is not None:
            enter_hook(launch_metadata)
        if grid_x * grid_y * grid_z > 0:
            arguments = Arguments()
            with escaped.muted():
                for kind, value in zip(self._kinds, values):
                    arguments.add(kind, value)
            # Scratch memory of Triton's runtime and of its profiler, which these kernels do not use.
            arguments.values.extend([ctypes.c_void_p(0), ctypes.c_void_p(0)])
            self._driver.launch(
                ctypes.c_void_p(function),
                (grid_x, grid_y, grid_z),
                (self._metadata.num_warps * self._metadata.warp_size, 1, 1),
                arguments.values,
                shared=self._metadata.shared,
                memory=[*self._memory(arguments), *escaped.extents()],
                has_atomics_of_halves=self._has_atomics_of_halves,
                cooperative=bool(getattr(self._metadata, "launch_cooperative_grid", False)),
            )
        if exit_hook is not None:
            exit_hook(launch_metadata)
