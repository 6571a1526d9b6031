#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Inline PTX, ported, computes on 64-lane and 32-lane waves what the PTX ISA says.
. "$(dirname "$0")/lib.sh"
needs clang++-22 clang-offload-bundler-22
targets=gfx942,gfx1100

expect_ok hipwright port "$SOURCE_DIR/tests/fixtures/port/ptx" --mode hip --out "$scratch/hip"
if grep -n 'asm' "$scratch/hip/ptx.cu" | grep -v '//'; then fail "an asm statement is left"; fi
compile --arch $targets -O2 -o "$scratch/ptx" "$scratch/hip/ptx.cu"
for target in ${targets//,/ }; do
  expect_ok hipwright run --check --device "soft:$target" -- "$scratch/ptx"
  expect_output PASS
done

# Both platforms in one source: the old statements are NVIDIA's.
expect_ok hipwright port "$SOURCE_DIR/tests/fixtures/port/ptx" --mode dual --out "$scratch/dual"
compile --arch gfx942 -O2 -o "$scratch/dual/ptx" "$scratch/dual/ptx.cu"
expect_ok hipwright run --device soft:gfx942 -- "$scratch/dual/ptx"
expect_output PASS
finish
