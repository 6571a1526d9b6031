#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every example builds for all targets without a warning and passes its own check on each of them.
. "$(dirname "$0")/lib.sh"
needs clang++-22 clang-offload-bundler-22
targets=gfx942,gfx90a,gfx950,gfx1100,gfx1201

for source in "$SOURCE_DIR"/examples/*/*.hip; do
  program=$(basename "$source" .hip)
  expect_ok hipwright cc --arch $targets -Wall -Wextra -Werror -O2 -o "$scratch/$program" "$source"
  for target in ${targets//,/ }; do
    expect_ok hipwright run --device "soft:$target" -- "$scratch/$program"
    expect_output PASS
  done
done

# The same answer on waves of 32 and of 64 is what a port must show: this one has not.
expect_ok hipwright cc --arch gfx942,gfx1100 -O2 -o "$scratch/wave_of_32" \
  "$SOURCE_DIR/tests/soft/planted/wave_of_32.hip"
expect_ok hipwright run --device soft:gfx1100 -- "$scratch/wave_of_32"
expect_output "sum 32896"
expect_ok hipwright run --device soft:gfx942 -- "$scratch/wave_of_32"
expect_output "sum 14400"
finish
