#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What a translation of names alone leaves broken: 32-bit masks, cooperative_groups/reduce.h, bf16 and fp8, __dp4a, operators of
# vectors and of complex numbers, pipelines, changed arguments, textures over plain memory, mathematics in host code, what nvcc accepts and clang does not. Ported, it compiles and computes what it computed.
. "$(dirname "$0")/lib.sh"
needs clang++-22 clang-offload-bundler-22
targets=gfx942,gfx1100

for mode in hip dual; do
  expect_ok hipwright port "$SOURCE_DIR/tests/fixtures/port/classes" --mode $mode --compile --arch $targets \
    --out "$scratch/$mode"
  for name in classes dialect complex host_side; do
    compile --arch $targets -std=c++17 -O2 -o "$scratch/$mode/$name" "$scratch/$mode/$name.cu"
    for target in ${targets//,/ }; do
      expect_ok hipwright run --device "soft:$target" -- "$scratch/$mode/$name"
      expect_output "PASS: $name"
    done
  done
done
finish
