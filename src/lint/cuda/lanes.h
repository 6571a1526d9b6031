// SPDX-License-Identifier: MIT
// Cross-lane operations of a wave: intrinsics, masks, lane and warp numbers.
#pragma once

#include <optional>
#include <vector>

#include "lint/rule.h"
#include "syntax/cuda/lane_ops.h"
#include "syntax/cuda/values.h"

namespace hipwright::lint {

// A call of one of cu::lane_ops() that AMD's compiler can see.
struct LaneCall {
  const cu::LaneOp* op;
  cu::TokenIndex name;
  std::vector<cu::TokenRange> arguments;

  std::optional<cu::TokenRange> argument(int index) const;
  // A shuffle within groups: its width is not the wave size.
  bool has_width(const cu::File& file) const;
};
std::vector<LaneCall> lane_calls(const CudaCheck& check);
// The calls within a range; `calls` as returned by lane_calls().
std::vector<const LaneCall*> within(const std::vector<LaneCall>& calls, cu::TokenRange range);

// The innermost unit of code around a token: a function with its head, the body of a macro, or the
// whole file.
cu::TokenRange code_around(const cu::File& file, cu::TokenIndex token);

// A common name for a lane number: lane, laneId, lane_idx…
bool is_lane_name(std::string_view name);
bool is_warp_name(std::string_view name);
// An expression for a lane number or, before it is split, a thread number.
bool is_thread_number(const cu::File& file, cu::TokenRange expression);

// Files that only NVIDIA's compilers can compile: by name, by headers, by instructions that no
// other hardware has. Their assumptions about warps are correct.
bool is_bound_to_nvidia(const CudaCheck& check);
// Code for AMD's wave32 targets only.
bool is_for_wave32(const CudaCheck& check, cu::TokenIndex token);
// Does the file use 32-lane warps on AMD, too, through namespace warp32 of hip_compat.h or with a
// port's hip_names.h?
bool has_warps_of_32(const CudaCheck& check);
bool is_for_wave64(const CudaCheck& check, cu::TokenIndex token);

// Code written for AMD only: its use of 32 lanes is intended.
bool is_for_amd_alone(const CudaCheck& check, cu::TokenIndex token);

// A kernel in which nothing counts in 32 and whose calls are all intrinsics: a wider mask changes
// no result that was right. Elsewhere a caller may count the lanes of each half of a wave by
// itself, and count them twice after a fix.
bool is_free_of_32(const cu::File& file, cu::TokenIndex token);

// The rule's highest confidence here: lower if an unknown macro decides whether AMD sees the code.
Confidence sure(const CudaCheck& check, cu::TokenIndex token, Confidence most = Confidence::kHigh);

// Does the project redefine a CUDA name for AMD, here or in an included header? As a macro with
// arguments, or as a function.
bool is_own_macro(const CudaCheck& check, std::string_view name);
bool is_own_name(const CudaCheck& check, const syntax::Name& name);

}  // namespace hipwright::lint
