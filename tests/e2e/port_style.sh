#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# --style hipify and --hip-kernel-execution-syntax: the port compiles, runs and passes its own checks, keeps 32-lane warps, and a second port changes nothing.
. "$(dirname "$0")/lib.sh"
needs clang++-22 clang-offload-bundler-22
style="--mode hip --style hipify --hip-kernel-execution-syntax"

mkdir "$scratch/tree"
cat >"$scratch/tree/launch.cu" <<'END'
#include "cuda_runtime.h"
#include <cuda.h>
#include <cstdio>

template <typename T, int kBy>
__global__ void scale(T* x) { x[blockIdx.x * blockDim.x + threadIdx.x] *= kBy; }
template <typename T>
__global__ void add(T* x, T y) { x[blockIdx.x * blockDim.x + threadIdx.x] += y; }
__global__ void sum(int* x, int* total) {
  extern __shared__ int all[];
  all[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  int mine = all[threadIdx.x];
  for (int offset = 16; offset > 0; offset /= 2) mine += __shfl_down_sync(0xffffffff, mine, offset);
  if (threadIdx.x % 32 == 0) atomicAdd(total, mine);
}
template <typename T> void scale_all(T* x) { scale<T, 3><<<2, 64>>>(x); }

int main() {
  int *x, *total, result = 0;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&x, 128 * sizeof(int));
  cudaMalloc(&total, sizeof(int));
  cudaMemset(x, 0, 128 * sizeof(int));
  cudaMemset(total, 0, sizeof(int));
  cudaDeviceSynchronize();
  add<<<dim3(2), 64>>>(x, 5);
  scale_all(x);
  cudaDeviceSynchronize();
  if (result == 0) sum<<<1, 128, 128 * sizeof(int), stream>>>(x, total); else return 2;
  cudaStreamSynchronize(stream);
  cudaMemcpy(&result, total, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%s: %d\n", result == 128 * 15 ? "PASS" : "FAIL", result);
  return result == 128 * 15 ? 0 : 1;
}
END
expect_ok hipwright port "$scratch/tree" $style --out "$scratch/ported"
ported=$scratch/ported/launch.cu
! grep -q '<<<' "$ported" || fail "a launch kept its <<<>>>"
equal "calls" "$(grep -c 'hipLaunchKernelGGL(' "$ported")" 3
equal "runtime" "$(grep -c 'hip/hip_runtime.h' "$ported")" 1
grep -q '^#include "hip/hip_runtime.h"$' "$ported" || fail "the #include lost its quotes"
grep -q 'warp32::' "$ported" || fail "the warps are not those of 32 lanes"
compile --arch gfx942,gfx1100 -std=c++17 -O2 -o "$scratch/launch" "$ported"
for target in gfx942 gfx1100; do
  expect_ok hipwright run --check --device soft:$target -- "$scratch/launch"
  expect_output 'PASS: 1920'
done

rm -rf "$scratch/ported/.hipwright"
expect_ok hipwright port "$scratch/ported" $style
[ ! -s "$last" ] || fail "a second port changes something"

# Only with --mode hip.
expect_exit 2 hipwright port "$scratch/tree" --style hipify
expect_output '`--style hipify` requires `--mode hip`'
expect_exit 2 hipwright port "$scratch/tree" --hip-kernel-execution-syntax
expect_output 'requires `--mode hip`'
# The last of the two decides.
expect_ok hipwright port "$scratch/tree" --cuda-kernel-execution-syntax
finish
