#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every example builds for one target of each instruction set without a warning and passes its own check on each of them;
# the checks find nothing in it.
. "$(dirname "$0")/lib.sh"
needs clang++-22 clang-offload-bundler-22
targets=gfx942,gfx90a,gfx908,gfx950,gfx1030,gfx1100,gfx1201
[ -z "${HIPWRIGHT_TEST_FULL-}" ] || targets=$targets,gfx1151,gfx1200

example() {
  local program target
  program=$scratch/$(basename "$1" .hip)
  compile --arch $targets -Wall -Wextra -Werror -O2 -o "$program" "$1"
  for target in ${targets//,/ }; do
    expect_ok hipwright run --device "soft:$target" -- "$program"
    expect_output PASS
    expect_ok hipwright run --check --device "soft:$target" -- "$program"
    expect_output PASS
    [ ! -s "$last.err" ] || { cat "$last.err" >&2; fail "a finding in $1 on $target"; }
  done
}

two_at_once example "$SOURCE_DIR"/examples/*/*.hip
finish
