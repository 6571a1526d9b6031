# SPDX-License-Identifier: MIT
"""Runs a program, or a file of tests, and keeps what each Triton kernel was given and what it left.

    python -m hipwright.triton.record FOLDER DEVICE FILE [ARGUMENT…]

DEVICE is "soft:gfx942", "interpreter" (Triton's own, with TRITON_INTERPRET=1) or "cuda". FOLDER gets launches.jsonl,
one line for each launch, and the arrays as files of bytes. `hipwright verify triton` compares folders.
"""

from __future__ import annotations

import functools
import json
import os
import random
import runpy
import sys
from pathlib import Path
from typing import Any, Iterator

from .. import memory

INTERPRETER, CUDA = "interpreter", "cuda"
#: Set while a recorded program runs; the pytest plugin then leaves the device alone.
VARIABLE = "HIPWRIGHT_TRITON_RECORD"
#: Arrays beyond this many bytes are not kept: their launches cannot be compared.
LIMIT = 4 << 30
_SEED = 0


def is_test_file(path: Path) -> bool:
    return path.name.startswith("test_") or path.stem.endswith("_test")


def _tensors(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """The arrays in an argument, with a name for each."""
    if isinstance(value, (tuple, list)):
        for index, each in enumerate(value):
            yield from _tensors(f"{name}[{index}]", each)
    elif memory.is_numpy(value) or (hasattr(value, "data_ptr") and hasattr(value, "detach")):
        yield name, value
    elif hasattr(value, "block_shape") and hasattr(value, "base"):  # a tensor descriptor
        yield from _tensors(name, value.base)


def _bytes_of(value: Any) -> bytes:
    if memory.is_numpy(value):
        return value.tobytes()
    import torch

    plain = value.detach().cpu().contiguous()
    return plain.reshape(-1).view(torch.uint8).numpy().tobytes() if plain.numel() else b""


class Recorder:
    """Wraps the launches of this process."""

    def __init__(self, folder: Path):
        self.folder = folder
        self._lines = open(folder / "launches.jsonl", "w", encoding="utf-8")
        self._kept = 0
        self._count = 0
        self._is_muted = False

    def install(self) -> None:
        from triton.runtime.autotuner import Autotuner
        from triton.runtime.interpreter import InterpretedFunction
        from triton.runtime.jit import JITFunction

        for kind in (JITFunction, InterpretedFunction):
            kind.run = self._recording(kind.run)
        Autotuner._bench = self._muted(Autotuner._bench)

    def _muted(self, bench: Any) -> Any:
        """Launches that only measure are not compared: their number depends on the device."""

        @functools.wraps(bench)
        def muted(*arguments: Any, **named: Any) -> Any:
            before, self._is_muted = self._is_muted, True
            try:
                return bench(*arguments, **named)
            finally:
                self._is_muted = before

        return muted

    def _recording(self, run: Any) -> Any:
        @functools.wraps(run)
        def recording(function: Any, *arguments: Any, grid: Any, warmup: bool, **named: Any) -> Any:
            if warmup or self._is_muted:
                return run(function, *arguments, grid=grid, warmup=warmup, **named)
            given = {**dict(zip(function.arg_names, arguments)), **named}
            tensors = [pair for name, value in given.items() for pair in _tensors(name, value)]
            before = [_bytes_of(value) for _, value in tensors]
            error = None
            self._is_muted = True  # a launch inside is a part of this one
            try:
                return run(function, *arguments, grid=grid, warmup=warmup, **named)
            except BaseException as raised:
                error = f"{type(raised).__name__}: {raised}"
                raise
            finally:
                self._is_muted = False
                self._write(function, tensors, before, error)

        return recording

    def _write(self, function: Any, tensors: list[tuple[str, Any]], before: list[bytes], error: str | None) -> None:
        code = function.fn.__code__
        arrays = []
        for (name, value), old in zip(tensors, before):
            new = _bytes_of(value)
            is_written = new != old
            arrays.append(
                {
                    "name": name,
                    "dtype": str(value.dtype).removeprefix("torch."),
                    "shape": list(value.shape),
                    "before": self._keep(old),
                    "after": self._keep(new) if is_written else None,
                }
            )
        record = {
            "kernel": function.fn.__name__,
            "source": f"{code.co_filename}:{code.co_firstlineno}",
            "test": os.environ.get("PYTEST_CURRENT_TEST", "").rsplit(" (", 1)[0],
            "arrays": arrays,
            "error": error,
        }
        self._lines.write(json.dumps(record) + "\n")
        self._lines.flush()

    def _keep(self, content: bytes) -> str | None:
        self._kept += len(content)
        if self._kept > LIMIT:
            return None
        self._count += 1
        name = f"{self._count}.bin"
        (self.folder / name).write_bytes(content)
        return name


def _seed() -> None:
    """The same inputs on every device, as far as the program draws them from these."""
    random.seed(_SEED)
    for name in ("numpy", "torch"):
        try:
            module = __import__(name)
        except ImportError:
            continue
        module.random.seed(_SEED) if name == "numpy" else module.manual_seed(_SEED)


def _interpret_arrays() -> None:
    """Triton's interpreter takes numpy arrays, and tries one configuration instead of measuring."""
    from triton.runtime.autotuner import Autotuner
    from triton.runtime.interpreter import GridExecutor

    from .driver import _Array

    to_host = GridExecutor._init_args_hst

    @functools.wraps(to_host)
    def adapted(self: Any, arguments: Any, named: Any) -> Any:
        if not any(memory.is_numpy(each) for each in (*arguments, *named.values())):
            return to_host(self, arguments, named)
        wrap = lambda value: _Array(value) if memory.is_numpy(value) else value  # noqa: E731
        return [wrap(each) for each in arguments], {key: wrap(each) for key, each in named.items()}

    restore = GridExecutor._restore_args_dev

    @functools.wraps(restore)
    def restored(self: Any, arguments: Any, on_host: Any, named: Any, named_on_host: Any) -> None:
        if not any(memory.is_numpy(each) for each in (*arguments, *named.values())):
            restore(self, arguments, on_host, named, named_on_host)

    GridExecutor._init_args_hst = adapted
    GridExecutor._restore_args_dev = restored
    Autotuner._bench = lambda self, *arguments, **named: 0.0


def main(arguments: list[str]) -> int:
    folder, device, file = Path(arguments[0]), arguments[1], Path(arguments[2]).resolve()
    os.environ[VARIABLE] = device
    if device == INTERPRETER:
        os.environ["TRITON_INTERPRET"] = "1"
        _interpret_arrays()
    elif device != CUDA:
        import hipwright.triton

        hipwright.triton.use(device)
    Recorder(folder).install()
    _seed()
    sys.argv = [str(file), *arguments[3:]]
    sys.path.insert(0, str(file.parent))
    if is_test_file(file):
        import pytest

        return int(pytest.main(["-q", "-p", "no:cacheprovider", "--tb=short", "--no-header", str(file), *arguments[3:]]))
    runpy.run_path(str(file), run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
