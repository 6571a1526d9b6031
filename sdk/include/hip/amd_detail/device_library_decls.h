// SPDX-License-Identifier: MIT
// What HIP code may call in the device libraries (ockl.bc, ocml.bc) besides what clang's own
// headers declare. Our headers call few of them: device libraries of different age lack some.
#pragma once

#if !defined(__HIPCC_RTC__)
#include <hip/amd_detail/host_defines.h>
#endif

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef unsigned long long ullong;

#define __hw_device_const __device__ __attribute__((const))
#define __hw_device_convergent __device__ __attribute__((convergent))

extern "C" {

// Integer arithmetic
__hw_device_const uint __ockl_mul24_u32(uint, uint);
__hw_device_const int __ockl_mul24_i32(int, int);
__hw_device_const uint __ockl_mul_hi_u32(uint, uint);
__hw_device_const int __ockl_mul_hi_i32(int, int);
__hw_device_const uint __ockl_sadd_u32(uint, uint, uint);
__hw_device_const uchar __ockl_clz_u8(uchar);
__hw_device_const ushort __ockl_clz_u16(ushort);
__hw_device_const uint __ockl_clz_u32(uint);
__hw_device_const __UINT64_TYPE__ __ockl_clz_u64(__UINT64_TYPE__);

// Rounding
__hw_device_const float __ocml_floor_f32(float);
__hw_device_const float __ocml_rint_f32(float);
__hw_device_const float __ocml_ceil_f32(float);
__hw_device_const float __ocml_trunc_f32(float);
__hw_device_const float __ocml_fmin_f32(float, float);
__hw_device_const float __ocml_fmax_f32(float, float);

// Conversions that round toward -inf (rtn), +inf (rtp) and zero (rtz). Debian's ocml.bc has none of
// them.
#define __hw_convert(to, to_type, from, from_type)                  \
  __hw_device_const to_type __ocml_cvtrtn_##to##_##from(from_type); \
  __hw_device_const to_type __ocml_cvtrtp_##to##_##from(from_type); \
  __hw_device_const to_type __ocml_cvtrtz_##to##_##from(from_type)
__hw_convert(f16, _Float16, f32, float);
__hw_convert(f32, float, f64, double);
__hw_convert(f32, float, s32, int);
__hw_convert(f32, float, u32, __UINT32_TYPE__);
__hw_convert(f32, float, s64, __INT64_TYPE__);
__hw_convert(f32, float, u64, __UINT64_TYPE__);
__hw_convert(f64, double, s64, __INT64_TYPE__);
__hw_convert(f64, double, u64, __UINT64_TYPE__);
#undef __hw_convert

// Wave and work-group
__hw_device_const bool __ockl_wfany_i32(int);
__hw_device_const bool __ockl_wfall_i32(int);
__device__ uint __ockl_activelane_u32(void);
__hw_device_const __UINT32_TYPE__ __ockl_lane_u32(void);
__hw_device_convergent int __ockl_wgred_add_i32(int);
__hw_device_convergent int __ockl_wgred_and_i32(int);
__hw_device_convergent int __ockl_wgred_or_i32(int);

// Grid and multi-grid
__hw_device_convergent void __ockl_gws_init(uint nwm1, uint rid);
__hw_device_convergent void __ockl_gws_barrier(uint nwm1, uint rid);
__hw_device_const int __ockl_grid_is_valid(void);
__hw_device_convergent void __ockl_grid_sync(void);
__hw_device_const uint __ockl_multi_grid_num_grids(void);
__hw_device_const uint __ockl_multi_grid_grid_rank(void);
__hw_device_const uint __ockl_multi_grid_size(void);
__hw_device_const uint __ockl_multi_grid_thread_rank(void);
__hw_device_const int __ockl_multi_grid_is_valid(void);
__hw_device_convergent void __ockl_multi_grid_sync(void);

__device__ void __ockl_atomic_add_noret_f32(float*, float);
__device__ unsigned long long __ockl_steadyctr_u64(void);

// Messages to the host's stderr
__device__ __UINT64_TYPE__ __ockl_fprintf_stderr_begin(void);
__device__ __UINT64_TYPE__ __ockl_fprintf_append_args(
    __UINT64_TYPE__ msg_desc, __UINT32_TYPE__ num_args, __UINT64_TYPE__ value0,
    __UINT64_TYPE__ value1, __UINT64_TYPE__ value2, __UINT64_TYPE__ value3, __UINT64_TYPE__ value4,
    __UINT64_TYPE__ value5, __UINT64_TYPE__ value6, __UINT32_TYPE__ is_last);
__device__ __UINT64_TYPE__ __ockl_fprintf_append_string_n(__UINT64_TYPE__ msg_desc,
                                                          const char* data, __UINT64_TYPE__ length,
                                                          __UINT32_TYPE__ is_last);

}  // extern "C"

#undef __hw_device_convergent
#undef __hw_device_const

#define __local __attribute__((address_space(3)))

#ifdef __HIP_DEVICE_COMPILE__
__device__ inline static __local void* __to_local(unsigned x) {
  return (__local void*)x;
}
#endif

#define __CLK_LOCAL_MEM_FENCE 0x01
typedef unsigned __cl_mem_fence_flags;
