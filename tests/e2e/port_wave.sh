#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A program that counts in warps gives the same results with whole waves and with halves of them, on
# GPUs with waves of 64 and of 32 lanes.
. "$(dirname "$0")/lib.sh"
needs clang++-22 clang-offload-bundler-22
targets=gfx942,gfx1100

# runs FOLDER: right on every target, and nothing that the checks find
runs() {
  local target
  expect_ok hipwright cc --arch $targets -O2 -o "$1/wave" "$1/wave.cu"
  for target in ${targets//,/ }; do
    expect_ok hipwright run --check --device "soft:$target" -- "$1/wave"
    expect_output PASS
    [ ! -s "$last.err" ] || { cat "$last.err" >&2; fail "a finding in $1 on $target"; }
  done
}

for warp in native half; do
  expect_ok hipwright port "$SOURCE_DIR/tests/fixtures/port/wave" --mode hip --warp $warp --out "$scratch/$warp"
  runs "$scratch/$warp"
done
grep -q 'warp32::' "$scratch/half/wave.cu" || fail "--warp half does not keep halves"
if grep -rn 'warp32::' "$scratch/native/wave.cu" "$scratch/native/warp.cuh"; then fail "this can go over whole waves"; fi
grep -q 'define WARP_SIZE HIP_COMPAT_WAVE_SIZE' "$scratch/native/warp.cuh" || fail "the size of a warp is still 32"

expect_ok hipwright port "$SOURCE_DIR/tests/fixtures/port/wave" --mode dual --out "$scratch/dual"
runs "$scratch/dual"
finish
