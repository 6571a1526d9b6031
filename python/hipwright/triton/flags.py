# SPDX-License-Identifier: MIT
"""Compiles the kernels in Triton's cache again, with other options of its AMD backend.

    python -m hipwright.triton.flags DIRECTORY OUT

DIRECTORY is the cache, or a part of it. For each kernel and each option, OUT gets HASH/OPTION/NAME.hsaco and NAME.json,
where HASH is the kernel's directory in the cache; `hipwright inspect --flags` compares them.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any, Iterator

import triton
from triton.backends.compiler import GPUTarget

_KEPT = ("num_warps", "num_stages", "num_ctas", "waves_per_eu", "matrix_instr_nonkdim", "kpack", "enable_fp_fusion",
         "allow_flush_denorm", "launch_cooperative_grid", "sanitize_overflow", "debug", "schedule_hint")
_ALWAYS = {"waves_per_eu": (1, 2, 3, 4)}
#: Only kernels with products have these.
_OF_PRODUCTS = {"num_stages": (1, 2, 3), "matrix_instr_nonkdim": (16, 32)}


def _variants(options: dict[str, Any], has_product: bool, wave_size: int) -> Iterator[tuple[str, Any]]:
    table = {**_ALWAYS, **(_OF_PRODUCTS if has_product else {})}
    if wave_size == 32:
        table.pop("matrix_instr_nonkdim", None)  # WMMA has one shape
    warps = options["num_warps"]
    table["num_warps"] = tuple(each for each in (warps // 2, warps * 2) if 1 <= each <= 1024 // wave_size)
    for name, values in table.items():
        for value in values:
            if options.get(name) != value:
                yield name, value


def _compile(source: Path, target: GPUTarget, options: dict[str, Any]) -> Any:
    return triton.compile(str(source), target=target, options=options)


def kernels(directory: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """The intermediate code of AMD's kernels, and their metadata."""
    for source in sorted(directory.rglob("*.ttir")):
        description = source.with_suffix(".json")
        if description.exists() and source.with_suffix(".hsaco").exists():
            yield source, json.loads(description.read_text(encoding="utf-8"))


def recompile(source: Path, metadata: dict[str, Any], out: Path) -> None:
    target = GPUTarget(metadata["target"]["backend"], metadata["target"]["arch"], metadata["target"]["warp_size"])
    options = {name: metadata[name] for name in _KEPT if name in metadata}
    has_product = "tt.dot" in source.read_text(encoding="utf-8")
    for name, value in _variants(options, has_product, target.warp_size):
        try:
            compiled = _compile(source, target, {**options, name: value})
        except Exception as error:  # noqa: BLE001  # some values suit no tile of the kernel: the compiler says so in many ways
            print(f"{source.name}: {name}={value}: {error}", file=sys.stderr)
            continue
        folder = out / source.parent.name / f"{name}={value}"
        folder.mkdir(parents=True)
        (folder / f"{source.stem}.hsaco").write_bytes(compiled.asm["hsaco"])
        found = {key: each for key, each in compiled.metadata._asdict().items() if isinstance(each, (int, str))}
        (folder / f"{source.stem}.json").write_text(json.dumps({**found, "hipwright_variant": f"{name}={value}"}), encoding="utf-8")


def main(words: list[str]) -> int:
    directory, out = map(Path, words)
    with tempfile.TemporaryDirectory(prefix="hipwright-triton-") as cache:
        triton.knobs.cache.dir = cache  # what is compiled here is no part of the user's
        for source, metadata in kernels(directory.resolve()):
            recompile(source, metadata, out)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
