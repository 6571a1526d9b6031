#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The Python package: its module is compiled against this build and installed into an environment below the build
# directory, with its own tests. Those of Triton kernels run where Triton can be had.
. "$(dirname "$0")/lib.sh"
needs python3
home=$BUILD_DIR/python-environment
mkdir -p "$BUILD_DIR"
exec 8>"$BUILD_DIR/python-environment.lock"
command -v flock >/dev/null && flock 8
log=$BUILD_DIR/python-environment.log
packages=(pytest scikit-build-core nanobind)
kernels=(triton==3.9.0 numpy)
if [ "$(cat "$home/complete" 2>/dev/null)" != "${packages[*]} ${kernels[*]}" ]; then
  rm -rf "$home"
  { python3 -m venv "$home" && "$home/bin/pip" install --quiet "${packages[@]}"; } >"$log" 2>&1 ||
    not_run "no Python environment with pytest, scikit-build-core and nanobind: $(tail -n 1 "$log")"
  "$home/bin/pip" install --quiet "${kernels[@]}" >>"$log" 2>&1 || echo "not run: Triton kernels: $(tail -n 1 "$log")"
  "$home/bin/python" -c 'import triton, numpy' 2>/dev/null && echo "${packages[*]} ${kernels[*]}" >"$home/complete"
fi
expect_ok "$home/bin/pip" install --quiet --no-deps --no-build-isolation --no-index --force-reinstall "$SOURCE_DIR" \
  -C build-dir="$BUILD_DIR/python-module" -C cmake.define.HIPWRIGHT_BUILD_DIR="$BUILD_DIR" \
  -C cmake.define.HIPWRIGHT_MODULE_ONLY=ON -C cmake.define.CMAKE_CXX_COMPILER="${CXX:-c++}"
flock -u 8 2>/dev/null
# In a wheel it stands beside files for glibc 2.35.
module=$("$home/bin/python" -c 'import hipwright._core; print(hipwright._core.__file__)')
newest=$(readelf -VW "$module" | grep -o 'GLIBC_2\.[0-9]*' | sort -Vu | tail -n 1)
[ "$(printf '%s\n' "$newest" GLIBC_2.35 | sort -V | tail -n 1)" = GLIBC_2.35 ] || fail "the module needs $newest"
export HIPWRIGHT_EXECUTABLE=$HIPWRIGHT TRITON_CACHE_DIR=$scratch/triton SOURCE_DIR
cp -r "$SOURCE_DIR/python/tests" "$scratch/tests"
cd "$scratch/tests" || exit 1
expect_ok "$home/bin/python" -m pytest -q -rs -p no:cacheprovider .
grep -o "not run: .*" "$last" | sort -u

# Without Triton, numpy and torch the package is imported and says what is missing for what.
mkdir "$scratch/alone"
cp -r "$("$home/bin/python" -c 'import hipwright; print(hipwright.__path__[0])')" "$scratch/alone/"
expect_ok env PYTHONPATH="$scratch/alone" "$home/bin/python" -S - <<'END'
import hipwright, hipwright.triton

assert hipwright.AMDConfig(device_id=1).device_id == 1
try:
    hipwright.triton.use("soft:gfx942")
except ImportError as error:
    print(error)
END
expect_output "hipwright.triton needs the Python package triton, which is not installed"
finish
