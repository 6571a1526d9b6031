#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The runtime's examples against the installed package: one binary each, on the CPU and on software
# GPUs.
. "$(dirname "$0")/lib.sh"
needs cmake ninja clang++-22 readelf

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

# Without a device: the CPU, and why. The software GPU is never chosen unless it is named, nor does it
# stand before a ROCm on the loader's path.
automatic() { expect_ok env -u HIPWRIGHT_DEVICE -u HIPWRIGHT_HIP "$@" "$scratch/build/quick_start"; }
shims=$(find "$scratch/usr" -name libamdhip64.so.7 -printf '%h\n')
[ -e "$shims/libamdhip64.so.7" ] || fail "the shims are not installed"
readelf -d "$scratch/build/quick_start" | sed -n 's/.*R.*PATH.*\[\(.*\)\]/\1/p' | tr : '\n' >"$scratch/runpath"
grep -q . "$scratch/runpath" || fail "the program does not know where the software GPU is"
while read -r folder; do
  [ -z "$(find "$folder" -maxdepth 1 -name 'libamdhip64*' -o -maxdepth 1 -name 'libhiprtc*')" ] ||
    fail "the program's own search path has ROCm's names: $folder"
done <"$scratch/runpath"
if [ ! -e /dev/kfd ] && [ ! -e /dev/nvidiactl ]; then
  automatic
  expect_output "Using device: cpu" PASS
  ! grep -q "software GPU" "$last.err" || fail "the software GPU is considered by itself"
  automatic LD_LIBRARY_PATH="$shims"
  expect_output "Using device: cpu" PASS
  automatic HIPWRIGHT_DEVICE=auto LD_LIBRARY_PATH="$shims"
  expect_output "Using device: cpu" PASS
fi
expect_exit 1 env HIPWRIGHT_DEVICE=hip LD_LIBRARY_PATH="$shims" ROCM_PATH="$scratch/none" "$scratch/build/quick_start"
# A stand-in for ROCm's runtime, of which the program is sure to have asked something.
{
  sed -n '/define HIPWRIGHT_HIP_REQUIRED/,/^$/s/.* X(\([A-Za-z]*\).*/int \1(void) { return 100; }/p' "$SOURCE_DIR/src/device/hip/api.h"
  echo 'int hipGetDevicePropertiesR0600(void) { return 100; }'
  echo '__attribute__((constructor)) static void loaded(void) { __builtin_printf("stand-in loaded\n"); }'
} >"$scratch/rocm.c"
mkdir "$scratch/rocm"
expect_ok clang-22 -shared -fPIC -Wno-everything -o "$scratch/rocm/libamdhip64.so.7" "$scratch/rocm.c"
if [ ! -e /dev/nvidiactl ]; then
  automatic LD_LIBRARY_PATH="$scratch/rocm"
  expect_output "stand-in loaded" "Using device: cpu" PASS
  grep -qF "$scratch/rocm/libamdhip64.so.7" "$last.err" || fail "the reason is not that runtime's"
fi
# Under `hipwright run` the user has named a software GPU.
expect_ok env -u HIPWRIGHT_DEVICE "$HIPWRIGHT" run --device soft:gfx1100 -- "$scratch/build/quick_start"
expect_output "Using device: soft:gfx1100" PASS
expect_ok env HIPWRIGHT_DEVICE=soft:gfx942 "$scratch/build/profiling" "$scratch/trace.json"
expect_ok grep -c forward_pass "$scratch/trace.json"
finish
