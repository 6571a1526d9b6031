// SPDX-License-Identifier: MIT
// Block barriers and memory fences.
#pragma once

#include <hip/amd_detail/amd_warp_functions.h>
#include <hip/amd_detail/device_library_decls.h>
#include <hip/amd_detail/host_defines.h>

#if defined(__clang__) && defined(__HIP__)

// An empty scope name means all agents and the host.
__device__ inline static void __threadfence() {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent");
}
__device__ inline static void __threadfence_block() {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
}
__device__ inline static void __threadfence_system() {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "");
}

// Without flags only execution waits; memory may still be reordered across the barrier.
__device__ inline static void __work_group_barrier(__cl_mem_fence_flags flags) {
  if (flags == 0) {
    __builtin_amdgcn_s_barrier();
    return;
  }
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
__device__ inline static void __barrier(int n) {
  __work_group_barrier(static_cast<__cl_mem_fence_flags>(n));
}

__device__ inline __attribute__((convergent)) void __syncthreads() {
  __barrier(__CLK_LOCAL_MEM_FENCE);
}
__device__ inline void __named_sync() {
  __builtin_amdgcn_s_barrier();
}

// Barrier with a block-wide vote. Not over __ockl_wgred_*: those do not compile at -O0 for gfx10
// and later with the device library of ROCm 5.2.
__device__ inline __attribute__((convergent)) int __syncthreads_count(int predicate) {
  __shared__ unsigned int total;
  unsigned long long voters = __ballot(predicate);
  bool first_lane = __lane_id() == static_cast<unsigned>(__builtin_ctzll(__ballot(1)));
  __syncthreads();  // an earlier call's readers are done
  if (first_lane) __hip_atomic_store(&total, 0u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  __syncthreads();
  if (first_lane) {
    __hip_atomic_fetch_add(&total, static_cast<unsigned>(__builtin_popcountll(voters)),
                           __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  }
  __syncthreads();
  return static_cast<int>(total);
}
__device__ inline __attribute__((convergent)) int __syncthreads_and(int predicate) {
  return __syncthreads_count(predicate == 0) == 0;
}
__device__ inline __attribute__((convergent)) int __syncthreads_or(int predicate) {
  return __syncthreads_count(predicate) != 0;
}

#endif
