// SPDX-License-Identifier: MIT
// A part of compat.h, which includes them in order.
// For programs whose warps have 32 lanes on every GPU: each half of a 64-lane wave is a warp. Masks
// and ballots have 32 bits and cover the lane's own half; nothing else in the program needs to
// change. With 32-lane waves, warp and wave are the same.

namespace warp32 {

constexpr int size = 32;

__device__ inline int lane() {
  return hip_compat::lane_id() & (size - 1);
}
// The lane of the wave where the warp begins.
__device__ inline int first_lane() {
  return hip_compat::lane_id() & ~(size - 1);
}
// The number of the warp in its block.
__device__ inline unsigned int number() {
  return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) / size;
}

__device__ inline unsigned int ballot(HIP_COMPAT_MAYBE_UNSET int predicate) {
  return static_cast<unsigned int>(__ballot(predicate) >> first_lane());
}
__device__ inline int any(HIP_COMPAT_MAYBE_UNSET int predicate) {
  return ballot(predicate) != 0;
}
__device__ inline int all(HIP_COMPAT_MAYBE_UNSET int predicate) {
  return ballot(predicate == 0) == 0;
}
__device__ inline unsigned int activemask() {
  return ballot(1);
}
__device__ inline unsigned int ballot_sync(unsigned int mask,
                                           HIP_COMPAT_MAYBE_UNSET int predicate) {
  return ballot(predicate) & mask;
}
__device__ inline int any_sync(unsigned int mask, HIP_COMPAT_MAYBE_UNSET int predicate) {
  return ballot_sync(mask, predicate) != 0;
}
__device__ inline int all_sync(unsigned int mask, HIP_COMPAT_MAYBE_UNSET int predicate) {
  return ballot_sync(mask, predicate == 0) == 0;
}

// For any trivially copyable type. A lane whose source is outside its segment of `width` lanes
// keeps its own value.
template <class T>
__device__ inline T shfl(HIP_COMPAT_MAYBE_UNSET T value, int source, int width = size) {
  int self = hip_compat::lane_id();
  return hip_compat::from_lane(value, (source & (width - 1)) | (self & ~(width - 1)));
}
// Only five bits of a distance count.
template <class T>
__device__ inline T shfl_up(HIP_COMPAT_MAYBE_UNSET T value, unsigned int delta, int width = size) {
  int self = hip_compat::lane_id();
  int source = self - static_cast<int>(delta & (size - 1));
  return hip_compat::from_lane(value, source < (self & ~(width - 1)) ? self : source);
}
template <class T>
__device__ inline T shfl_down(HIP_COMPAT_MAYBE_UNSET T value, unsigned int delta,
                              int width = size) {
  int self = hip_compat::lane_id();
  int source = self + static_cast<int>(delta & (size - 1));
  return hip_compat::from_lane(value, source > (self | (width - 1)) ? self : source);
}
template <class T>
__device__ inline T shfl_xor(HIP_COMPAT_MAYBE_UNSET T value, int lanes, int width = size) {
  int self = hip_compat::lane_id();
  int source = self ^ (lanes & (size - 1));
  return hip_compat::from_lane(value, source > (self | (width - 1)) ? self : source);
}
template <class T>
__device__ inline T shfl_sync(unsigned int, HIP_COMPAT_MAYBE_UNSET T value, int source,
                              int width = size) {
  return shfl(value, source, width);
}
template <class T>
__device__ inline T shfl_up_sync(unsigned int, HIP_COMPAT_MAYBE_UNSET T value, unsigned int delta,
                                 int width = size) {
  return shfl_up(value, delta, width);
}
template <class T>
__device__ inline T shfl_down_sync(unsigned int, HIP_COMPAT_MAYBE_UNSET T value, unsigned int delta,
                                   int width = size) {
  return shfl_down(value, delta, width);
}
template <class T>
__device__ inline T shfl_xor_sync(unsigned int, HIP_COMPAT_MAYBE_UNSET T value, int lanes,
                                  int width = size) {
  return shfl_xor(value, lanes, width);
}

// Compares bits, even of floats. Lanes of the mask that have exited match nothing.
template <class T>
__device__ inline unsigned int match_any_sync(unsigned int mask, HIP_COMPAT_MAYBE_UNSET T value) {
  unsigned int result = 0;
  for (unsigned int rest = mask & activemask(); rest != 0; rest &= rest - 1) {
    int other = __builtin_ctz(rest);
    if (hip_compat::has_same_bits(value, first_lane() + other)) result |= 1u << other;
  }
  return result;
}
template <class T>
__device__ inline unsigned int match_all_sync(unsigned int mask, HIP_COMPAT_MAYBE_UNSET T value,
                                              int* pred) {
  mask &= activemask();
  int first = first_lane() + __builtin_ctz(mask);
  *pred = all_sync(mask, hip_compat::has_same_bits(value, first));
  return *pred ? mask : 0;
}

// Orders memory among the lanes; see __syncwarp above.
__device__ inline void syncwarp(unsigned int = ~0u) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

#define HIP_COMPAT_REDUCE(name, T, expression)                                            \
  __device__ inline T name(unsigned int mask, HIP_COMPAT_MAYBE_UNSET T value) {           \
    /* exited lanes contribute nothing, not 0  */                                         \
    auto lanes = static_cast<hip_compat::lane_bits>(mask & activemask()) << first_lane(); \
    return hip_compat::reduce_lanes(lanes, value,                                         \
                                    [](T a, T b) { return static_cast<T>(expression); }); \
  }
HIP_COMPAT_REDUCE(reduce_add_sync, int, static_cast<unsigned>(a) + static_cast<unsigned>(b))
HIP_COMPAT_REDUCE(reduce_add_sync, unsigned int, a + b)
HIP_COMPAT_REDUCE(reduce_min_sync, int, hip_compat::lower(a, b))
HIP_COMPAT_REDUCE(reduce_min_sync, unsigned int, hip_compat::lower(a, b))
HIP_COMPAT_REDUCE(reduce_max_sync, int, hip_compat::higher(a, b))
HIP_COMPAT_REDUCE(reduce_max_sync, unsigned int, hip_compat::higher(a, b))
HIP_COMPAT_REDUCE(reduce_and_sync, unsigned int, (a & b))
HIP_COMPAT_REDUCE(reduce_or_sync, unsigned int, a | b)
HIP_COMPAT_REDUCE(reduce_xor_sync, unsigned int, a ^ b)
#undef HIP_COMPAT_REDUCE

// The converged lanes of the warp.
__device__ inline cooperative_groups::coalesced_group coalesced_threads() {
  return hip_compat::group_of_lanes(static_cast<hip_compat::lane_bits>(activemask())
                                    << first_lane());
}

}  // namespace warp32

// A program that is built for both platforms keeps the names of CUDA's functions. HIP's accept
// 64-bit masks only; these accept the program's 32-bit masks, which mean a warp of 32 lanes.
#if defined(HIP_COMPAT_WARPS_OF_32)

#define HIP_COMPAT_SHUFFLE(name, Mask, lane_type)                                         \
  template <class T>                                                                      \
  __device__ inline T __##name(Mask mask, HIP_COMPAT_MAYBE_UNSET T value, lane_type lane, \
                               int width = warp32::size) {                                \
    return warp32::name(static_cast<unsigned int>(mask), value, lane, width);             \
  }
#define HIP_COMPAT_VOTE(name, Mask, result)                                            \
  __device__ inline result __##name(Mask mask, HIP_COMPAT_MAYBE_UNSET int predicate) { \
    return warp32::name(static_cast<unsigned int>(mask), predicate);                   \
  }
#define HIP_COMPAT_REDUCE_OF(name, Mask, T)                                  \
  __device__ inline auto __##name(Mask mask, HIP_COMPAT_MAYBE_UNSET T value) \
      ->decltype(warp32::name(static_cast<unsigned int>(mask), value)) {     \
    return warp32::name(static_cast<unsigned int>(mask), value);             \
  }
#define HIP_COMPAT_REDUCE(name, Mask)            \
  HIP_COMPAT_REDUCE_OF(name, Mask, int)          \
  HIP_COMPAT_REDUCE_OF(name, Mask, unsigned int) \
  template <class T>                             \
  HIP_COMPAT_REDUCE_OF(name, Mask, T)
#define HIP_COMPAT_MASKS(Mask)                                                                 \
  HIP_COMPAT_SHUFFLE(shfl_sync, Mask, int)                                                     \
  HIP_COMPAT_SHUFFLE(shfl_up_sync, Mask, unsigned int)                                         \
  HIP_COMPAT_SHUFFLE(shfl_down_sync, Mask, unsigned int)                                       \
  HIP_COMPAT_SHUFFLE(shfl_xor_sync, Mask, int)                                                 \
  HIP_COMPAT_VOTE(ballot_sync, Mask, unsigned int)                                             \
  HIP_COMPAT_VOTE(any_sync, Mask, int)                                                         \
  HIP_COMPAT_VOTE(all_sync, Mask, int)                                                         \
  HIP_COMPAT_REDUCE(reduce_add_sync, Mask)                                                     \
  HIP_COMPAT_REDUCE(reduce_min_sync, Mask)                                                     \
  HIP_COMPAT_REDUCE(reduce_max_sync, Mask)                                                     \
  HIP_COMPAT_REDUCE(reduce_and_sync, Mask)                                                     \
  HIP_COMPAT_REDUCE(reduce_or_sync, Mask)                                                      \
  HIP_COMPAT_REDUCE(reduce_xor_sync, Mask)                                                     \
  template <class T>                                                                           \
  __device__ inline unsigned int __match_any_sync(Mask mask, HIP_COMPAT_MAYBE_UNSET T value) { \
    return warp32::match_any_sync(static_cast<unsigned int>(mask), value);                     \
  }                                                                                            \
  template <class T>                                                                           \
  __device__ inline unsigned int __match_all_sync(Mask mask, HIP_COMPAT_MAYBE_UNSET T value,   \
                                                  int* pred) {                                 \
    return warp32::match_all_sync(static_cast<unsigned int>(mask), value, pred);               \
  }                                                                                            \
  __device__ inline void __syncwarp(Mask mask) {                                               \
    warp32::syncwarp(static_cast<unsigned int>(mask));                                         \
  }
HIP_COMPAT_MASKS(unsigned int)
HIP_COMPAT_MASKS(int)
#undef HIP_COMPAT_MASKS
#undef HIP_COMPAT_REDUCE
#undef HIP_COMPAT_REDUCE_OF
#undef HIP_COMPAT_VOTE
#undef HIP_COMPAT_SHUFFLE

#endif
