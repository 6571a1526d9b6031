# SPDX-License-Identifier: MIT
"""Tensors whose address the program took itself: a kernel may follow a pointer that it finds in memory."""

from __future__ import annotations

import contextlib
import functools
import sys
import weakref
from typing import Iterator

from .. import memory, soft

_storages: weakref.WeakValueDictionary[int, object] = weakref.WeakValueDictionary()
_is_muted = False


@contextlib.contextmanager
def muted() -> Iterator[None]:
    """While Triton itself asks for addresses."""
    global _is_muted
    before, _is_muted = _is_muted, True
    try:
        yield
    finally:
        _is_muted = before


@functools.cache
def watch() -> None:
    """From here on `tensor.data_ptr()` is remembered for as long as the memory lives."""
    torch = sys.modules.get("torch")
    if torch is None or not hasattr(torch.Tensor, "untyped_storage"):
        return
    data_ptr = torch.Tensor.data_ptr

    @functools.wraps(data_ptr)
    def watched(self):
        if not _is_muted and self.device.type == "cpu":
            storage = self.untyped_storage()
            _storages[storage.data_ptr()] = storage
        return data_ptr(self)

    torch.Tensor.data_ptr = watched


def extents() -> list[soft.Extent]:
    return [memory.Extent(storage.data_ptr(), storage.nbytes()) for storage in _storages.values()]
