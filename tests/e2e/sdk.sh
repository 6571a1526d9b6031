#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Other people's build systems work with the SDK as with /opt/rocm.
. "$(dirname "$0")/lib.sh"
needs clang++-22 clang-offload-bundler-22 cmake make ninja

expect_ok hipwright sdk path
prefix=$(cat "$last")
[ -x "$prefix/bin/hipcc" ] || fail "no hipcc in $prefix"
export PATH=$prefix/bin:$PATH

expect_ok hipconfig --version
equal "hipconfig --version" "$(cat "$last")" 6.4.43482-hipwright
expect_ok hipconfig --platform
equal "hipconfig --platform" "$(cat "$last")" amd
expect_ok hipconfig --full
expect_output "HIP_PATH     : $prefix" "clang version 22"

cp -r "$SOURCE_DIR/examples/vector_add" "$scratch/app"

# A hipcc Makefile.
expect_ok make -C "$scratch/app"
expect_ok hipwright inspect "$scratch/app/vector_add"
expect_output vector_add

# CMake's HIP language.
expect_ok cmake -S "$scratch/app" -B "$scratch/lang" -G Ninja -DCMAKE_HIP_ARCHITECTURES="gfx942;gfx1100"
expect_ok cmake --build "$scratch/lang"
expect_ok hipwright inspect --json "$scratch/lang/vector_add"
expect_output gfx942 gfx1100

# find_package(hip) with hip::device, and hip::host for plain C++.
mkdir "$scratch/package"
cp "$scratch/app/vector_add.hip" "$scratch/package/vector_add.cpp"
cat >"$scratch/package/host.cpp" <<'END'
#include <hip/hip_runtime_api.h>
int main() { int count = 0; return hipGetDeviceCount(&count) == hipSuccess ? 0 : 1; }
END
cat >"$scratch/package/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.16)
project(package LANGUAGES CXX)
find_package(hip 6.0 REQUIRED)
find_package(hiprtc REQUIRED)
add_executable(device vector_add.cpp)
target_link_libraries(device PRIVATE hip::device hiprtc::hiprtc)
add_executable(host host.cpp)
target_link_libraries(host PRIVATE hip::host)
END
expect_ok cmake -S "$scratch/package" -B "$scratch/package/build" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" \
  -DCMAKE_CXX_COMPILER=amdclang++ -DGPU_TARGETS="gfx90a;gfx1201"
expect_ok cmake --build "$scratch/package/build"
expect_ok hipwright inspect --json "$scratch/package/build/device"
expect_output gfx90a gfx1201

# The same host program with g++ as the C++ compiler.
expect_ok cmake -S "$scratch/package" -B "$scratch/package/gcc" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER=g++
expect_ok cmake --build "$scratch/package/gcc" --target host

# An installed ROCm is preferred, but the SDK's own hipcc stays the SDK's.
mkdir -p "$scratch/rocm/bin" "$scratch/rocm/include/hip" "$scratch/rocm/.info"
printf '#!/bin/sh\necho the real one\n' >"$scratch/rocm/bin/hipcc" && chmod +x "$scratch/rocm/bin/hipcc"
touch "$scratch/rocm/include/hip/hip_runtime.h" && echo 6.4.1 >"$scratch/rocm/.info/version"
expect_ok env ROCM_PATH="$scratch/rocm" "$HIPWRIGHT" sdk path
equal "sdk path with ROCm" "$(cat "$last")" "$scratch/rocm"
expect_ok env ROCM_PATH="$scratch/rocm" "$HIPWRIGHT" sdk path --sdk own
equal "sdk path --sdk own" "$(cat "$last")" "$prefix"
expect_ok env ROCM_PATH="$scratch/rocm" "$HIPWRIGHT" cc -c k.hip
expect_output "the real one"
expect_ok env ROCM_PATH="$scratch/rocm" "$prefix/bin/hipcc" --version
expect_output "HIP version: $(hipconfig --version)" "clang version 22"

# A file that someone deleted comes back.
XDG_CACHE_HOME=$scratch/cache expect_ok hipwright sdk path
mine=$(cat "$last")
rm "$mine/include/hip/hip_runtime.h"
mkdir "$scratch/cache/hipwright/sdk/building-1"  # as a killed process leaves it
XDG_CACHE_HOME=$scratch/cache expect_ok hipwright sdk path
equal "the repaired SDK" "$(cat "$last")" "$mine"
[ -f "$mine/include/hip/hip_runtime.h" ] || fail "the SDK was not repaired"
equal "folders beside it" "$(ls "$scratch/cache/hipwright/sdk")" "$(basename "$mine")
lock"

# The import library must never be what a program runs on.
if ! ldconfig -p | grep -q 'libamdhip64\.so\.6'; then
  expect_exit 127 "$scratch/app/vector_add"
  expect_output "libamdhip64.so.6"
fi
finish
