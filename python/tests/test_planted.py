# SPDX-License-Identifier: MIT
"""Bugs of Triton kernels, each caught with the line that makes it. Each line has the comment `# here`."""
import inspect
import os

import pytest

np = pytest.importorskip("numpy", reason="not run: numpy is not installed")
triton = pytest.importorskip("triton", reason="not run: Triton is not installed")

import triton.language as tl  # noqa: E402

import hipwright  # noqa: E402
import hipwright.triton  # noqa: E402

TARGETS = ("gfx942", "gfx1100")


def place(kernel):
    """file:line of the comment."""
    lines, first = inspect.getsourcelines(kernel.fn)
    return f"{os.path.basename(__file__)}:{first + next(i for i, line in enumerate(lines) if '# here' in line)}"


@triton.jit
def mask_off_by_one(x, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + i, 1.0, i <= n)  # here


@triton.jit
def programs_race(out, BLOCK: tl.constexpr):
    tl.store(out + tl.arange(0, BLOCK), tl.program_id(0))  # here


@triton.jit
def missing_barrier(x, y, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(x + i, i * 2)
    tl.store(y + i, tl.load(x + (BLOCK - 1 - i)))  # here


@triton.jit
def with_barrier(x, y, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(x + i, i * 2)
    tl.debug_barrier()
    tl.store(y + i, tl.load(x + (BLOCK - 1 - i)))


@triton.jit
def unset_shared(out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    read = tl.inline_asm_elementwise("ds_read_b32 $0, $1\ns_waitcnt lgkmcnt(0)", "=v,v", [i * 4], tl.int32, False, 1)
    tl.store(out + i, read + tl.sum(i, 0))  # here


@triton.jit
def overflow_of_offset(x, out, row, stride, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + row * stride + i))  # here


@triton.jit
def wrong_stride(x, out, columns, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    values = tl.load(x + row * BLOCK + i, i < columns)  # here
    tl.store(out + row * columns + i, values, i < columns)


def zeros(*shape):
    return np.zeros(shape, "float32")


BUGS = {
    "out-of-bounds": [
        (mask_off_by_one, (8,), lambda: (zeros(1000), 1000), {"BLOCK": 128}),
        (overflow_of_offset, (1,), lambda: (zeros(1000), zeros(64), 60_000, 40_000), {"BLOCK": 64}),
        (wrong_stride, (10,), lambda: (zeros(10, 100), zeros(10, 100), 100), {"BLOCK": 128}),
    ],
    "grid-race": [(programs_race, (4,), lambda: (np.zeros(64, "int32"),), {"BLOCK": 64})],
    "global-race": [
        (missing_barrier, (1,), lambda: (np.zeros(1024, "int32"), np.zeros(1024, "int32")), {"BLOCK": 1024})
    ],
    "uninitialised-store": [(unset_shared, (1,), lambda: (np.zeros(256, "int32"),), {"BLOCK": 256})],
}


@pytest.mark.amd(*TARGETS)
@pytest.mark.parametrize("kind, bug", [(kind, bug) for kind, bugs in BUGS.items() for bug in bugs],
                         ids=[bug[0].fn.__name__ for bugs in BUGS.values() for bug in bugs])
def test_caught_at_its_line(amd_target, kind, bug):
    kernel, grid, arguments, sizes = bug
    with pytest.raises(hipwright.triton.FindingsError) as raised:
        kernel[grid](*arguments(), **sizes)
    assert place(kernel) in {os.path.basename(each.source) for each in raised.value.findings if each.kind == kind}


@pytest.mark.amd(*TARGETS)
def test_quiet_with_a_barrier(amd_target):
    y = np.zeros(1024, "int32")
    with_barrier[(1,)](np.zeros(1024, "int32"), y, BLOCK=1024)
    assert (y == 2 * np.arange(1023, -1, -1)).all()
    assert not hipwright.triton.findings()


COMPARED = """\
import numpy as np, triton, triton.language as tl

@triton.jit
def order_of_atomics(counter, out):
    tl.store(out + tl.program_id(0), tl.atomic_add(counter, 1))

@triton.jit
def lanes_of_a_wave(out, SIZE: tl.constexpr):
    i = tl.arange(0, SIZE)
    lane = tl.inline_asm_elementwise("v_mbcnt_lo_u32_b32 $0, -1, 0", "=v,v", [i], tl.int32, False, 1)
    tl.store(out + i, lane)

@triton.jit
def add(x, y, z, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(z + i, tl.load(x + i, i < n) + tl.load(y + i, i < n), i < n)

def test_atomics():
    order_of_atomics[(64,)](np.zeros(1, "int32"), np.zeros(64, "int32"))

def test_lanes():
    lanes_of_a_wave[(1,)](np.zeros(64, "int32"), SIZE=64, num_warps=1)

def test_add():
    x, z = np.random.rand(1000).astype("float32"), np.zeros(1000, "float32")
    add[(8,)](x, x, z, 1000, BLOCK=128)
    assert (z == x + x).all()
"""


def test_differences_between_runs(tmp_path):
    file = tmp_path / "test_kernels.py"
    file.write_text(COMPARED)
    result = hipwright.verify_triton(file, arch=["gfx942", "gfx1100"], interpreter=False, schedules=1)
    assert result.levels == {"functional": "pass", "numerical": "fail"}
    failed = {(check.subject, "random order" in check.question): check.evidence for check in result.failed}
    # Two threads of a busy machine may order atomics otherwise on the other target, too.
    assert set(failed) - {("order_of_atomics", False)} == {("order_of_atomics", True), ("lanes_of_a_wave", False)}, failed
    assert "test_kernels.py:3\n" in failed["order_of_atomics", True]
    assert "test_kernels.py:7\n" in failed["lanes_of_a_wave", False]
    assert [check.verdict for check in result.checks if check.subject == "add"] == ["pass", "pass"]


def test_the_interpreter_is_compared(tmp_path):
    file = tmp_path / "program.py"
    file.write_text(COMPARED + "\ntest_add()\nx = np.ones(4, 'float32'); test_lanes()\n")
    result = hipwright.verify_triton(file, arch="gfx942", schedules=0)
    verdicts = {check.subject: check.verdict for check in result.checks if check.level == "numerical"}
    assert verdicts == {"add": "pass", "lanes_of_a_wave": "not checked"}
    (interpreter,) = [check for check in result.checks if check.level == "functional" and check.device == "interpreter"]
    assert interpreter.verdict == "not checked" and "inline_asm" in interpreter.evidence


FP8 = """\
import torch, triton, triton.language as tl

@triton.jit
def quantize(x, q, scale, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(q + i, (tl.load(x + i) / scale).to(tl.float8e4nv))
"""


def test_fp8_format_is_a_finding(tmp_path):
    (tmp_path / "quantize.py").write_text(FP8)
    assert [finding.line for finding in hipwright.lint(tmp_path).of("HW302")] == [6]
