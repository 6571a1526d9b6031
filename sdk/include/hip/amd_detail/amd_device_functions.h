// SPDX-License-Identifier: MIT
// Device functions that are not math: integer and conversion intrinsics, warp and block functions,
// clocks, shared memory, memcpy.
#pragma once

#if !defined(__HIPCC_RTC__)
#include <hip/amd_detail/amd_hip_common.h>
#include <hip/hip_runtime_api.h>
#include <stddef.h>
#endif
#include <hip/amd_detail/amd_hip_vector_types.h>
#include <hip/amd_detail/device_library_decls.h>
#include <hip/amd_detail/hip_assert.h>
#include <hip/amd_detail/host_defines.h>

#if defined(__clang__) && defined(__HIP__)

// clang expands calls of this one to messages for the host.
extern "C" __device__ int printf(const char* fmt, ...);

#include <hip/amd_detail/amd_warp_functions.h>
#include <hip/amd_detail/amd_warp_sync_functions.h>
#include <hip/amd_detail/conversion_functions.h>
#include <hip/amd_detail/integer_functions.h>
#include <hip/amd_detail/sync_functions.h>
#include <hip/amd_detail/wave_placement.h>

// Four bytes at once

#define MASK1 0x00ff00ff
#define MASK2 0xff00ff00

__device__ static inline char4 __hip_hc_add8pk(char4 in1, char4 in2) {
  return in1 + in2;
}
__device__ static inline char4 __hip_hc_sub8pk(char4 in1, char4 in2) {
  return in1 - in2;
}
__device__ static inline char4 __hip_hc_mul8pk(char4 in1, char4 in2) {
  return in1 * in2;
}

// Clocks: clock counts core cycles, wall_clock64 ticks of constant length
// (hipDeviceAttributeWallClockRate).

#ifdef __HIP_DEVICE_COMPILE__
__device__ inline __attribute__((always_inline)) long long int __clock64() {
  return static_cast<long long>(__builtin_readcyclecounter());
}
__device__ inline __attribute__((always_inline)) long long int __clock() {
  return __clock64();
}
__device__ inline __attribute__((always_inline)) long long int clock64() {
  return __clock64();
}
__device__ inline __attribute__((always_inline)) long long int clock() {
  return __clock64();
}
__device__ inline __attribute__((always_inline)) long long int wall_clock64() {
  return static_cast<long long>(__builtin_readsteadycounter());
}
#else
__device__ long long int __clock64();
__device__ long long int __clock();
__device__ long long int clock64();
__device__ long long int clock();
__device__ long long int wall_clock64();
#endif

// Active lanes above, below and at the calling lane

__device__ inline __hw_uint64 __lanemask_gt() {
  return __ballot64(1) & (~1ull << __lane_id());
}
__device__ inline __hw_uint64 __lanemask_lt() {
  return __ballot64(1) & ((1ull << __lane_id()) - 1);
}
__device__ inline __hw_uint64 __lanemask_eq() {
  return 1ull << __lane_id();
}

// Dynamic shared memory: it begins where the block's static shared memory ends.

__device__ inline void* __local_to_generic(void* p) {
  return p;
}

#ifdef __HIP_DEVICE_COMPILE__
__device__ inline void* __get_dynamicgroupbaseptr() {
  return __local_to_generic((void*)__to_local(__builtin_amdgcn_groupstaticsize()));
}
#else
__device__ void* __get_dynamicgroupbaseptr();
#endif
__device__ inline void* __amdgcn_get_dynamicgroupbaseptr() {
  return __get_dynamicgroupbaseptr();
}

#define HIP_DYNAMIC_SHARED(type, var) extern __shared__ type var[];
#define HIP_DYNAMIC_SHARED_ATTRIBUTE

// Memory

static inline __device__ void* __hip_hc_memcpy(void* dst, const void* src, size_t size) {
  return __builtin_memcpy(dst, src, size);
}
static inline __device__ void* __hip_hc_memset(void* dst, unsigned char val, size_t size) {
  return __builtin_memset(dst, val, size);
}
static inline __device__ void* memcpy(void* dst, const void* src, size_t size) {
  return __builtin_memcpy(dst, src, size);
}
static inline __device__ void* memset(void* ptr, int val, size_t size) {
  return __builtin_memset(ptr, val, size);
}

#endif  // clang HIP
