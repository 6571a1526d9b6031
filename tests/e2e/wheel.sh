#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The wheel of tools/wheel in a fresh environment, without anything from PATH: the command, the backend on the software GPU,
# and Triton where it can be had.
. "$(dirname "$0")/lib.sh"
needs patchelf objdump readelf python3 ninja
[ -n "${HIPWRIGHT_TEST_FULL:-}" ] || not_run "the wheel (./test --full makes it: 115 MB)"
builder=$BUILD_DIR/python-environment/bin/python
"$builder" -c 'import scikit_build_core, nanobind' 2>/dev/null || not_run "no scikit-build-core and nanobind (e2e.python installs them)"

expect_ok env BUILD_DIR="$BUILD_DIR" HIPWRIGHT_WHEEL_OPTIONS="--no-build-isolation --no-index" \
  "$SOURCE_DIR/tools/wheel" --python "$builder" "$scratch/wheel"
wheel=$(tail -n 1 "$last")
case $wheel in *-manylinux_2_35_x86_64.whl) ;; *) fail "the wheel is named ${wheel##*/}" ;; esac
expect_ok python3 -m venv "$scratch/venv"
expect_ok "$scratch/venv/bin/pip" install --quiet --no-deps --no-index "$wheel"
"$builder" -c 'import triton, numpy' 2>/dev/null &&
  "$builder" -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])' >"$scratch/venv/lib/$(ls "$scratch/venv/lib")/site-packages/builder.pth"

# inside WORDS…: Python in there
inside() { env -i PATH=/nowhere HOME="$scratch" "$scratch/venv/bin/python" "$@"; }
expect_ok inside -m hipwright --version
expect_exit 1 inside -m hipwright lint "$SOURCE_DIR/examples/tour"
expect_output HW202
expect_ok inside -c '
import array, hipwright, os
os.environ["HIPWRIGHT_DEVICE"] = "soft:gfx1100"
assert "_native" in str(hipwright.executable())
backend = hipwright.AMDBackend()
scale = backend.load_kernel("__global__ void scale(float* x, float f) { x[threadIdx.x] *= f; }", "scale")
x, utilities = array.array("f", range(64)), backend.utilities()
memory = backend.memory().allocate(256)
utilities.copy_to_device(memory, x)
backend.launch(scale, (1,), (64,), memory, 2.0)
backend.synchronize()
utilities.copy_to_host(x, memory)
print(sum(x))'
expect_output 4032.0
inside -c 'import triton' 2>/dev/null || { echo "not run: Triton is not installed"; finish; }
cat >"$scratch/double.py" <<'END'
import numpy as np, triton, triton.language as tl

@triton.jit
def double(x, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(x + i, 2 * tl.load(x + i))

import hipwright.triton
hipwright.triton.use("soft:gfx942")
x = np.ones(64, "float32")
double[(1,)](x, BLOCK=64)
print(x.sum())
END
expect_ok inside "$scratch/double.py"
expect_output 128.0
finish
