// SPDX-License-Identifier: MIT
// A part of compat.h, which includes them in order.
#if !HIP_COMPAT_HAS_MASKS

HIP_COMPAT_DEVICE unsigned long long __activemask() {
  return __ballot(1);
}

template <class MaskT>
__device__ inline unsigned long long __ballot_sync(MaskT mask,
                                                   HIP_COMPAT_MAYBE_UNSET int predicate) {
  return __ballot(predicate) & hip_compat::checked_mask(mask);
}
template <class MaskT>
__device__ inline int __any_sync(MaskT mask, HIP_COMPAT_MAYBE_UNSET int predicate) {
  return __ballot_sync(mask, predicate) != 0;
}
template <class MaskT>
__device__ inline int __all_sync(MaskT mask, HIP_COMPAT_MAYBE_UNSET int predicate) {
  return __ballot_sync(mask, predicate == 0) == 0;
}

// One round per lane of the mask; lanes with other masks keep their own count.
template <class MaskT, class T>
__device__ inline unsigned long long __match_any_sync(MaskT mask, HIP_COMPAT_MAYBE_UNSET T value) {
  unsigned long long result = 0;
  for (auto rest = hip_compat::checked_mask(mask); rest != 0; rest &= rest - 1) {
    int lane = __builtin_ctzll(rest);
    if (hip_compat::has_same_bits(value, lane)) result |= 1ull << lane;
  }
  return result;
}
template <class MaskT, class T>
__device__ inline unsigned long long __match_all_sync(MaskT mask, HIP_COMPAT_MAYBE_UNSET T value,
                                                      int* pred) {
  auto lanes = hip_compat::checked_mask(mask);
  *pred = __all_sync(mask, hip_compat::has_same_bits(value, __builtin_ctzll(lanes)));
  return *pred ? lanes : 0;
}

#define HIP_COMPAT_SHUFFLE(name, lane_type)                                                   \
  template <class MaskT, class T>                                                             \
  __device__ inline T name##_sync(MaskT mask, HIP_COMPAT_MAYBE_UNSET T value, lane_type lane, \
                                  int width = __builtin_amdgcn_wavefrontsize()) {             \
    (void)hip_compat::checked_mask(mask);                                                     \
    return name(value, lane, width);                                                          \
  }
HIP_COMPAT_SHUFFLE(__shfl, int)
HIP_COMPAT_SHUFFLE(__shfl_up, unsigned int)
HIP_COMPAT_SHUFFLE(__shfl_down, unsigned int)
HIP_COMPAT_SHUFFLE(__shfl_xor, int)
#undef HIP_COMPAT_SHUFFLE

#endif
