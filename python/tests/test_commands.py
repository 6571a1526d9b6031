# SPDX-License-Identifier: MIT
import os
import subprocess
import sys

import pytest

import hipwright

CUDA = """\
#include <cstdio>
__global__ void sum(const float* x, float* y) {
  float v = x[threadIdx.x];
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffff, v, offset);
  if (threadIdx.x % 32 == 0) y[threadIdx.x / 32] = v;
}
int main() {
  float *x, *y, out[2];
  cudaMalloc(&x, 64 * sizeof(float));
  cudaMalloc(&y, 2 * sizeof(float));
  cudaMemset(x, 0, 64 * sizeof(float));
  sum<<<1, 64>>>(x, y);
  cudaMemcpy(out, y, sizeof out, cudaMemcpyDeviceToHost);
  std::printf("%g %g\\n", out[0], out[1]);
}
"""


@pytest.fixture
def program(tmp_path):
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree/sum.cu").write_text(CUDA)
    return tmp_path / "tree"


def test_lint(program):
    found = hipwright.lint(program, select="HW1,HW8").findings
    assert found and all(finding.code.startswith(("HW1", "HW8")) for finding in found)
    assert found[0].path.endswith("sum.cu") and found[0].line > 0
    assert not hipwright.lint(program, select=["HW9"]).findings
    certain = hipwright.lint(program, confidence="high").findings
    assert len(certain) < len(hipwright.lint(program, confidence="low").findings)
    assert all(finding.confidence == "high" for finding in certain)


def test_port_verify_and_inspect(program, tmp_path):
    plan = hipwright.port(program)
    assert plan.changed == ["sum.cu"] and plan.to_do == 0
    assert not (tmp_path / "out").exists()
    hipwright.port(program, out=tmp_path / "out")
    proof = hipwright.verify(tmp_path / "out", level="functional", arch="gfx942", device="soft:gfx942")
    assert proof.levels["functional"] == "pass" and not proof.failed
    binary = hipwright.compile(tmp_path / "out/sum.cu", tmp_path / "sum", arch=["gfx942", "gfx1100"])
    kernels = hipwright.inspect(binary).kernels
    assert {kernel.target for kernel in kernels} == {"gfx942", "gfx1100"}
    assert all(kernel.vgprs > 0 and kernel.vgpr_spills == 0 for kernel in kernels)


def test_trace(tmp_path):
    trace = tmp_path / "t.json"
    kernel = '{"ph":"X","cat":"kernel","name":"%s","pid":0,"tid":0,"ts":%d,"dur":5,"args":{"device":0,"stream":0}}'
    trace.write_text('{"traceEvents":[' + kernel % ("a", 0) + "," + kernel % ("b", 2_000_000) + "]}")
    assert hipwright.trace(trace).kernels_run == 2
    assert hipwright.trace(trace, window=(1, 3)).kernels_run == 1


def test_errors_say_what_the_tool_said(tmp_path):
    with pytest.raises(hipwright.ToolError, match="missing") as raised:
        hipwright.lint(tmp_path / "missing")
    assert raised.value.code == 2


def test_module_is_the_command(program):
    done = subprocess.run([sys.executable, "-m", "hipwright", "lint", program], capture_output=True, check=False)
    assert done.returncode == 1 and b"sum.cu" in done.stdout


def test_missing_executable_is_named(tmp_path):
    environment = {**os.environ, "HIPWRIGHT_EXECUTABLE": str(tmp_path / "none")}
    done = subprocess.run([sys.executable, "-m", "hipwright"], env=environment, capture_output=True, check=False)
    assert done.returncode == 2 and b"HIPWRIGHT_EXECUTABLE" in done.stderr
