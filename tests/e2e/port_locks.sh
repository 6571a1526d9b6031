#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Threads of one wave that acquire a lock in a loop all get their turn: the compiler does not move the work behind the loop. As HIP without
# the port's changes, these kernels never end at -O1 and above.
. "$(dirname "$0")/lib.sh"
needs clang++-22 clang-offload-bundler-22
targets=gfx942,gfx1100

declare -A levels=([hip]="0 3" [dual]="1 2")
right() {
  local mode=$1 level target
  expect_ok hipwright port "$SOURCE_DIR/tests/fixtures/port/locks" --mode "$mode" --out "$scratch/$mode"
  grep -q ' 0 places to do by hand' "$last.err" || fail "places left in mode $mode"
  for level in ${levels[$mode]}; do
    compile --arch $targets -std=c++17 "-O$level" -o "$scratch/$mode/locks" "$scratch/$mode/locks.cu"
    for target in ${targets//,/ }; do
      expect_ok timeout 120 "$HIPWRIGHT" run --device "soft:$target" -- "$scratch/$mode/locks"
      expect_output 'PASS: locks'
    done
  done
}
two_at_once right hip dual
finish
