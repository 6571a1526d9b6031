# SPDX-License-Identifier: MIT
"""The memory behind arrays and tensors of other packages, none of which is imported here."""

from __future__ import annotations

from typing import Any

from .soft import Extent


def is_numpy(value: Any) -> bool:
    return type(value).__module__ == "numpy" and hasattr(value, "__array_interface__") and hasattr(value, "strides")


def address_of(value: Any) -> int:
    """Where an array or tensor begins."""
    return value.__array_interface__["data"][0] if is_numpy(value) else value.data_ptr()


def _of_numpy(array: Any) -> Extent:
    owner = array
    while is_numpy(owner.base):
        owner = owner.base
    begin = address_of(owner)
    low, high = 0, owner.itemsize
    for length, stride in zip(owner.shape, owner.strides):
        if length == 0:
            return Extent(begin, 0)
        low, high = (low + (length - 1) * stride, high) if stride < 0 else (low, high + (length - 1) * stride)
    return Extent(begin + low, high - low, not owner.flags.writeable)


def _of_torch(tensor: Any) -> Extent:
    if tensor.device.type != "cpu":
        raise TypeError(f"the software GPU uses tensors of the CPU, not of '{tensor.device}'")
    storage = tensor.untyped_storage() if hasattr(tensor, "untyped_storage") else tensor.storage()
    return Extent(storage.data_ptr(), storage.nbytes())


def extent_of(value: Any) -> Extent:
    """The whole allocation that an array or tensor is part of."""
    if is_numpy(value):
        return _of_numpy(value)
    if hasattr(value, "untyped_storage") or hasattr(value, "storage"):
        return _of_torch(value)
    for name in ("base", "array"):  # wrappers: Triton's, ours
        if (inner := getattr(value, name, None)) is not None:
            return extent_of(inner)
    raise TypeError(f"the size of the memory behind {type(value).__name__} is not known; pass a torch tensor or a numpy array")
