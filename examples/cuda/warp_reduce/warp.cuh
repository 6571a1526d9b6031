// SPDX-License-Identifier: MIT
// What a warp does together. Written, as most CUDA code is, for warps of 32 lanes.
#pragma once

#include <cuda_runtime.h>

#define WARP_SIZE 32
#define FULL_MASK 0xffffffff

constexpr int kMaxWarps = 1024 / WARP_SIZE;

__device__ __forceinline__ int lane_of() {
  return threadIdx.x & (WARP_SIZE - 1);
}
__device__ __forceinline__ int warp_of() {
  return threadIdx.x >> 5;
}

// A butterfly: every lane ends with the sum.
template <typename T>
__device__ __forceinline__ T warp_sum(T value) {
#pragma unroll
  for (int offset = 16; offset > 0; offset >>= 1)
    value += __shfl_xor_sync(FULL_MASK, value, offset);
  return value;
}

template <typename T>
__device__ __forceinline__ T warp_max(T value, unsigned mask = FULL_MASK) {
  for (int offset = WARP_SIZE / 2; offset > 0; offset /= 2) {
    const T other = __shfl_down_sync(mask, value, offset);
    value = other > value ? other : value;
  }
  return __shfl_sync(mask, value, 0);
}

// One slot of shared memory for each warp.
template <typename T>
__device__ T block_sum(T value) {
  __shared__ T slots[kMaxWarps];
  const int lane = lane_of(), warp = warp_of();
  value = warp_sum(value);
  if (lane == 0) slots[warp] = value;
  __syncthreads();
  const int warps = (blockDim.x + WARP_SIZE - 1) / WARP_SIZE;
  value = threadIdx.x < warps ? slots[lane] : T(0);
  if (warp == 0) value = warp_sum(value);
  return value;
}

// How many lanes before this one take part: a place for each of them without atomics.
__device__ __forceinline__ int rank_among(unsigned int ballot) {
  const unsigned int before = (1u << lane_of()) - 1;
  return __popc(ballot & before);
}
