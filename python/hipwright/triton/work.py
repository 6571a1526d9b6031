# SPDX-License-Identifier: MIT
"""Counted work, which stands where Triton expects a time."""

from __future__ import annotations

from typing import Any


class Work(float):
    """Instructions that waves issued, plus cache lines of global memory that they moved. No time: it ranks
    configurations of one kernel, and says nothing of how long hardware takes."""

    def __new__(cls, instructions: int, lines: int, device: str) -> Work:
        work = super().__new__(cls, instructions + lines)
        work.instructions, work.lines, work.device = instructions, lines, device
        return work

    instructions: int
    lines: int
    device: str

    def __repr__(self) -> str:
        return f"{self.instructions} instructions + {self.lines} cache lines (counted on {self.device})"

    __str__ = __repr__


def total(kernels: list[dict[str, Any]]) -> tuple[int, int]:
    """Instructions and cache lines of all kernels until now."""
    instructions = sum(kernel["instructions"]["total"] for kernel in kernels)
    lines = sum(traffic["lines"] for kernel in kernels for traffic in kernel["global"].values() if isinstance(traffic, dict))
    return instructions, lines
