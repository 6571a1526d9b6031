# SPDX-License-Identifier: MIT
import gc

import pytest

torch = pytest.importorskip("torch", reason="not run: torch is not installed")
triton = pytest.importorskip("triton", reason="not run: Triton is not installed")

import triton.language as tl  # noqa: E402

import hipwright.triton  # noqa: E402


@triton.jit
def softmax(out, x, stride, n, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    values = tl.load(x + row * stride + i, i < n, -float("inf"))
    values = tl.exp(values - tl.max(values, 0))
    tl.store(out + row * stride + i, values / tl.sum(values, 0), i < n)


@pytest.mark.amd("gfx942", "gfx1100")
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_tensors(amd_target, dtype):
    x = torch.randn(9, 300, dtype=dtype, generator=torch.Generator().manual_seed(1))
    out = torch.empty_like(x)
    softmax[(9,)](out, x, x.stride(0), 300, BLOCK=512)
    torch.testing.assert_close(out, torch.softmax(x, 1))


@triton.jit
def follows(pointers, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(pointers + tl.program_id(0)).to(tl.pointer_type(tl.float32))
    tl.atomic_add(out + i, tl.load(x + i, i < n), i < n)


@pytest.mark.amd("gfx942")
def test_pointers_in_memory(amd_target):
    inputs = [torch.full((100,), float(value)) for value in (1, 2, 4)]
    pointers = torch.tensor([x.data_ptr() for x in inputs])
    out = torch.zeros(100)
    follows[(3,)](pointers, out, 100, BLOCK=128)
    assert (out == 7).all()
    del inputs
    gc.collect()
    with pytest.raises(hipwright.triton.FindingsError, match="outside every allocation"):
        follows[(3,)](pointers, out, 100, BLOCK=128)


@pytest.mark.amd("gfx942")
def test_memory_of_earlier_launches_is_out_of_bounds(amd_target):
    x, out = torch.zeros(1, 4), torch.zeros(1, 4)
    softmax[(1,)](out, x, 4, 4, BLOCK=4)
    with pytest.raises(hipwright.triton.FindingsError):
        softmax[(1,)](out, torch.zeros(1, 4), 4, 8, BLOCK=8)
