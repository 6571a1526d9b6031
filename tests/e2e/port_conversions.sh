#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Conversions between half, bfloat16, fp8 and integers, functions of more types than HIP's, and tiles of tiles, which CUDA has and HIP lacks, give CUDA's results in a port; those in
# class templates are repaired by --compile.
. "$(dirname "$0")/lib.sh"
needs clang++-22 clang-offload-bundler-22
targets=gfx942,gfx1100

expect_ok hipwright port "$SOURCE_DIR/tests/fixtures/port/conversions" --mode hip --compile --out "$scratch/port"
grep -q '0 places to do by hand' "$last.err" || fail "places left"
grep -q '1 of 1 files compile' "$last.err" || fail "does not compile"
compile --arch $targets -std=c++17 -O2 -o "$scratch/conversions" "$scratch/port/conversions.cu"
for target in ${targets//,/ }; do
  expect_ok hipwright run --check --device "soft:$target" -- "$scratch/conversions"
  expect_output 'PASS: conversions'
done
finish
