#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Whole waves and halves of them give the same results, on GPUs with 64-lane and 32-lane waves; and programs that would give others with whole
# waves keep halves.
. "$(dirname "$0")/lib.sh"
needs clang++-22 clang-offload-bundler-22
targets=gfx942,gfx1100

# runs SOURCE: right on every target, and nothing that the checks find
runs() {
  local target
  compile --arch $targets -std=c++17 -O2 -o "${1%.cu}" "$1"
  for target in ${targets//,/ }; do
    expect_ok hipwright run --check --device "soft:$target" -- "${1%.cu}"
    expect_output PASS
    [ ! -s "$last.err" ] || { cat "$last.err" >&2; fail "a finding in $1 on $target"; }
  done
}

fixtures=$SOURCE_DIR/tests/fixtures/port
for warp in native half; do
  for mode in hip dual; do
    expect_ok hipwright port "$fixtures/wave" --mode $mode --warp $warp --out "$scratch/$warp-$mode"
    runs "$scratch/$warp-$mode/wave.cu"
  done
done
grep -q 'warp32::' "$scratch/half-hip/wave.cu" || fail "--warp half does not keep halves"
if grep -rn 'warp32::' "$scratch"/native-hip/{wave.cu,warp.cuh}; then fail "this can go over whole waves"; fi
grep -q 'define WARP_SIZE HIP_COMPAT_WAVE_SIZE' "$scratch/native-hip/warp.cuh" || fail "the size of a warp is still 32"

expect_ok hipwright port "$fixtures/wave_traps" --mode hip --warp native --out "$scratch/traps"
if grep -rn HIP_COMPAT_WAVE_SIZE "$scratch"/traps/*.cu; then fail "not with whole waves"; fi
for source in "$scratch"/traps/*.cu; do runs "$source"; done
finish
