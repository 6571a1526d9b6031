#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The runtime's examples against the installed package: one binary each, on the CPU and on software
# GPUs.
. "$(dirname "$0")/lib.sh"
needs cmake ninja clang++-22

expect_ok cmake --install "$BUILD_DIR" --prefix "$scratch/usr"
flags=$(sed -n 's/^HIPWRIGHT_SANITIZE:[A-Z]*=\(..*\)$/-fsanitize=\1/p' "$BUILD_DIR/CMakeCache.txt")
compiler=$(sed -n 's/^CMAKE_CXX_COMPILER:[A-Z]*=//p' "$BUILD_DIR/CMakeCache.txt")
expect_ok cmake -S "$SOURCE_DIR/examples/backend" -B "$scratch/build" -G Ninja \
  -DCMAKE_PREFIX_PATH="$scratch/usr" -DCMAKE_CXX_COMPILER="$compiler" \
  -DCMAKE_CXX_FLAGS="-Wall -Wextra -Werror $flags"
expect_ok cmake --build "$scratch/build"
export XDG_CACHE_HOME=$scratch/cache

for program in quick_start configuration compile_kernel memory profiling graph_replay multi_gpu \
  cross_backend error_handling; do
  for device in cpu soft:gfx942 soft:gfx1100 soft:gfx942,gfx942; do
    expect_ok env HIPWRIGHT_DEVICE=$device "$scratch/build/$program"
    expect_output PASS
  done
done

# Without a device: the CPU, and why.
expect_ok env -u HIPWRIGHT_DEVICE "$scratch/build/quick_start"
expect_output PASS
expect_ok env HIPWRIGHT_DEVICE=soft:gfx942 "$scratch/build/profiling" "$scratch/trace.json"
expect_ok grep -c forward_pass "$scratch/trace.json"
finish
