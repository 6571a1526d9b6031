// SPDX-License-Identifier: MIT
// A part of compat.h, which includes them in order.
namespace hip_compat {

// Every lane in `lanes` gets the result over all of them. Disjoint sets may call it together.
template <class T, class Op>
__device__ inline T reduce_lanes(lane_bits lanes, HIP_COMPAT_MAYBE_UNSET T value, Op op) {
  int first = __builtin_ctzll(lanes);
  int count = __builtin_popcountll(lanes);
  if (is_aligned_block(lanes, first, count)) {
    int self = lane_id();
    for (int distance = count / 2; distance != 0; distance /= 2) {
      value = op(value, from_lane(value, self ^ distance));
    }
    return value;
  }
  T result = from_lane(value, first);
  for (lanes &= lanes - 1; lanes != 0; lanes &= lanes - 1) {
    result = op(result, from_lane(value, __builtin_ctzll(lanes)));
  }
  return result;
}

}  // namespace hip_compat

#if !HIP_COMPAT_HAS_WAVE_REDUCE

// Orders memory among the lanes of a wave. It does not reconverge lanes of different branches: on
// AMD GPUs a wave runs one branch after the other.
HIP_COMPAT_DEVICE void __syncwarp() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}
template <class MaskT>
__device__ inline void __syncwarp(MaskT mask) {
  (void)hip_compat::checked_mask(mask);
  __syncwarp();
}

#define HIP_COMPAT_REDUCE(name, T, expression)                                            \
  template <class MaskT>                                                                  \
  __device__ inline T name(MaskT mask, HIP_COMPAT_MAYBE_UNSET T value) {                  \
    return hip_compat::reduce_lanes(hip_compat::checked_mask(mask), value,                \
                                    [](T a, T b) { return static_cast<T>(expression); }); \
  }
HIP_COMPAT_REDUCE(__reduce_add_sync, int, static_cast<unsigned>(a) + static_cast<unsigned>(b))
HIP_COMPAT_REDUCE(__reduce_add_sync, unsigned int, a + b)
HIP_COMPAT_REDUCE(__reduce_min_sync, int, hip_compat::lower(a, b))
HIP_COMPAT_REDUCE(__reduce_min_sync, unsigned int, hip_compat::lower(a, b))
HIP_COMPAT_REDUCE(__reduce_max_sync, int, hip_compat::higher(a, b))
HIP_COMPAT_REDUCE(__reduce_max_sync, unsigned int, hip_compat::higher(a, b))
HIP_COMPAT_REDUCE(__reduce_and_sync, unsigned int, (a & b))
HIP_COMPAT_REDUCE(__reduce_or_sync, unsigned int, a | b)
HIP_COMPAT_REDUCE(__reduce_xor_sync, unsigned int, a ^ b)
#undef HIP_COMPAT_REDUCE

#endif

namespace hip_compat {

// Its constructor is for derived groups.
struct group_of_lanes : cooperative_groups::coalesced_group {
  __device__ explicit group_of_lanes(lane_bits lanes)
      : cooperative_groups::coalesced_group(lanes) {}
};

}  // namespace hip_compat
