#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The warp idioms of CUDA's documentation give the results of the CPU: ported both ways, at every optimisation level, on targets with 64-lane and
# with 32-lane waves. Half of the matrix; HIPWRIGHT_TEST_FULL=1 runs all of it.
. "$(dirname "$0")/lib.sh"
needs clang++-22 clang-offload-bundler-22
targets=gfx942,gfx90a,gfx908,gfx1030,gfx1100,gfx1201

declare -A levels=([hip]="0 2" [dual]="1 3")
[ -z "${HIPWRIGHT_TEST_FULL-}" ] || levels=([hip]="0 1 2 3" [dual]="0 1 2 3")

# right MODE: at the mode's levels, and nothing that the checks find
right() {
  local mode=$1 level target
  expect_ok hipwright port "$SOURCE_DIR/tests/fixtures/port/idioms" --mode "$mode" --out "$scratch/$mode"
  grep -q ' 0 places to do by hand' "$last.err" || fail "places left in mode $mode"
  # For both platforms the calls stay: overloads for 32-bit masks serve them.
  [ "$mode" = hip ] || ! grep -n 'warp32::[a-z_]*_sync' "$scratch/dual/idioms.cu" || fail "a branch for a call that needs none"
  for level in ${levels[$mode]}; do
    compile --arch $targets -std=c++17 "-O$level" -o "$scratch/$mode/idioms" "$scratch/$mode/idioms.cu"
    for target in ${targets//,/ }; do
      expect_ok hipwright run --check --device "soft:$target" -- "$scratch/$mode/idioms"
      expect_output 'PASS: idioms'
      [ ! -s "$last.err" ] || { cat "$last.err" >&2; fail "a finding in mode $mode at -O$level on $target"; }
    done
  done
}
two_at_once right hip dual
finish
