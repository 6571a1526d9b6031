#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# CUDA's atomic functions have types that HIP's lack: half, bfloat16, 16-bit integers, float2, float4. Ported, all compile and are right.
. "$(dirname "$0")/lib.sh"
needs clang++-22 clang-offload-bundler-22
targets=gfx942,gfx1100

for mode in hip dual; do
  expect_ok hipwright port "$SOURCE_DIR/tests/fixtures/port/atomics" --mode $mode --out "$scratch/$mode"
  for name in atomics half_only; do
    compile --arch $targets -std=c++17 -O2 -o "$scratch/$mode/$name" "$scratch/$mode/$name.cu"
  done
  for target in ${targets//,/ }; do
    expect_ok hipwright run --device "soft:$target" -- "$scratch/$mode/atomics"
    expect_output 'PASS: atomics'
  done
done
finish
