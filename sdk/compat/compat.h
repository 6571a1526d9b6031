// SPDX-License-Identifier: MIT
// CUDA device functions that HIP does not declare. Written by hipwright; part of the ported
// tree, as one file.
//
// Use: include it instead of the HIP runtime header, before other HIP headers. It needs only HIP,
// from ROCm 5.2 on. With NVCC it is empty; host code built by another compiler gets only
// the runtime header, the operators, the vectors and rtc.
//
// Lane masks are 64 bits wide on every AMD GPU, even with 32-lane waves. A 32-bit mask does not
// compile: 0xffffffff would silently exclude lanes 32 to 63 of a 64-lane wave. Write
// 0xffffffffffffffffull, or an unsigned long long variable.
//
// A template loses overload resolution against a plain function of the same signature. Everything
// here is a template, so that a later HIP release that declares the name takes precedence.
//
//   masks      __shfl_sync and variants, __ballot_sync, __any_sync, __all_sync, __match_any_sync,
//              __match_all_sync, __activemask      HIP's own if it has them (6.2, 7.0)
//   wave       __syncwarp, __reduce_{add,min,max,and,or,xor}_sync      HIP's own since 7.0
//   dot        __dp4a, __dp2a_lo, __dp2a_hi
//   SIMD       halfwords (...2) or bytes (...4) in one word: __vadd __vaddss __vaddus __vsub
//              __vsubss __vsubus __vneg __vnegss __vabs __vabsss __vabsdiffs __vabsdiffu __vavgs
//              __vavgu __vhaddu __vmaxs __vmaxu __vmins __vminu __vsads __vsadu, and __vcmp and
//              __vset with eq ne gts ges lts les gtu geu ltu leu
//   memory     __ldca __ldcg __ldcs __ldcv __ldlu __stwb __stcg __stcs __stwt, __pipeline_*,
//              __isGlobal __isShared __isLocal, __cvta_generic_to_shared __cvta_shared_to_generic
//   atomics    atomic*_block, atomicInc_system, atomicDec_system, 16-bit atomicCAS, atomicAdd on
//              half, bfloat16, float2 and float4
//   numbers    hip_compat::fmul_rn, half2int_rn, float2ll_rz, hne and others that HIP computes
//   differently,
//              __hmax2 and __hmin2 of half
//   vectors    hip_compat::double4, long4, longlong4 and siblings: with CUDA's alignment
//   fp8        hip_compat::fp8_e4m3, fp8_e5m2 and their vectors of two and four: CUDA's formats
//   control    __trap, __brkpt, __nanosleep, __prof_trigger, __assume, __grid_constant__,
//              hip_compat::keep_in_loop
//   callbacks  CUDART_CB, CUDARTAPI, CUDA_CB, CUDAAPI
//   integers   umin umax llmin llmax ullmin ullmax; min, max and __ffsll of all types
//   host math  rsqrt rcbrt sinpi cospi sincospi normcdf normcdfinv erfinv erfcinv erfcx, and their
//              float versions, in host code
//   warp32     the same functions for programs with 32-lane warps: see there. With
//              HIP_COMPAT_WARPS_OF_32 defined, CUDA's names with 32-bit masks mean these
//   rtc        hip_compat::compile_program: hiprtc with NVRTC's options, also in host code of other
//              compilers
//   in_place   hip_compat::in_place, create_in_place: a library's descriptor in the program's
//              memory
//   textures   hip_compat::linear_texture, linear_texture_object: over linear memory, without the
//              texture instructions that some GPUs lack
//   operators  HIP_COMPAT_OWN_OPERATOR and variants: a program's operators take precedence over
//              HIP's
//   groups     cooperative_groups::reduce, inclusive_scan, exclusive_scan, memcpy_async,
//              wait, wait_prior, invoke_one, invoke_one_broadcast, labeled_partition,
//              tiles of tiles, and the functors plus, less, greater, bit_and, bit_or, bit_xor
#pragma once

#if defined(__HIP_PLATFORM_AMD__) || defined(__HIP__)
// HIP's vector types have component-wise operators, but the program defines its own, for example
// for complex numbers. The program's operator is a function, and these call it. HIP's * and / take
// their second operand by const reference: a non-const operand matches these better; for a const
// one the compiler reports an ambiguity. `a * float2(b)` resolves it.
#define HIP_COMPAT_OWN_OPERATOR(vector, sign, function)                                           \
  inline __host__ __device__ auto operator sign(vector a, vector& b)->decltype(function(a, b)) {  \
    return function(a, b);                                                                        \
  }                                                                                               \
  inline __host__ __device__ auto operator sign(vector a, vector&& b)->decltype(function(a, b)) { \
    return function(a, b);                                                                        \
  }                                                                                               \
  inline __host__ __device__ auto operator sign(const vector& a, const vector& b)                 \
      ->decltype(function(a, b)) {                                                                \
    return function(a, b);                                                                        \
  }
// HIP's own functions assign temporaries: those keep HIP's operators.
#define HIP_COMPAT_OWN_ASSIGNMENT(vector, sign, function)                                         \
  inline __host__ __device__ auto operator sign(vector& a, vector& b)->decltype(function(a, b)) { \
    return function(a, b);                                                                        \
  }                                                                                               \
  inline __host__ __device__ auto operator sign(vector& a, const vector& b)                       \
      ->decltype(function(a, b)) {                                                                \
    return function(a, b);                                                                        \
  }
// With a scalar, HIP's are templates, which match 2 and 0.5 better than a function of float does.
#define HIP_COMPAT_OWN_BY_SCALAR(vector, sign, function)                                           \
  template <class S, class = typename std::enable_if<std::is_convertible<S, double>::value>::type> \
  inline __host__ __device__ auto operator sign(vector a, S b)->decltype(function(a, b)) {         \
    return function(a, b);                                                                         \
  }
#define HIP_COMPAT_OWN_OF_SCALAR(vector, sign, function)                                           \
  template <class S, class = typename std::enable_if<std::is_convertible<S, double>::value>::type> \
  inline __host__ __device__ auto operator sign(S a, vector b)->decltype(function(a, b)) {         \
    return function(a, b);                                                                         \
  }
#if !defined(__HIPCC_RTC__)

#if !defined(__HIP__) || !defined(__clang__)
#include <hip/hip_runtime.h>
#endif

#include "parts/rtc.h"

#endif
#endif

#if defined(__HIP__) && defined(__clang__)

// HIP 6.2 to 6.4 declare the mask functions on request only, and only in the first header that
// needs them. __hip_ds_swizzle shows that it has been included already: too late to request them.
#if !defined(HIP_ENABLE_WARP_SYNC_BUILTINS) && !defined(HIP_DISABLE_WARP_SYNC_BUILTINS) && \
    !defined(__hip_ds_swizzle)
#define HIP_ENABLE_WARP_SYNC_BUILTINS 1
#endif

#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime.h>  // before the others: those of HIP 5.7 rely on it
#include <math.h>             // isnan and others outside std, as CUDA's header declares them

#include <hip/hip_cooperative_groups.h>
#include <hip/hip_version.h>
#if HIP_VERSION < 50300000 && !defined(__llvm_amdgcn_rcp_f16)
// HIP 5.2 calls these two, which later compilers lack.
template <int = 0>
__device__ inline _Float16 __llvm_amdgcn_rcp_f16(_Float16 x) {
  return static_cast<_Float16>(1) / x;
}
template <class T>
__device__ inline T __llvm_amdgcn_rcp_2f16(T x) {
  return static_cast<_Float16>(1) / x;
}
#endif
#include <hip/hip_fp16.h>
#if __has_include(<hip/hip_bf16.h>)  // from 5.6 on
#include <hip/hip_bf16.h>
#endif
#endif

#endif

#if defined(__HIP_PLATFORM_AMD__) || defined(__HIP__)

#include "parts/vectors.h"

#endif

#if defined(__HIP__) && defined(__clang__)

#if HIP_VERSION >= 70000000 && !defined(HIP_DISABLE_WARP_SYNC_BUILTINS)
#define HIP_COMPAT_HAS_MASKS 1
#define HIP_COMPAT_HAS_WAVE_REDUCE 1
#elif HIP_VERSION >= 60200000 && defined(HIP_ENABLE_WARP_SYNC_BUILTINS)
#define HIP_COMPAT_HAS_MASKS 1
#define HIP_COMPAT_HAS_WAVE_REDUCE 0
#else
#define HIP_COMPAT_HAS_MASKS 0
#define HIP_COMPAT_HAS_WAVE_REDUCE 0
#endif

#define HIP_COMPAT_DEVICE \
  template <int = 0>      \
  __device__ inline __attribute__((always_inline))
#define HIP_COMPAT_BOTH \
  template <int = 0>    \
  __host__ __device__ inline __attribute__((always_inline))

// For values that lanes hand to each other. Some lanes may pass a variable that was never set: in
// `if (lane == 0) x = f(); x = __shfl_sync(mask, x, 0);` all but the first do. Without the
// attribute the optimizer concludes that the condition always holds. clang honours it on free
// functions only, not on member templates.
#if __has_attribute(maybe_undef)
#define HIP_COMPAT_MAYBE_UNSET __attribute__((maybe_undef))
#else
#define HIP_COMPAT_MAYBE_UNSET
#endif

// The lanes of a wave as a constant: of the target in device code; in host code, which may serve
// several targets, the maximum.
#if defined(__HIP_DEVICE_COMPILE__) && !defined(__GFX9__)
#define HIP_COMPAT_WAVE_SIZE 32
#else
#define HIP_COMPAT_WAVE_SIZE 64
#endif

namespace hip_compat {

typedef unsigned long long lane_bits;

// T without template argument deduction.
template <class T>
struct same {
  typedef T type;
};

template <class To, class From>
__host__ __device__ inline To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From), "same bits, other type");
  To to;
  __builtin_memcpy(static_cast<void*>(&to), &from, sizeof(to));
  return to;
}

template <class T>
__host__ __device__ constexpr T lower(T a, T b) {
  return b < a ? b : a;
}
template <class T>
__host__ __device__ constexpr T higher(T a, T b) {
  return a < b ? b : a;
}

// Exactly the lanes {first .. first + count - 1}, count a power of two, first a multiple of it?
__host__ __device__ constexpr bool is_aligned_block(lane_bits lanes, int first, int count) {
  return (count & (count - 1)) == 0 && (first & (count - 1)) == 0 &&
         lanes >> first == ~0ull >> (64 - count);
}

__device__ inline int lane_id() {
  return static_cast<int>(__builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u)));
}

// `value` of lane `lane`, for any trivially copyable type.
template <class T>
__device__ inline T from_lane(HIP_COMPAT_MAYBE_UNSET T value, int lane) {
  int words[(sizeof(T) + 3) / 4] = {};
  __builtin_memcpy(words, &value, sizeof(T));
  for (int& word : words) word = __builtin_amdgcn_ds_bpermute(lane * 4, word);
  __builtin_memcpy(&value, words, sizeof(T));
  return value;
}

// Does lane `lane` have this value, too? Equal floats can have different bits.
template <class T>
__device__ inline bool has_same_bits(HIP_COMPAT_MAYBE_UNSET T value, int lane) {
  int words[(sizeof(T) + 3) / 4] = {};
  __builtin_memcpy(words, &value, sizeof(T));
  int differ = 0;
  for (int word : words) differ |= word ^ __builtin_amdgcn_ds_bpermute(lane * 4, word);
  return differ == 0;
}

template <class MaskT>
__device__ inline lane_bits checked_mask(MaskT mask) {
  static_assert(
      __is_integral(MaskT) && sizeof(MaskT) == 8,
      "lane masks are 64-bit integers on AMD GPUs: 0xffffffffffffffffull, not 0xffffffff");
  lane_bits lanes = static_cast<lane_bits>(mask);
  return __builtin_amdgcn_wavefrontsize() == 32 ? lanes & 0xffffffffull : lanes;
}

}  // namespace hip_compat

// clang-format off
#include "parts/masks.h"
#include "parts/wave.h"
#include "parts/warps_of_32.h"
#include "parts/dot_products.h"
#include "parts/simd.h"
#include "parts/memory.h"
#include "parts/atomics.h"
#include "parts/numbers.h"
#include "parts/fp8.h"
#include "parts/control.h"
#include "parts/integers.h"
#include "parts/host_math.h"
#include "parts/in_place.h"
#include "parts/textures.h"
#include "parts/groups.h"
// clang-format on

#undef HIP_COMPAT_DEVICE
#undef HIP_COMPAT_BOTH

#endif

#include "parts/graphs.h"
