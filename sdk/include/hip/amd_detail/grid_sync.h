// SPDX-License-Identifier: MIT
// Barriers across a cooperative launch, over the sync record that the runtime passes to the kernel
// as hidden_multigrid_sync_arg. ROCm 6.4's device library does the same on newer GPUs and uses the
// GWS barrier instruction on older ones; Debian's (5.2) always uses GWS, which gfx12 does not have.
#pragma once

#include <hip/amd_detail/host_defines.h>
#include <hip/amd_detail/sync_functions.h>

#if defined(__clang__) && defined(__HIP__)

namespace __hip_detail {

struct sync_words {
  unsigned int w0;
  unsigned int w1;
};

// Layout agreed between the HIP runtime and device code.
struct launch_sync {
  sync_words* all_grids;  // null unless launched on several devices
  unsigned int grid_rank;
  unsigned int num_grids;
  unsigned long long threads_before;  // in the grids of lower rank
  unsigned long long threads_total;
  sync_words this_grid;  // zero at launch
  unsigned int num_blocks;
};
static_assert(sizeof(launch_sync) == 48, "the runtime's layout");

// Null when the kernel was not launched cooperatively. Offset 88 is the code object v5 position.
__device__ inline launch_sync* launch_sync_record() {
  auto implicit_args = (const char*)__builtin_amdgcn_implicitarg_ptr();
  return *reinterpret_cast<launch_sync* const*>(implicit_args + 88);
}

__device__ inline bool first_thread_of_block() {
  return (__builtin_amdgcn_workitem_id_x() | __builtin_amdgcn_workitem_id_y() |
          __builtin_amdgcn_workitem_id_z()) == 0;
}
__device__ inline bool first_block_of_grid() {
  return (__builtin_amdgcn_workgroup_id_x() | __builtin_amdgcn_workgroup_id_y() |
          __builtin_amdgcn_workgroup_id_z()) == 0;
}

// One thread per block. w0 counts arrivals, w1 the barriers passed: the last block to arrive resets
// the first and bumps the second.
__device__ inline void wait_for_blocks(launch_sync* record) {
  sync_words* words = &record->this_grid;
  auto passed = __hip_atomic_load(&words->w1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  auto arrived =
      __hip_atomic_fetch_add(&words->w0, 1u, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_AGENT) + 1;
  if (arrived == record->num_blocks) {
    __hip_atomic_store(&words->w0, 0u, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    __hip_atomic_fetch_add(&words->w1, 1u, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
  } else {
    while (__hip_atomic_load(&words->w1, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) == passed) {
      __builtin_amdgcn_s_sleep(2);
    }
  }
}

// One thread per grid. The record outlives the launch and is shared with kernels that ROCm
// compiled, hence its protocol: the low byte of w0 counts arrivals, the bits above it the barriers
// passed.
__device__ inline void wait_for_grids(launch_sync* record) {
  unsigned int* word = &record->all_grids->w0;
  auto before = __hip_atomic_fetch_add(word, 1u, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_SYSTEM);
  if ((before & 255u) + 1 == record->num_grids) {
    __hip_atomic_fetch_add(word, 256u - record->num_grids, __ATOMIC_RELEASE,
                           __HIP_MEMORY_SCOPE_SYSTEM);
  } else {
    while (__hip_atomic_load(word, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM) >> 8 ==
           before >> 8) {
      __builtin_amdgcn_s_sleep(2);
    }
  }
}

__device__ inline __attribute__((convergent)) void grid_barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
  __syncthreads();
  if (first_thread_of_block()) wait_for_blocks(launch_sync_record());
  __syncthreads();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
}

__device__ inline __attribute__((convergent)) void multi_grid_barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "");
  __syncthreads();
  if (first_thread_of_block()) {
    launch_sync* record = launch_sync_record();
    wait_for_blocks(record);
    if (first_block_of_grid()) wait_for_grids(record);
    wait_for_blocks(record);
  }
  __syncthreads();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "");
}

}  // namespace __hip_detail

#endif
