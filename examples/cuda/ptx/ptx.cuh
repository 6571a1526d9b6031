// SPDX-License-Identifier: MIT
// Instructions that CUDA code reaches through inline PTX.
#pragma once

#include <cstdint>

__device__ __forceinline__ unsigned lane_id() {
  unsigned lane;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

__device__ __forceinline__ unsigned lanes_below() {
  unsigned mask;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
  return mask;
}

// The sum of a warp: each lane adds what the lane across the butterfly has.
__device__ __forceinline__ int sum_of_warp(int value) {
#pragma unroll
  for (int across = 16; across > 0; across /= 2) {
    int other;
    asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;"
                 : "=r"(other)
                 : "r"(value), "r"(across));
    value += other;
  }
  return value;
}

// Which lanes of the warp say yes?
__device__ __forceinline__ unsigned lanes_with(bool is_set) {
  unsigned mask;
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
               : "=r"(mask)
               : "r"(static_cast<unsigned>(is_set)));
  return mask;
}

__device__ __forceinline__ unsigned extract_bits(unsigned value, unsigned start, unsigned count) {
  unsigned bits;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(bits) : "r"(value), "r"(start), "r"(count));
  return bits;
}

__device__ __forceinline__ unsigned insert_bits(unsigned value, unsigned bits, unsigned start,
                                                unsigned count) {
  unsigned result;
  asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(result) : "r"(bits), "r"(value), "r"(start), "r"(count));
  return result;
}

// (a & b) | c in one instruction.
__device__ __forceinline__ unsigned and_or(unsigned a, unsigned b, unsigned c) {
  unsigned result;
  asm("lop3.b32 %0, %1, %2, %3, 0xEA;" : "=r"(result) : "r"(a), "r"(b), "r"(c));
  return result;
}

__device__ __forceinline__ unsigned reverse_bytes(unsigned value) {
  unsigned result;
  asm("prmt.b32 %0, %1, 0, 0x0123;" : "=r"(result) : "r"(value));
  return result;
}

// Through the read-only cache.
__device__ __forceinline__ float load_once(const float* address) {
  float value;
  asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(value) : "l"(address));
  return value;
}

__device__ __forceinline__ void copy_to_shared(void* to, const void* from) {
  const uint32_t shared = static_cast<uint32_t>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared), "l"(from));
}

__device__ __forceinline__ void copies_done() {
  asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.wait_group 0;" ::: "memory");
}

__device__ __forceinline__ void add_without_result(int* address, int value) {
  asm volatile("red.global.add.s32 [%0], %1;" ::"l"(address), "r"(value) : "memory");
}

__device__ __forceinline__ int add_with_result(int* address, int value) {
  int before;
  asm volatile("atom.global.add.s32 %0, [%1], %2;"
               : "=r"(before)
               : "l"(address), "r"(value)
               : "memory");
  return before;
}

__device__ __forceinline__ void fence_gpu() {
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
}

__device__ __forceinline__ void fence_block() {
  asm volatile("membar.cta;" ::: "memory");
}
