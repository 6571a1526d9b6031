#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# hipwright cc builds whole programs for all targets, and says what is wrong when it cannot.
. "$(dirname "$0")/lib.sh"
needs clang++-22 clang-offload-bundler-22
targets=gfx942,gfx90a,gfx950,gfx1100,gfx1201
examples=$SOURCE_DIR/examples

# examples.sh builds all the others.
expect_ok hipwright cc --arch $targets -Wall -Wextra -Werror -O2 -o "$scratch/vector_add" "$examples/vector_add/vector_add.hip"
expect_ok hipwright inspect --json "$scratch/vector_add"
for target in ${targets//,/ }; do expect_output "$target"; done
expect_ok readelf -d "$scratch/vector_add"
expect_output libamdhip64.so.6

# Separate compilation, a .cu suffix, plain C++ beside it, and a shared library.
cat >"$scratch/k.cu" <<'END'
#include <hip/hip_runtime.h>
__global__ void k(int* p) { *p = 1; }
void launch(int* p) { k<<<1, 1>>>(p); }
END
echo 'void launch(int*); int main() { launch(nullptr); }' >"$scratch/main.cpp"
expect_ok hipwright cc --arch gfx942 -c "$scratch/k.cu" -o "$scratch/k.o"
expect_ok hipwright cc --arch gfx942 "$scratch/main.cpp" "$scratch/k.o" -o "$scratch/two"
expect_ok hipwright cc --arch gfx942 -shared -fPIC "$scratch/k.cu" -o "$scratch/libk.so"
expect_ok hipwright cc --arch gfx942,gfx1100 -fgpu-rdc -c "$scratch/k.cu" -o "$scratch/krdc.o"
expect_ok hipwright cc --arch gfx942,gfx1100 -fgpu-rdc "$scratch/main.cpp" "$scratch/krdc.o" -o "$scratch/rdc"

# Registers and occupancy from the code object.
expect_ok hipwright cc --arch gfx942 --resources -c "$scratch/k.cu" -o "$scratch/k.o"
expect_output gfx942 VGPR
expect_ok hipwright cc --arch gfx942 --resources=json -c "$scratch/k.cu" -o "$scratch/k.o"
python3 -c 'import json,sys; json.load(open(sys.argv[1]))' "$last" || fail "--resources=json is not JSON"

# Bad input.
expect_exit 2 hipwright cc --arch gfx924 -c "$scratch/k.cu"
expect_output gfx942
echo '__global__ void broken(int* p) { *p = ; }' >"$scratch/broken.hip"
expect_exit 1 hipwright cc --arch gfx942 -c "$scratch/broken.hip" -o "$scratch/broken.o"
expect_output "broken.hip:1:39: error:"
[ ! -e "$scratch/broken.o" ] || fail "a failed compile left an object file"
expect_exit 2 env HIPWRIGHT_CLANG=/no/such/clang "$HIPWRIGHT" cc -c "$scratch/k.cu"
expect_output "apt-get install clang-22"
expect_exit 2 env HIPWRIGHT_DEVICE_LIBS=/nowhere "$HIPWRIGHT" cc -c "$scratch/k.cu"
expect_output rocm-device-libs
expect_exit 2 hipwright cc --sdk rocm -c "$scratch/k.cu"
expect_output ROCM_PATH

# hipcc's ways: C beside HIP, response files, several objects at once, dependencies, quiet.
echo '#include <hip/hip_runtime_api.h>
int count(void) { int class = 0; hipGetDeviceCount(&class); return class; }' >"$scratch/c.c"
(cd "$scratch" && expect_ok hipwright cc --arch gfx942 -c c.c k.cu --resources && expect_output "k.o: 1 device image") || exit 1
echo "--arch gfx942 -c '$scratch/k.cu' -o '$scratch/r.o'" >"$scratch/words"
expect_ok hipwright cc "@$scratch/words"
expect_ok hipwright cc -M "$scratch/k.cu"
expect_output hip_runtime.h
[ "$(grep -c CLANG_OFFLOAD_BUNDLE "$last")" = 0 ] || fail "bundle marks in the dependencies"
expect_ok hipwright cc --version
expect_output "HIP version: " "clang version 22"
expect_ok hipwright -q cc -c "$scratch/k.cu" -o "$scratch/k.o"
[ ! -s "$last.err" ] || fail "a note in spite of --quiet"
expect_exit 1 hipwright cc --offload-arch=gfx924 -c "$scratch/k.cu"
expect_output gfx942

# OpenMP on the host, as ROCm's compiler has it.
cat >"$scratch/omp.hip" <<'END'
#include <hip/hip_runtime.h>
#include <omp.h>
__global__ void nothing() {}
int main() {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(2)
  for (int i = 0; i < 100; ++i) sum += i;
  return sum == 4950 && omp_get_max_threads() > 0 ? 0 : 1;
}
END
if [ -f "$(clang++-22 -print-resource-dir)/include/omp.h" ]; then
  expect_ok hipwright -q cc --arch gfx942 -fopenmp -o "$scratch/omp" "$scratch/omp.hip"
  expect_ok hipwright run -- "$scratch/omp"
else
  echo "not run: OpenMP in host code: libomp-22-dev is not installed"
fi

# Without a usable cache folder: a warning, and it works.
expect_ok env XDG_CACHE_HOME=/proc/none "$HIPWRIGHT" cc --arch gfx942 -c "$scratch/k.cu" -o "$scratch/uncached.o"
grep -q "hipwright: warning: the SDK is not in the user cache" "$last.err" || fail "no warning"
[ -s "$scratch/uncached.o" ] || fail "no object"

# Without a target: gfx942, and it says so.
expect_ok hipwright cc -c "$scratch/k.cu" -o "$scratch/k.o"
grep -q "compiling for" "$last.err" || [ -d /sys/class/kfd ] || fail "no note about the target"
finish
