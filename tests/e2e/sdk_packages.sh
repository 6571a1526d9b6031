#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Real packages: six of AMD's libraries of one release, and a ported CUDA program that uses them all. Downloads 700 MB and needs 7 GB, so
# it runs with ./test --full alone, or where an earlier run has left the libraries.
. "$(dirname "$0")/lib.sh"
needs clang++-22 apt-get cmake ninja
export XDG_CACHE_HOME=${HIPWRIGHT_TEST_LIBRARIES:-$BUILD_DIR/libraries}
libraries="hipcub rocthrust hipblas hipfft hiprand hipsparse"
[ -n "${HIPWRIGHT_TEST_FULL:-}" ] || [ -e "$XDG_CACHE_HOME/hipwright/rocm/6.4" ] || not_run "the libraries are not there (./test --full downloads 700 MB)"
mkdir -p "$XDG_CACHE_HOME"
if ! hipwright sdk list --json | grep -q '"hipsparse"'; then
  hipwright sdk add $libraries >"$scratch/added" 2>&1 || not_run "$(tail -1 "$scratch/added")"
fi
expect_ok hipwright port "$SOURCE_DIR/examples/cuda/libraries" --mode hip --out "$scratch/six" --compile --arch gfx90a
prefix=$(hipwright sdk path)
expect_ok cmake -S "$scratch/six" -B "$scratch/build" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_HIP_COMPILER="$prefix/bin/amdclang++" \
  -DCMAKE_HIP_ARCHITECTURES=gfx90a
expect_ok cmake --build "$scratch/build"
expect_ok hipwright run --device soft:gfx90a -- "$scratch/build/six"
expect_output cuRAND Thrust CUB cuBLAS cuSPARSE cuFFT "all right"
expect_ok hipwright run --device soft:gfx90a -- "$scratch/build/train"
expect_output "step 10: loss" "all right"
