// SPDX-License-Identifier: MIT
// Threads divided into groups of 32 or 64, and whether whole waves depend on it.
#pragma once

#include "lint/cuda/lanes.h"

namespace hipwright::lint {

// threadIdx.x % 32, tid >> 5 and similar expressions.
struct Split {
  enum class Part { kLane, kWarp, kCount };  // kCount: blockDim.x / 32
  Part part;
  cu::TokenIndex op;
  cu::TokenRange whole;
  cu::TokenIndex variable = cu::kNoToken;  // the variable it is assigned to
};
// Splits written with the number itself (32: 32, 31 or 5; 64: 64, 63 or 6) that AMD's compiler sees
// and that are not restricted to targets with that wave size.
std::vector<Split> splits_by(const CudaCheck& check, unsigned lanes);
std::vector<Split> splits_in(const CudaCheck& check, cu::TokenRange code, unsigned lanes);

// Does the code divide threads by 32, or by a name that stands for 32? Then two leaders of a
// 64-lane wave each add what a wider mask counts for both.
bool counts_warps_of_32(const CudaCheck& check, cu::TokenRange code);

enum class Crossing { kNone, kGroups, kHalves, kPerhaps, kWholeWave };
// Does this code exchange values between all lanes of a wave, only within groups of a stated width,
// in reductions over 32 lanes (right where each half of a wave has a leader of its own), or through
// functions whose width is unknown?
Crossing crossing(const CudaCheck& check, const std::vector<LaneCall>& calls, cu::TokenRange code);

// A loop over 16, 8, 4, 2, 1 or 1, 2, 4, 8, 16.
struct HalvingLoop {
  cu::TokenIndex keyword;
  cu::TokenRange start;  // the number that should be half of a wave
};
std::optional<HalvingLoop> halving_loop(const cu::File& file, const LaneCall& shuffle);

}  // namespace hipwright::lint
