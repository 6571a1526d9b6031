#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Verification compiles with the options of the ported build, and every unit once. Options at run time.
. "$(dirname "$0")/lib.sh"
needs clang++-22 clang-offload-bundler-22 g++

# A compiler that writes down what it compiles.
mkdir -p "$scratch/cc/bin"
real=$(readlink -f "$(command -v clang++-22)")
ln -s "$(dirname "$(dirname "$real")")/lib" "$scratch/cc/lib"
ln -s "$(dirname "$real")"/* "$scratch/cc/bin"
rm "$scratch/cc/bin/clang++"
cat >"$scratch/cc/bin/clang++" <<END
#!/bin/sh
case " \$* " in *" -c "*) echo "\$*" >>"$scratch/calls" ;; esac
exec "$real" "\$@"
END
chmod +x "$scratch/cc/bin/clang++"
export HIPWRIGHT_CLANG=$scratch/cc/bin/clang++

# source OPTIONS: a program of two units and a header that only -I. finds, in $tree
source() {
  tree=$scratch/source
  rm -rf "$tree" "$scratch/calls"
  mkdir -p "$tree/inc"
  cp "$SOURCE_DIR/tests/e2e/port/build/fast_math/softmax.cu" "$tree"
  printf '#include "inc/k.h"\nint more() { return cudaSuccess == go(); }\n' >"$tree/more.cu"
  # A header beside the sources that a header in a folder includes: the original has it, too.
  printf '#pragma once\n#include "common.h"\ninline cudaError_t go() { return kGood; }\n' >"$tree/inc/k.h"
  printf '#pragma once\n#include <cuda_runtime.h>\nconstexpr cudaError_t kGood = cudaSuccess;\n' >"$tree/common.h"
  cat >"$tree/Makefile" <<END
CUDA_HOME ?= /usr/local/cuda
NVCC = nvcc
FLAGS = -O3 -arch=sm_80 $1 -I. -I\$(CUDA_HOME)/include
app: softmax.cu more.cu
	\$(NVCC) \$(FLAGS) -o \$@ \$^
END
}

compiled() { grep -c . "$scratch/calls"; }

for mode in hip dual; do
  source --use_fast_math
  expect_ok hipwright port "$tree" --mode $mode --verify --arch gfx942
  equal "units compiled" "$(compiled)" 2
  grep -q -e '-O3 -fgpu-flush-denormals-to-zero' "$scratch/calls" || fail "not the options of the build: $(cat "$scratch/calls")"
  grep -q -e "-I$tree" -e "-iquote$tree" "$scratch/calls" && fail "the original's headers come before the port's"

  # What the build asks for breaks the program: NaN is assumed away.
  source "-Xcompiler -ffast-math"
  expect_exit 1 hipwright port "$tree" --mode $mode --verify --arch gfx942
  equal "units compiled" "$(compiled)" 2
done

# NVRTC's options, translated when the program runs: also in host code that g++ compiles.
expect_ok hipwright port "$SOURCE_DIR/tests/e2e/port/rtc" --mode hip --out "$scratch/rtc"
prefix=$(hipwright sdk path) || fail "no SDK"
expect_ok g++ -std=c++17 -D__HIP_PLATFORM_AMD__ -I"$prefix/include" -o "$scratch/rtc/rtc" "$scratch/rtc/rtc.cpp" -L"$prefix/lib" -lamdhip64 -lhiprtc
for target in gfx942 gfx1100; do
  expect_ok hipwright run --device soft:$target -- "$scratch/rtc/rtc"
  expect_output PASS
done
finish
