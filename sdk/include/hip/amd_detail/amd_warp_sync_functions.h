// SPDX-License-Identifier: MIT
// Cross-lane functions with a mask argument. In ROCm 6.4 they exist only when the translation unit
// defines HIP_ENABLE_WARP_SYNC_BUILTINS before it includes a HIP header, since 7.0 unless it
// defines HIP_DISABLE_WARP_SYNC_BUILTINS.
//
// The mask is 64 bits wide on every target; wave32 ignores the upper half. Every lane must pass a
// mask that holds itself, and every lane in a mask must reach the call with that same mask: lanes
// of one wave may come with different, disjoint masks. Unless NDEBUG is defined a violation traps.
#pragma once

#include <hip/amd_detail/amd_warp_functions.h>
#include <hip/amd_detail/trap.h>

#if defined(__HW_WARP_SYNC) && defined(__clang__) && defined(__HIP__)

// `val` of the lowest active lane.
template <typename T>
__device__ inline T __hip_readfirstlane(T val) {
  static_assert(sizeof(T) % sizeof(int) == 0, "lanes exchange whole 32-bit registers");
  int words[sizeof(T) / sizeof(int)];
  __builtin_memcpy(words, &val, sizeof(T));
  for (int& word : words) word = __builtin_amdgcn_readfirstlane(word);
  __builtin_memcpy(&val, words, sizeof(T));
  return val;
}

namespace __hip_detail {

using lane_bits = unsigned long long;

// `val` of lane `lane`, which is the same number in all lanes.
template <typename T>
__device__ inline T read_uniform_lane(T val, int lane) {
  int words[sizeof(T) / sizeof(int)];
  __builtin_memcpy(words, &val, sizeof(T));
  for (int& word : words) word = __builtin_amdgcn_readlane(word, lane);
  __builtin_memcpy(&val, words, sizeof(T));
  return val;
}

template <typename MaskT>
__device__ inline lane_bits checked_mask(MaskT mask) {
  static_assert(__is_integral(MaskT) && sizeof(MaskT) == 8,
                "a lane mask is a 64-bit integer on AMD GPUs: write 64-bit literals, because a "
                "widened 32-bit mask names only the lower half of a wave64");
  lane_bits bits = static_cast<lane_bits>(mask);
  return warpSize == 32 ? bits & 0xffffffffull : bits;
}

template <typename T>
__device__ inline void check_matchable() {
  static_assert((__is_integral(T) || __is_floating_point(T)) && (sizeof(T) == 4 || sizeof(T) == 8),
                "match functions compare 32- and 64-bit integers, float and double");
}

// Calls visit(first, same) once for each distinct value of `key` among the active lanes: `first` is
// its lowest lane, `same` the lanes that hold it. The loop is uniform, so cross-lane operations are
// safe in `visit`.
template <typename T, typename F>
__device__ inline void for_each_distinct(T key, F visit) {
  lane_bits pending = __ballot(1);
  while (pending != 0) {
    int first = __builtin_ctzll(pending);
    // The lane itself is added because a NaN is not equal to itself.
    lane_bits same = __ballot(key == read_uniform_lane(key, first)) | (1ull << first);
    visit(first, same);
    pending &= ~same;
  }
}

__device__ inline void check_participants(lane_bits mask) {
#if defined(NDEBUG)
  (void)mask;
#else
  for_each_distinct(mask, [mask](int first, lane_bits same) {
    if (read_uniform_lane(mask, first) != same) trap();
  });
#endif
}

}  // namespace __hip_detail

template <typename MaskT>
__device__ inline unsigned long long __ballot_sync(MaskT mask, int predicate) {
  auto lanes = __hip_detail::checked_mask(mask);
  __hip_detail::check_participants(lanes);
  return __ballot(predicate) & lanes;
}

template <typename MaskT>
__device__ inline int __all_sync(MaskT mask, int predicate) {
  return __ballot_sync(mask, predicate) == __hip_detail::checked_mask(mask);
}

template <typename MaskT>
__device__ inline int __any_sync(MaskT mask, int predicate) {
  return __ballot_sync(mask, predicate) != 0;
}

// Lanes that hold the caller's value.
template <typename T>
__device__ inline unsigned long long __match_any(T value) {
  __hip_detail::check_matchable<T>();
  unsigned long long self = 1ull << __lane_id();
  unsigned long long result = 0;
  __hip_detail::for_each_distinct(value, [self, &result](int, unsigned long long same) {
    if (same & self) result = same;
  });
  return result;
}

template <typename MaskT, typename T>
__device__ inline unsigned long long __match_any_sync(MaskT mask, T value) {
  auto lanes = __hip_detail::checked_mask(mask);
  __hip_detail::check_participants(lanes);
  return __match_any(value) & lanes;
}

// All active lanes when they hold one value, else none; *pred says which.
template <typename T>
__device__ inline unsigned long long __match_all(T value, int* pred) {
  __hip_detail::check_matchable<T>();
  bool equal = __all(__hip_readfirstlane(value) == value);
  *pred = equal;
  return equal ? __activemask() : 0;
}

template <typename MaskT, typename T>
__device__ inline unsigned long long __match_all_sync(MaskT mask, T value, int* pred) {
  __hip_detail::check_matchable<T>();
  auto lanes = __hip_detail::checked_mask(mask);
  __hip_detail::check_participants(lanes);
  unsigned long long self = 1ull << __lane_id();
  bool equal = false;
  __hip_detail::for_each_distinct(lanes, [=, &equal](int first, unsigned long long same) {
    auto other = __ballot(!(value == __hip_detail::read_uniform_lane(value, first)));
    if (same & self) equal = (other & same) == 0;
  });
  *pred = equal;
  return equal ? lanes : 0;
}

template <typename MaskT, typename T>
__device__ inline T __shfl_sync(MaskT mask, T var, int srcLane, int width = warpSize) {
  __hip_detail::check_participants(__hip_detail::checked_mask(mask));
  return __shfl(var, srcLane, width);
}

template <typename MaskT, typename T>
__device__ inline T __shfl_up_sync(MaskT mask, T var, unsigned int delta, int width = warpSize) {
  __hip_detail::check_participants(__hip_detail::checked_mask(mask));
  return __shfl_up(var, delta, width);
}

template <typename MaskT, typename T>
__device__ inline T __shfl_down_sync(MaskT mask, T var, unsigned int delta, int width = warpSize) {
  __hip_detail::check_participants(__hip_detail::checked_mask(mask));
  return __shfl_down(var, delta, width);
}

template <typename MaskT, typename T>
__device__ inline T __shfl_xor_sync(MaskT mask, T var, int laneMask, int width = warpSize) {
  __hip_detail::check_participants(__hip_detail::checked_mask(mask));
  return __shfl_xor(var, laneMask, width);
}

#if __HW_ROCM >= 700

__device__ inline void __syncwarp() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}
template <typename MaskT>
__device__ inline void __syncwarp(MaskT mask) {
  __hip_detail::check_participants(__hip_detail::checked_mask(mask));
  __syncwarp();
}

namespace __hip_detail {

// The lanes of each mask fold their values in lane order; all get the result.
template <typename MaskT, typename T, typename Op>
__device__ inline T reduce_over(MaskT mask, T val, Op op) {
  lane_bits lanes = checked_mask(mask);
  check_participants(lanes);
  lane_bits self = 1ull << __lane_id();
  T result = val;
  for_each_distinct(lanes, [=, &result](int, lane_bits same) {
    T folded = read_uniform_lane(val, __builtin_ctzll(same));
    for (lane_bits rest = same & (same - 1); rest != 0; rest &= rest - 1)
      folded = op(folded, read_uniform_lane(val, __builtin_ctzll(rest)));
    if (same & self) result = folded;
  });
  return result;
}

}  // namespace __hip_detail

#define __hw_reduce(name, T, result)                                                              \
  template <typename MaskT>                                                                       \
  __device__ inline T name(MaskT mask, T val) {                                                   \
    return __hip_detail::reduce_over(mask, val, [](T a, T b) { return static_cast<T>(result); }); \
  }
#define __hw_reduce_arithmetic(T)                   \
  __hw_reduce(__reduce_add_sync, T, a + b);         \
  __hw_reduce(__reduce_min_sync, T, b < a ? b : a); \
  __hw_reduce(__reduce_max_sync, T, a < b ? b : a)
#define __hw_reduce_bits(T)                \
  __hw_reduce(__reduce_and_sync, T, a& b); \
  __hw_reduce(__reduce_or_sync, T, a | b); \
  __hw_reduce(__reduce_xor_sync, T, a ^ b)

__hw_reduce_arithmetic(int);
__hw_reduce_arithmetic(unsigned int);
__hw_reduce_bits(unsigned int);

// Types that CUDA does not have.
#if defined(HIP_ENABLE_EXTRA_WARP_SYNC_TYPES)
__hw_reduce_arithmetic(long long);
__hw_reduce_arithmetic(unsigned long long);
__hw_reduce_arithmetic(float);
__hw_reduce_arithmetic(double);
__hw_reduce_bits(int);
__hw_reduce_bits(long long);
__hw_reduce_bits(unsigned long long);
#endif

#undef __hw_reduce_bits
#undef __hw_reduce_arithmetic
#undef __hw_reduce

#endif
#endif
