#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Lanes of a ported program see each other as those of a 32-lane warp do, on GPUs with 64-lane and 32-lane waves, in both modes.
. "$(dirname "$0")/lib.sh"
needs clang++-22 clang-offload-bundler-22
targets=gfx942,gfx1100

for mode in hip dual; do
  expect_ok hipwright port "$SOURCE_DIR/tests/fixtures/port/warp" --mode $mode --out "$scratch/$mode"
  compile --arch $targets -std=c++17 -O2 -o "$scratch/$mode/warp" "$scratch/$mode/warp.cu"
  for target in ${targets//,/ }; do
    expect_ok hipwright run --check --device "soft:$target" -- "$scratch/$mode/warp"
    expect_output 'PASS: warp'
    [ ! -s "$last.err" ] || { cat "$last.err" >&2; fail "a finding in mode $mode on $target"; }
  done
done
finish
