// SPDX-License-Identifier: MIT
// Arithmetic on sets of lanes. A member's rank is the number of members in lower lanes.
#pragma once

#include <hip/amd_detail/host_defines.h>

#if defined(__clang__) && defined(__HIP__)

namespace __hip_detail {

// The set {0 .. count-1}, for 0 <= count <= 64.
__host__ __device__ inline unsigned long long first_lanes(unsigned int count) {
  return count >= 64 ? ~0ull : (1ull << count) - 1;
}

// The calling lane's rank, or what it would be.
__device__ inline unsigned int rank_of_caller(unsigned long long lanes) {
  return __builtin_amdgcn_mbcnt_hi(static_cast<unsigned int>(lanes >> 32),
                                   __builtin_amdgcn_mbcnt_lo(static_cast<unsigned int>(lanes), 0));
}

// The lane of a rank below the set's size: halves the window that holds it until one lane is left.
__host__ __device__ inline int lane_of_rank(unsigned long long lanes, unsigned int rank) {
  unsigned int lane = 0;
  for (unsigned int half = 32; half != 0; half /= 2) {
    auto below = static_cast<unsigned int>(__builtin_popcountll(lanes & first_lanes(half)));
    if (rank >= below) {
      rank -= below;
      lane += half;
      lanes >>= half;
    }
  }
  return static_cast<int>(lane);
}

// The members with ranks in [first, first + count).
__host__ __device__ inline unsigned long long lanes_of_ranks(unsigned long long lanes,
                                                             unsigned int first,
                                                             unsigned int count) {
  unsigned long long result = 0;
  for (unsigned int rank = 0; lanes != 0 && rank < first + count; ++rank) {
    unsigned long long lowest = lanes & -lanes;
    if (rank >= first) result |= lowest;
    lanes ^= lowest;
  }
  return result;
}

// A subset of `lanes` as a set of ranks.
__host__ __device__ inline unsigned long long ranks_of_lanes(unsigned long long lanes,
                                                             unsigned long long subset) {
  unsigned long long result = 0;
  for (unsigned int rank = 0; lanes != 0; ++rank) {
    if (subset & lanes & -lanes) result |= 1ull << rank;
    lanes &= lanes - 1;
  }
  return result;
}

}  // namespace __hip_detail

#endif
