// SPDX-License-Identifier: MIT
#include "syntax/cuda/lane_ops.h"

#include <algorithm>
#include <array>
#include <string>

#include "syntax/cuda/values.h"

namespace hipwright::syntax::cuda {

namespace {

using enum LaneOp::Kind;

// CUDA's and HIP's functions, and the wrappers of PyTorch, vLLM and SGLang. The wrappers ignore
// their masks on AMD.
const std::vector<LaneOp> kOps = {
    {Name("__shfl"), kShuffle, -1, 1, 2},
    {Name("__shfl_up"), kShuffle, -1, 1, 2},
    {Name("__shfl_down"), kShuffle, -1, 1, 2},
    {Name("__shfl_xor"), kShuffle, -1, 1, 2},
    {Name("__shfl_sync"), kShuffle, 0, 2, 3},
    {Name("__shfl_up_sync"), kShuffle, 0, 2, 3},
    {Name("__shfl_down_sync"), kShuffle, 0, 2, 3},
    {Name("__shfl_xor_sync"), kShuffle, 0, 2, 3},
    {Name("WARP_SHFL"), kShuffle, -1, 1, 2},
    {Name("WARP_SHFL_UP"), kShuffle, -1, 1, 2},
    {Name("WARP_SHFL_DOWN"), kShuffle, -1, 1, 2},
    {Name("WARP_SHFL_XOR"), kShuffle, -1, 1, 2},
    {Name("VLLM_SHFL_SYNC"), kShuffle, -1, 1, 2},
    {Name("VLLM_SHFL_XOR_SYNC"), kShuffle, -1, 1, 2},
    {Name("VLLM_SHFL_DOWN_SYNC"), kShuffle, -1, 1, 2},
    {Name("VLLM_SHFL_XOR_SYNC_WIDTH"), kShuffle, -1, 1, 2},
    {Name("SGLANG_SHFL_XOR_SYNC"), kShuffle, -1, 2, 3},
    {Name("SGLANG_SHFL_XOR_SYNC_WIDTH"), kShuffle, -1, 2, 3},
    {Name("__ballot"), kBallot},
    {Name("__ballot_sync"), kBallot, 0},
    {Name("WARP_BALLOT"), kBallot},
    {Name("__activemask"), kBallot},
    {Name("__match_any"), kBallot},
    {Name("__match_all"), kBallot},
    {Name("__match_any_sync"), kBallot, 0},
    {Name("__match_all_sync"), kBallot, 0},
    {Name("__any"), kVote},
    {Name("__all"), kVote},
    {Name("__any_sync"), kVote, 0},
    {Name("__all_sync"), kVote, 0},
    {Name("__syncwarp"), kSync, 0},
    {Name("__reduce_add_sync"), kReduce, 0},
    {Name("__reduce_min_sync"), kReduce, 0},
    {Name("__reduce_max_sync"), kReduce, 0},
    {Name("__reduce_and_sync"), kReduce, 0},
    {Name("__reduce_or_sync"), kReduce, 0},
    {Name("__reduce_xor_sync"), kReduce, 0},
};

constexpr auto kEnds = std::to_array<std::string_view>(
    {"warpsize", "wavesize", "wavefrontsize", "warpthreads", "warplanes", "threadsperwarp",
     "lanesperwarp", "threadsinwarp", "warpthreadcount", "warpwidth", "threadsperwave",
     "wavethreads", "lanesperwave"});
// Prefixes of names that are not the number of lanes of a wave.
constexpr auto kOthers = std::to_array<std::string_view>(
    {"half", "sub", "max", "min", "log", "num", "quarter", "virtual", "logical", "mini"});

}  // namespace

const std::vector<LaneOp>& lane_ops() {
  return kOps;
}

const std::vector<Name>& lane_op_names() {
  static const std::vector<Name> names = [] {
    std::vector<Name> all;
    for (const LaneOp& op : kOps) all.push_back(op.name);
    return all;
  }();
  return names;
}

const LaneOp* lane_op_at(const File& file, TokenIndex token) {
  if (!is_name(file, token) || file.tokens()[token].id == 0) return nullptr;
  for (const LaneOp& op : kOps)
    if (file.is(token, op.name)) return &op;
  return nullptr;
}

bool is_warp_size_name(std::string_view name) {
  if (name.size() < 8 || name.size() > 40) return false;
  std::string plain;
  for (const char c : name)
    if (c != '_') plain += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  for (const std::string_view end : kEnds) {
    if (!plain.ends_with(end)) continue;
    const std::string_view before = std::string_view(plain).substr(0, plain.size() - end.size());
    return before.size() <= 12 &&
           std::none_of(kOthers.begin(), kOthers.end(), [&](std::string_view other) {
             return before.find(other) != std::string_view::npos;
           });
  }
  return false;
}

}  // namespace hipwright::syntax::cuda
