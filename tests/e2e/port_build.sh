#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Build files that are ported really build: FindCUDA's commands, CMake's CUDA language, a makefile, each with device code of several
# files; and fast mathematics. In both modes; the programs pass on the software GPU, and NVIDIA's side is what it was.
. "$(dirname "$0")/lib.sh"
needs clang++-22 clang-offload-bundler-22 make cmake ninja
prefix=$(hipwright sdk path) || fail "no SDK"
export PATH=$prefix/bin:$PATH HCC_AMDGPU_TARGET=gfx942,gfx1100 ROCM_PATH=$prefix
fixtures=$SOURCE_DIR/tests/e2e/port/build

# ported NAME MODE: the fixture's ported tree in $tree, which a second port leaves as it is
ported() {
  local source=$scratch/$1.source
  mkdir -p "$source"
  cp -r "$fixtures/sources/." "$fixtures/$1/." "$source"
  tree=$scratch/$1.$2
  expect_ok hipwright port "$source" --mode "$2" --out "$tree"
  expect_ok hipwright -q port "$tree" --mode "$2"
  equal "the diff of a second port of $1" "$(cat "$last")" ""
  [ "$2" = hip ] && return
  expect_ok hipwright port --check-isolation "$source" "$tree"
  expect_output " 0 changed for NVIDIA"
}

runs() {
  local target
  for target in gfx942 gfx1100; do
    expect_ok hipwright run --device "soft:$target" -- "$1"
    expect_output PASS
  done
}

for mode in hip dual; do
  for name in find_cuda language; do
    ported $name $mode
    switch=; [ $mode = hip ] || switch=-DUSE_ROCM=ON
    expect_ok cmake -S "$tree" -B "$tree/build" -G Ninja $switch -DCMAKE_HIP_ARCHITECTURES="gfx942;gfx1100" -DCMAKE_BUILD_TYPE=Release
    expect_ok cmake --build "$tree/build"
    runs "$tree/build/app"
  done
  expect_ok hipwright inspect "$scratch/language.$mode/build/add.fatbin"
  expect_output gfx942 gfx1100 "add(int, float*)"
  # Kernels of all parts that were linked together.
  expect_ok hipwright inspect "$tree/build/app"
  expect_output "scale(int, float*)" "add(int, float*)"

  ported make $mode
  switch=; [ $mode = hip ] || switch=USE_ROCM=1
  expect_ok make -C "$tree" $switch app add.cubin
  grep -q -e -gencode -e -Xcompiler -e -Xptxas -e nvcc "$last" && fail "an option of nvcc was left"
  runs "$tree/app"
  expect_ok hipwright inspect "$tree/add.cubin"
  expect_output "add(int, float*)"

  # nvcc's fast mathematics keeps infinities and NaN, and does not change the host.
  ported fast_math $mode
  expect_ok make -C "$tree" $switch app
  runs "$tree/app"
  expect_output "row 0: 1.00000" "row 1: 0.00000" "row 3: 1.00000" "64 invalid"
  switch=; [ $mode = hip ] || switch=-DUSE_ROCM=ON
  expect_ok cmake -S "$tree" -B "$tree/build" -G Ninja $switch -DCMAKE_HIP_ARCHITECTURES="gfx942;gfx1100" -DCMAKE_BUILD_TYPE=Release
  expect_ok cmake --build "$tree/build"
  runs "$tree/build/app"
  grep -q -e -fgpu-approx-transcendentals "$tree/build/build.ninja" || fail "CMake lost the options"
done

# NVIDIA's side: the same commands as before the port, and CMake configures with CUDA's compiler where there is one.
make -C "$scratch/make.source" -n -B app >"$scratch/before"
make -C "$scratch/make.dual" -n -B app >"$scratch/after"
sed -i "s|$scratch/make\.[a-z]*||" "$scratch/before" "$scratch/after"
cmp "$scratch/before" "$scratch/after" || fail "make does something else for NVIDIA"
for nvcc in nvcc /usr/local/cuda/bin/nvcc; do
  command -v $nvcc >/dev/null || continue
  expect_ok cmake -S "$scratch/language.dual" -B "$scratch/cuda" -G Ninja -DCMAKE_CUDA_COMPILER=$nvcc
  grep -q -e '-lineinfo' "$scratch/cuda/build.ninja" || fail "nvcc lost an option"
  grep -q -e 'fgpu-rdc' "$scratch/cuda/build.ninja" && fail "nvcc has an option of HIP's"
  break
done
# compile_commands.json says what a source is compiled with, before the makefile: in --compile, and in the port's own tree.
database=$scratch/database
mkdir -p "$database/src" "$database/build" "$scratch/elsewhere"
printf '#define FROM_OUTSIDE 1\n' >"$scratch/elsewhere/outside.h"
cat >"$database/src/a.cu" <<'END'
#include <outside.h>
#include <cstdio>
static_assert(SIZE == 4 && FROM_OUTSIDE == 1, "flags of the database");
__global__ void k(int* p) { *p = SIZE; }
int main() { return puts("PASS") < 0; }
END
printf 'all:\n\tnvcc -DSIZE=5 -c src/a.cu\n' >"$database/Makefile"
expect_exit 1 hipwright port "$database" --mode hip --compile --arch gfx942 --out "$scratch/database.without"
expect_output "outside.h"
cat >"$database/build/compile_commands.json" <<END
[{"directory": "$database/build", "file": "../src/a.cu", "command": "nvcc -DSIZE=4 -I $scratch/elsewhere -c ../src/a.cu"}]
END
expect_ok hipwright port "$database" --mode hip --compile --arch gfx942 --out "$scratch/database.hip"
expect_exit 1 hipwright verify "$scratch/database.hip" --level build
expect_output "build       fail"
sed "s|$database|$scratch/database.hip|" "$database/build/compile_commands.json" >"$scratch/database.hip/compile_commands.json"
expect_ok hipwright verify "$scratch/database.hip" --level build
expect_output "build       pass"
# No kernel runs in it: 3.
expect_exit 3 hipwright port "$database" --mode hip --verify --arch gfx942 --out "$scratch/database.proven"

# What the project's rules ignore is not verified.
mkdir "$scratch/database.hip/old" && printf 'int main() { cudaFree(0); }\n' >"$scratch/database.hip/old/b.cu"
expect_exit 1 hipwright verify "$scratch/database.hip" --level build
printf 'ignore = ["old/"]\n' >"$scratch/database.hip/hipwright-port.toml"
expect_ok hipwright verify "$scratch/database.hip" --level build
finish
