// SPDX-License-Identifier: MIT
// Lane 31 is used as the last lane of a wave.
//
// ## What it finds
//
// `__shfl(value, 31)` without a width, and `lane == 31` in functions that work on whole waves.
//
// ## Why it matters
//
// The last lane of a wave64 is 63. After a scan, lane 31 holds the sum of half of the lanes, and
// work for the last lane is done by a lane in the middle.
//
// ## Example
//
// ```cuda
// int total = __shfl(prefix, 31);
// ```
//
// ## Use instead
//
// ```cuda
// int total = __shfl(prefix, warpSize - 1);
// ```
//
// ## When it is not a bug
//
// - The shuffle has a width of at most 32, so 31 is the last lane of its group.
// - The code works on groups of 32 lanes, and every shuffle states that width.
#include <fmt/format.h>

#include "lint/cuda/groups.h"

namespace hipwright::lint::rules {

namespace {

using syntax::Truth;
using syntax::cuda::File;
using syntax::cuda::Kind;
using syntax::cuda::TokenIndex;
using syntax::cuda::TokenRange;

void check_shuffles(CudaCheck& check, const std::vector<LaneCall>& calls) {
  const File& file = check.file;
  for (const LaneCall& call : calls) {
    const std::string_view name = call.op->name.text();
    const bool is_indexed = name == "__shfl" || name == "__shfl_sync" || name == "WARP_SHFL" ||
                            name == "VLLM_SHFL_SYNC";
    const auto lane = call.argument(call.op->lane);
    if (!is_indexed || !lane || call.has_width(file) || is_for_wave32(check, call.name)) continue;
    const TokenRange source = unwrapped(file, *lane);
    if (source.end - source.begin != 1 || !literal(file, source.begin)) continue;
    if (literal(file, source.begin)->value != 31) continue;
    check.report(file.span(source), sure(check, call.name),
                 fmt::format("{} reads lane 31, which is not the last lane of a wave64", name),
                 {{.description = "read the last lane of the wave: warpSize - 1",
                   .safe = false,  // the last lane of a block of 32 threads is lane 31
                   .edits = {{file.span(source), "warpSize - 1"}}}});
  }
}

void check_comparisons(CudaCheck& check, const std::vector<LaneCall>& calls) {
  const File& file = check.file;
  const auto count = static_cast<TokenIndex>(file.tokens().size() - 1);
  for (TokenIndex at = 1; at < count; ++at) {
    if (file.tokens()[at + 1].kind != Kind::kNumber || !file.is(at, "==")) continue;
    const auto value = literal(file, at + 1);
    if (!value || value->value != 31 || !is_name(file, at - 1)) continue;
    if (!is_lane_name(file.text(at - 1)) || check.on_amd(at) == Truth::kNo) continue;
    if (is_for_wave32(check, at) || is_for_amd_alone(check, at)) continue;
    if (crossing(check, calls, code_around(file, at)) < Crossing::kPerhaps) continue;
    check.report(file.span(TokenRange{at - 1, at + 2}), sure(check, at, Confidence::kMedium),
                 "lane 31 is not the last lane of a wave64");
  }
}

void find(CudaCheck& check) {
  if (is_bound_to_nvidia(check)) return;
  const std::vector<LaneCall> calls = lane_calls(check);
  check_shuffles(check, calls);
  check_comparisons(check, calls);
}

}  // namespace

Rule shuffle_source_lane() {
  return {.code = "HW205",
          .name = "shuffle-source-lane",
          .summary = "lane 31 used as the last lane of a wave",
          .severity = Severity::kError,
          .relevance = Relevance::kWave64,
          .triggers = cu::lane_op_names(),
          .cuda = find};
}

}  // namespace hipwright::lint::rules
