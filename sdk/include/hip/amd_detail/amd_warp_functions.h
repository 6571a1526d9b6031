// SPDX-License-Identifier: MIT
// Cross-lane functions without a mask argument: votes, ballots, lane permutes and shuffles.
#pragma once

#include <hip/amd_detail/host_defines.h>
#include <hip/amd_detail/wave_size.h>

#if defined(__clang__) && defined(__HIP__)

#if __HW_ROCM < 700
__device__ static constexpr int warpSize = __HW_WAVE_SIZE;
#else
// Not a constant expression: the compiler knows it only when it selects instructions.
inline __device__ const struct {
  __device__ __attribute__((always_inline, const)) operator int() const noexcept {
    return __builtin_amdgcn_wavefrontsize();
  }
} warpSize{};
#endif

// The mask-taking functions and __activemask(): up to 6.4 a program asks for them, since 7.0 it can
// refuse them.
#if __HW_ROCM < 700
#if defined(HIP_ENABLE_WARP_SYNC_BUILTINS)
#define __HW_WARP_SYNC 1
#endif
#elif !defined(HIP_DISABLE_WARP_SYNC_BUILTINS)
#define __HW_WARP_SYNC 1
#endif

__device__ static inline unsigned int __lane_id() {
#if __HW_WAVE_SIZE == 32
  return __builtin_amdgcn_mbcnt_lo(~0u, 0u);
#else
  return __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u));
#endif
}

// Votes count active lanes only.

__device__ inline unsigned long long int __ballot(int predicate) {
#if __HW_WAVE_SIZE == 32
  return __builtin_amdgcn_ballot_w32(predicate != 0);
#else
  return __builtin_amdgcn_ballot_w64(predicate != 0);
#endif
}
__device__ inline unsigned long long int __ballot64(int predicate) {
  return __ballot(predicate);
}
__device__ inline int __any(int predicate) {
  return __ballot(predicate) != 0;
}
__device__ inline int __all(int predicate) {
  return __ballot(predicate == 0) == 0;
}

#if defined(__HW_WARP_SYNC)
__device__ inline unsigned long long __activemask() {
  return __ballot(1);
}
#endif

// Thin names for the LDS-crossbar and DPP instructions. Indices are byte addresses: lane * 4.

__device__ static inline unsigned __hip_ds_bpermute(int index, unsigned src) {
  return static_cast<unsigned>(__builtin_amdgcn_ds_bpermute(index, static_cast<int>(src)));
}
__device__ static inline float __hip_ds_bpermutef(int index, float src) {
  return __builtin_bit_cast(float,
                            __builtin_amdgcn_ds_bpermute(index, __builtin_bit_cast(int, src)));
}
__device__ static inline unsigned __hip_ds_permute(int index, unsigned src) {
  return static_cast<unsigned>(__builtin_amdgcn_ds_permute(index, static_cast<int>(src)));
}
__device__ static inline float __hip_ds_permutef(int index, float src) {
  return __builtin_bit_cast(float,
                            __builtin_amdgcn_ds_permute(index, __builtin_bit_cast(int, src)));
}

template <int pattern>
__device__ static inline unsigned __hip_ds_swizzle_N(unsigned int src) {
  return static_cast<unsigned>(__builtin_amdgcn_ds_swizzle(static_cast<int>(src), pattern));
}
template <int pattern>
__device__ static inline float __hip_ds_swizzlef_N(float src) {
  return __builtin_bit_cast(float,
                            __builtin_amdgcn_ds_swizzle(__builtin_bit_cast(int, src), pattern));
}
template <int dpp_ctrl, int row_mask, int bank_mask, bool bound_ctrl>
__device__ static inline int __hip_move_dpp_N(int src) {
  return __builtin_amdgcn_mov_dpp(src, dpp_ctrl, row_mask, bank_mask, bound_ctrl);
}

#define __hip_ds_swizzle(src, pattern) __hip_ds_swizzle_N<(pattern)>((src))
#define __hip_ds_swizzlef(src, pattern) __hip_ds_swizzlef_N<(pattern)>((src))
#define __hip_move_dpp(src, dpp_ctrl, row_mask, bank_mask, bound_ctrl) \
  __hip_move_dpp_N<(dpp_ctrl), (row_mask), (bank_mask), (bound_ctrl)>((src))

namespace __hip_detail {

// Source lane of each shuffle for lane `self`. `width` is a power of two; a lane whose source lies
// outside its segment reads itself. Free of target code, so that they can be tested on the host.

__host__ __device__ constexpr int shfl_lane(int self, int src, int width) {
  return (self & ~(width - 1)) | (src & (width - 1));
}
__host__ __device__ constexpr int shfl_up_lane(int self, unsigned delta, int width) {
  return delta > static_cast<unsigned>(self & (width - 1)) ? self : self - static_cast<int>(delta);
}
__host__ __device__ constexpr int shfl_down_lane(int self, unsigned delta, int width) {
  return delta >= static_cast<unsigned>(width - (self & (width - 1)))
             ? self
             : self + static_cast<int>(delta);
}
// Lower segments may be read, later ones not: as in CUDA.
__host__ __device__ constexpr int shfl_xor_lane(int self, int mask, int width) {
  return (self ^ mask) >= ((self | (width - 1)) + 1) ? self : (self ^ mask);
}

// The value of `var` in lane `lane`, one ds_bpermute per 32 bits.
template <typename T>
__device__ inline T read_lane(T var, int lane) {
  static_assert(sizeof(T) % sizeof(int) == 0, "lanes exchange whole 32-bit registers");
  int words[sizeof(T) / sizeof(int)];
  __builtin_memcpy(words, &var, sizeof(T));
  for (int& word : words) word = __builtin_amdgcn_ds_bpermute(lane * 4, word);
  __builtin_memcpy(&var, words, sizeof(T));
  return var;
}

}  // namespace __hip_detail

// maybe_undef: lanes outside a branch legitimately pass a variable that was never set.
#define __hw_shuffles(T)                                                                        \
  __device__ inline T __shfl(__attribute__((maybe_undef)) T var, int src_lane,                  \
                             int width = warpSize) {                                            \
    int self = static_cast<int>(__lane_id());                                                   \
    return __hip_detail::read_lane(var, __hip_detail::shfl_lane(self, src_lane, width));        \
  }                                                                                             \
  __device__ inline T __shfl_up(__attribute__((maybe_undef)) T var, unsigned int lane_delta,    \
                                int width = warpSize) {                                         \
    int self = static_cast<int>(__lane_id());                                                   \
    return __hip_detail::read_lane(var, __hip_detail::shfl_up_lane(self, lane_delta, width));   \
  }                                                                                             \
  __device__ inline T __shfl_down(__attribute__((maybe_undef)) T var, unsigned int lane_delta,  \
                                  int width = warpSize) {                                       \
    int self = static_cast<int>(__lane_id());                                                   \
    return __hip_detail::read_lane(var, __hip_detail::shfl_down_lane(self, lane_delta, width)); \
  }                                                                                             \
  __device__ inline T __shfl_xor(__attribute__((maybe_undef)) T var, int lane_mask,             \
                                 int width = warpSize) {                                        \
    int self = static_cast<int>(__lane_id());                                                   \
    return __hip_detail::read_lane(var, __hip_detail::shfl_xor_lane(self, lane_mask, width));   \
  }

__hw_shuffles(int) __hw_shuffles(unsigned int) __hw_shuffles(float) __hw_shuffles(double)
    __hw_shuffles(long) __hw_shuffles(unsigned long) __hw_shuffles(long long)
        __hw_shuffles(unsigned long long)
#undef __hw_shuffles

#endif
