#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A Python project, ported as a user does it: everything that comes out is Python, NVIDIA keeps what it had, a planted change is
# caught, and porting again changes nothing.
. "$(dirname "$0")/lib.sh"

old=$scratch/old
mkdir -p "$old/src/pkg" "$old/scripts"
touch "$old/src/pkg/__init__.py"
cat >"$old/src/pkg/model.py" <<'END_OF_FILE'
"""A model.

    import pynvml  # not code
"""
from __future__ import annotations

import os

import pynvml
import torch
from flash_attn import flash_attn_func, flash_attn_varlen_func

from . import __name__ as package

os.environ.setdefault("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True,max_split_size_mb:128")
torch.backends.cuda.matmul.allow_tf32 = True
torch.backends.cudnn.allow_tf32 = True


def free_memory(index: int) -> int:
    pynvml.nvmlInit()
    return pynvml.nvmlDeviceGetMemoryInfo(pynvml.nvmlDeviceGetHandleByIndex(index)).free


def attention(q, k, v):
    return flash_attn_func(q, k, v, causal=True)


@torch.compile(mode="reduce-overhead")
def step(x):
    return x + 1


def record(x):
    graph = torch.cuda.CUDAGraph()
    torch.cuda.synchronize()
    with torch.cuda.graph(graph):
        y = step(x)
    return graph, y
END_OF_FILE
cat >"$old/scripts/run.py" <<'END_OF_FILE'
import torch

from pkg.model import record

if torch.version.cuda is not None:
    record(torch.zeros(8, device="cuda"))
END_OF_FILE
printf 'numpy\ntorch==2.4.0+cu124\nnvidia-nccl-cu12\n' >"$old/requirements.txt"

expect_ok hipwright port "$old" --out "$scratch/new"
for file in $(cd "$scratch/new" && find . -name '*.py'); do
  expect_ok python3 -m py_compile "$scratch/new/$file"
done
find "$scratch/new" -name __pycache__ -exec rm -r {} +
for file in src/pkg/hip_support.py src/pkg/attention_fallback.py src/pkg/nvml_fallback.py requirements-rocm.txt ROCM.md; do
  [ -s "$scratch/new/$file" ] || fail "$file was not added"
done
[ ! -e "$scratch/new/scripts/hip_support.py" ] || fail "is_rocm is defined twice"
cmp "$old/requirements.txt" "$scratch/new/requirements.txt" || fail "requirements.txt was changed"

expect_ok hipwright port --check-isolation "$old" "$scratch/new"
sed -i 's/causal=True/causal=False/' "$scratch/new/src/pkg/model.py"
expect_exit 1 hipwright port --check-isolation "$old" "$scratch/new"
expect_output model.py causal
sed -i 's/causal=False/causal=True/' "$scratch/new/src/pkg/model.py"
cp "$scratch/new/src/pkg/hip_support.py" "$scratch/support.py"
sed -i 's/() is not None/() is None/' "$scratch/new/src/pkg/hip_support.py"
expect_exit 1 hipwright port --check-isolation "$old" "$scratch/new"
expect_output "is_rocm"
cp "$scratch/support.py" "$scratch/new/src/pkg/hip_support.py"

# A new file that unchanged code finds is no addition.
echo 'x = 1' >"$scratch/new/scripts/torch.py"
expect_exit 1 hipwright port --check-isolation "$old" "$scratch/new"
expect_output "scripts/torch.py" "import torch"
rm "$scratch/new/scripts/torch.py"

# Who asks before torch is loaded does not load it: settings that come first still count.
mkdir -p "$scratch/early/torch"
cp "$scratch/support.py" "$scratch/early/hip_support.py"
echo 'raise SystemExit("torch was loaded")' >"$scratch/early/torch/__init__.py"
for version in None "'6.4'"; do
  printf '__version__ = "2.6"\ncuda = None\nhip = %s\n' "$version" >"$scratch/early/torch/version.py"
  PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$scratch/early python3 -c "
from hip_support import is_rocm
assert is_rocm == ($version != None)" || fail "is_rocm is wrong where torch.version.hip is $version"
done

expect_ok hipwright port "$scratch/new"
[ ! -s "$last" ] || fail "porting again changes something"
finish
