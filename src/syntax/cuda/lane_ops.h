// SPDX-License-Identifier: MIT
// The functions by which lanes of a wave exchange values, and the names of warp sizes.
#pragma once

#include <string_view>
#include <vector>

#include "syntax/cuda/file.h"

namespace hipwright::syntax::cuda {

struct LaneOp {
  enum class Kind { kShuffle, kBallot, kVote, kSync, kReduce };
  Name name;
  Kind kind;
  int mask = -1;   // index of the lane mask argument; -1 if there is none
  int lane = -1;   // of a shuffle: index of the source lane
  int width = -1;  // of a shuffle: index of the group size
};

const std::vector<LaneOp>& lane_ops();
// The names of lane_ops(): triggers of rules.
const std::vector<Name>& lane_op_names();
const LaneOp* lane_op_at(const File& file, TokenIndex token);

// WARP_SIZE, kWarpSize, hw_warp_size, MY_WAVE_SIZE, THREADS_PER_WARP…; not half_warp_size.
bool is_warp_size_name(std::string_view name);

}  // namespace hipwright::syntax::cuda
