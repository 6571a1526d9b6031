// SPDX-License-Identifier: MIT
// What lanes of a wave do with each other: the intrinsics, masks, lane and warp numbers.
#pragma once

#include <optional>
#include <vector>

#include "lint/cuda/values.h"
#include "lint/rule.h"

namespace hipwright::lint {

struct LaneOp {
  enum class Kind { kShuffle, kBallot, kVote, kSync, kReduce };
  syntax::Name name;
  Kind kind;
  int mask = -1;   // which argument is the mask of lanes; -1: none
  int lane = -1;   // of a shuffle: which one says where the value comes from
  int width = -1;  // of a shuffle: which one is the size of the groups
};

const std::vector<LaneOp>& lane_ops();
// The names of lane_ops(): triggers of rules.
const std::vector<syntax::Name>& lane_op_names();
const LaneOp* lane_op_at(const cu::File& file, cu::TokenIndex token);

// A call of one of them that AMD's compiler can see.
struct LaneCall {
  const LaneOp* op;
  cu::TokenIndex name;
  std::vector<cu::TokenRange> arguments;

  std::optional<cu::TokenRange> argument(int index) const;
  // A shuffle within groups: it has a width that is not the wave's.
  bool has_width(const cu::File& file) const;
};
std::vector<LaneCall> lane_calls(const CudaCheck& check);
// Those within a range; `calls` as lane_calls() gives them.
std::vector<const LaneCall*> within(const std::vector<LaneCall>& calls, cu::TokenRange range);

// The innermost thing whose code belongs together: a function's body with its head, the body of a
// macro, or the whole file.
cu::TokenRange code_around(const cu::File& file, cu::TokenIndex token);

// A name that people give to the number of a lane: lane, laneId, lane_idx…
bool is_lane_name(std::string_view name);
bool is_warp_name(std::string_view name);
// An expression that is the number of a lane or, before it is taken apart, of a thread.
bool is_thread_number(const cu::File& file, cu::TokenRange expression);

// Files that only NVIDIA's compilers can read: by name, by headers, by instructions that no other
// hardware has. What they assume of warps is right.
bool is_bound_to_nvidia(const CudaCheck& check);
// Code for AMD's wave32 targets alone.
bool is_for_wave32(const CudaCheck& check, cu::TokenIndex token);
// Does the file count in warps of 32 lanes on AMD, too, by namespace warp32 of hip_compat.h?
bool has_warps_of_32(const CudaCheck& check);
bool is_for_wave64(const CudaCheck& check, cu::TokenIndex token);

// Written for AMD and for nobody else: what it says of 32 lanes is meant.
bool is_for_amd_alone(const CudaCheck& check, cu::TokenIndex token);

// As sure as the rule can be here: less where an unknown macro decides whether AMD sees the code.
Confidence sure(const CudaCheck& check, cu::TokenIndex token, Confidence most = Confidence::kHigh);

// Does the project give one of CUDA's names a meaning of its own on AMD, here or in a header that
// is included? As a macro with arguments, or as a function too.
bool is_own_macro(const CudaCheck& check, std::string_view name);
bool is_own_name(const CudaCheck& check, const syntax::Name& name);

}  // namespace hipwright::lint
