#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Functions that HIP declares under CUDA's names but computes differently give CUDA's numbers in a port: products are not fused, conversions round
# and saturate, quotients and roots are rounded, also down, up and towards zero, NaN compares as documented, structures have CUDA's layout. Without --check: at -O3 on gfx1100 it reports halves of registers that were never written.
. "$(dirname "$0")/lib.sh"
needs clang++-22 clang-offload-bundler-22
targets=gfx942,gfx1100

for mode in hip dual; do
  expect_ok hipwright port "$SOURCE_DIR/tests/fixtures/port/numbers" --mode $mode --out "$scratch/$mode"
done
fast='-O3 -fgpu-flush-denormals-to-zero -fno-hip-fp32-correctly-rounded-divide-sqrt -fgpu-approx-transcendentals'  # of --use_fast_math
for options in -O0 '-O3 -ffp-contract=fast' "$fast" '-O1 dual'; do
  mode=hip
  [ "$options" = "${options% dual}" ] || mode=dual
  # shellcheck disable=SC2086  # several options
  compile --arch $targets -std=c++17 ${options% dual} -o "$scratch/numbers" "$scratch/$mode/numbers.cu"
  for target in ${targets//,/ }; do
    expect_ok hipwright run --device "soft:$target" -- "$scratch/numbers"
    expect_output 'PASS: numbers'
  done
done
compile --arch $targets -std=c++17 -O2 -o "$scratch/directed" "$scratch/hip/directed.cu"
for target in ${targets//,/ }; do
  expect_ok hipwright run --check --device "soft:$target" -- "$scratch/directed"
  expect_output 'PASS: directed'
done
finish
