#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The Python package: installed into an environment below the build directory, with its own tests. Those of Triton kernels run
# where Triton can be had.
. "$(dirname "$0")/lib.sh"
needs python3
home=$BUILD_DIR/python-environment
mkdir -p "$BUILD_DIR"
exec 8>"$BUILD_DIR/python-environment.lock"
command -v flock >/dev/null && flock 8
log=$BUILD_DIR/python-environment.log
if [ ! -e "$home/complete" ]; then
  rm -rf "$home"
  { python3 -m venv "$home" && "$home/bin/pip" install --quiet pytest setuptools wheel; } >"$log" 2>&1 ||
    not_run "no Python environment with pytest: $(tail -n 1 "$log")"
  "$home/bin/pip" install --quiet triton==3.9.0 numpy >>"$log" 2>&1 || echo "not run: Triton kernels: $(tail -n 1 "$log")"
  "$home/bin/python" -c 'import triton, numpy' 2>/dev/null && touch "$home/complete"
fi
cp -r "$SOURCE_DIR/python" "$scratch/python"  # pip writes beside the sources
expect_ok "$home/bin/pip" install --quiet --no-deps --no-build-isolation --no-index --force-reinstall "$scratch/python"
flock -u 8 2>/dev/null
export HIPWRIGHT_EXECUTABLE=$HIPWRIGHT TRITON_CACHE_DIR=$scratch/triton
cd "$scratch/python/tests" || exit 1
expect_ok "$home/bin/python" -m pytest -q -rs -p no:cacheprovider .
grep -o "not run: .*" "$last" | sort -u
finish
