#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A program of textures, surfaces, arrays and texture references gives the values of its own formulas on every target with
# image instructions, with checks and without findings; on the others every call says that there are none.
. "$(dirname "$0")/lib.sh"
needs clang++-22 clang-offload-bundler-22
with="gfx90a gfx1030 gfx1100 gfx1201"
without="gfx942 gfx950"
targets="$with $without"
compile --arch "${targets// /,}" -Wall -Wextra -Werror -Wno-unused-parameter -O2 -o "$scratch/textures" \
  "$SOURCE_DIR/tests/soft/textures.hip"
for target in $with; do
  expect_ok hipwright run --check --device "soft:$target" -- "$scratch/textures"
  expect_output "PASS: with images"
  [ ! -s "$last.err" ] || { cat "$last.err" >&2; fail "a finding on $target"; }
done
for target in $without; do
  expect_ok hipwright run --device "soft:$target" -- "$scratch/textures"
  expect_output "PASS: without images"
  grep -q "this target has no image instructions" "$last.err" || fail "no reason on $target"
done
