# SPDX-License-Identifier: MIT
"""Numbers of the types that kernels compute with, and how far two correct results may be apart."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class _Small:
    """A floating-point format of eight bits."""

    exponent: int
    mantissa: int
    bias: int
    is_fnuz: bool = False  # one zero, one NaN (0x80), no infinities
    has_infinities: bool = False

    def table(self) -> np.ndarray:
        codes = np.arange(256)
        sign = np.where(codes >= 128, -1.0, 1.0)
        exponent = (codes >> self.mantissa) & ((1 << self.exponent) - 1)
        mantissa = codes & ((1 << self.mantissa) - 1)
        fraction = mantissa / (1 << self.mantissa)
        value = np.where(
            exponent == 0, fraction * 2.0 ** (1 - self.bias), (1 + fraction) * 2.0 ** (exponent - self.bias)
        )
        value = sign * value
        last = (1 << self.exponent) - 1
        if self.is_fnuz:
            value[0x80] = np.nan
        elif self.has_infinities:
            value[(exponent == last) & (mantissa == 0)] *= np.inf
            value[(exponent == last) & (mantissa != 0)] = np.nan
        else:
            value[(codes & 0x7F) == 0x7F] = np.nan
        return value


_SMALL = {
    "float8_e4m3fn": _Small(4, 3, 7),
    "float8_e4m3fnuz": _Small(4, 3, 8, is_fnuz=True),
    "float8_e5m2": _Small(5, 2, 15, has_infinities=True),
    "float8_e5m2fnuz": _Small(5, 2, 16, is_fnuz=True),
}

#: Relative tolerance by type; the least precise of a launch counts. Sums may be taken in another order.
RELATIVE = {"float64": 1e-9, "float32": 1e-4, "float16": 4e-3, "bfloat16": 3e-2, **{name: 0.13 for name in _SMALL}}


def is_float(dtype: str) -> bool:
    return dtype in RELATIVE


def decoded(content: bytes, dtype: str) -> np.ndarray:
    """The numbers as an array of a type that numpy has."""
    if dtype in _SMALL:
        return _SMALL[dtype].table()[np.frombuffer(content, np.uint8)]
    if dtype == "bfloat16":
        return (np.frombuffer(content, np.uint16).astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    return np.frombuffer(content, np.dtype(dtype))


@dataclass(frozen=True)
class Difference:
    count: int
    of: int
    index: int  # of the first
    value: float
    expected: float


def difference(content: bytes, expected: bytes, dtype: str, relative: float) -> Difference | None:
    """Where two arrays differ by more than the tolerance: relative to the value, or to the root mean square of all."""
    if content == expected:
        return None
    actual, wanted = decoded(content, dtype), decoded(expected, dtype)
    if not is_float(dtype):
        differs = actual != wanted
    else:
        actual, wanted = actual.astype(np.float64), wanted.astype(np.float64)
        finite = wanted[np.isfinite(wanted)]
        scale = float(np.sqrt(np.mean(finite**2))) if finite.size else 0.0
        with np.errstate(invalid="ignore"):
            is_close = np.abs(actual - wanted) <= relative * np.maximum(np.abs(wanted), scale)
        differs = ~(is_close | (actual == wanted) | (np.isnan(actual) & np.isnan(wanted)))
    places = np.flatnonzero(differs)
    if not places.size:
        return None
    first = int(places[0])
    return Difference(int(places.size), int(wanted.size), first, actual[first].item(), wanted[first].item())
