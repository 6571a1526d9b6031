// SPDX-License-Identifier: MIT
// Lane or warp numbers are computed with 32 where whole waves cooperate.
//
// ## What it finds
//
// `threadIdx.x & 31`, `% 32`, `>> 5`, `/ 32` (and `blockDim.x / 32`, `THREADS / 32` and loops that
// advance from a lane in steps of 32 next to them) in functions that shuffle without a width, vote,
// or call a warp reduction.
//
// ## Why it matters
//
// On gfx9, thread 40 is lane 40 of wave 0, not lane 8 of warp 1. The result of a reduction over the
// wave is stored twice, at the wrong place, or by a lane that does not hold it.
//
// ## Example
//
// ```cuda
// int lane = threadIdx.x & 31;
// int warp = threadIdx.x >> 5;
// value = warp_sum(value);
// if (lane == 0) partial[warp] = value;
// ```
//
// ## Use instead
//
// ```cuda
// int lane = threadIdx.x % WARP_SIZE;
// int warp = threadIdx.x / WARP_SIZE;
// ```
//
// ## When it is not a bug
//
// - The code works on groups of 32 lanes on purpose, and every shuffle states that width.
// - Nothing in the function crosses lanes: the numbers only index elements of a tile.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/words.h"
#include "lint/cuda/groups.h"

namespace hipwright::lint::rules {

namespace {

using syntax::Name;
using syntax::cuda::File;
using syntax::cuda::TokenIndex;
using syntax::cuda::TokenRange;

const Name kThreadIdx("threadIdx");

std::string_view said(Split::Part part) {
  switch (part) {
    case Split::Part::kLane:
      return "lane number is";
    case Split::Part::kWarp:
      return "warp number is";
    case Split::Part::kCount:
      return "number of warps is";
  }
  return "";
}

// for (i = lane * 4; i < n; i += 32 * 4): the step of a loop that starts at such a lane number.
void report_steps(CudaCheck& check, TokenRange code, TokenIndex lane, Confidence confidence) {
  const File& file = check.file;
  for (TokenIndex at = code.begin; at + 1 < code.end; ++at) {
    if (file.text(at) != "for" || !file.is(at + 1, "(")) continue;
    const TokenIndex close = file.partner(at + 1);
    if (close == syntax::cuda::kNoToken) continue;
    bool begins_there = false;
    TokenIndex part = at + 2;
    for (; part < close && !file.is(part, ";"); ++part)
      begins_there |= is_name(file, part) && file.text(part) == file.text(lane);
    if (!begins_there) continue;
    for (; part + 1 < close; ++part) {
      const auto step = literal(file, part + 1);
      if (file.is(part, "+=") && step && step->value == 32)
        check.report(file.span(TokenRange{part, part + 2}), confidence,
                     "the lanes of a wave advance in steps of 32, but gfx9 waves have 64 lanes");
    }
  }
}

// half_wave, subWarpId: the author knows that a wave has two groups of 32.
bool is_about_half_waves(const File& file, TokenRange code) {
  static constexpr std::array<std::string_view, 10> kWords = {
      "half_wave", "halfwave", "half_warp", "halfwarp", "half_lane",
      "halflane",  "sub_warp", "subwarp",   "subwave",  "sub_wave"};
  for (TokenIndex at = code.begin; at < code.end; ++at) {
    if (!is_name(file, at)) continue;
    if (std::ranges::any_of(
            kWords, [&](std::string_view word) { return contains_word(file.text(at), word); }))
      return true;
  }
  return false;
}

// __shfl_up(x, offset) without a width, in a loop that ends at 32 or begins at 16.
bool shuffles_in_32(const File& file, const std::vector<const LaneCall*>& calls) {
  return std::ranges::any_of(calls, [&](const LaneCall* call) {
    if (call->op->kind != cu::LaneOp::Kind::kShuffle || call->has_width(file)) return false;
    const auto lane = call->argument(call->op->lane);
    if (!lane || lane->end != lane->begin + 1 || !is_name(file, lane->begin)) return false;
    const auto variable = declaration_of(file, lane->begin);
    const TokenIndex open = variable ? file.enclosing(variable->name) : syntax::cuda::kNoToken;
    if (open == syntax::cuda::kNoToken || open == 0 || file.text(open - 1) != "for" ||
        file.partner(open) == syntax::cuda::kNoToken)
      return false;
    for (TokenIndex at = open; at < file.partner(open); ++at)
      if (const auto number = literal(file, at);
          number && (number->value == 32 || number->value == 16))
        return true;
    return false;
  });
}

void find(CudaCheck& check) {
  const File& file = check.file;
  if (is_bound_to_nvidia(check)) return;
  const std::vector<Split> splits = splits_by(check, 32);
  if (splits.empty()) return;
  const std::vector<LaneCall> calls = lane_calls(check);
  for (const Split& split : splits) {
    const TokenRange code = code_around(file, split.op);
    // Sorted by position.
    const auto first = std::partition_point(
        splits.begin(), splits.end(), [&](const Split& other) { return other.op < code.begin; });
    const auto last = std::partition_point(first, splits.end(),
                                           [&](const Split& other) { return other.op < code.end; });
    const bool has_ids = std::any_of(
        first, last, [](const Split& other) { return other.part != Split::Part::kCount; });
    if (!has_ids) continue;
    const std::vector<const LaneCall*> here = within(calls, code);
    const bool is_amds = is_for_amd_alone(check, split.op);
    // An AMD branch with a shuffle of its own already handles AMD's waves.
    if (!is_amds && std::ranges::any_of(here, [&](const LaneCall* call) {
          return is_for_amd_alone(check, call->name);
        }))
      continue;
    // Code for AMD may count in 32 on purpose; where shuffles over all lanes are beside it, it was
    // copied from CUDA.
    if (is_amds && (check.facts.built_on_amd == syntax::Truth::kNo || !shuffles_in_32(file, here)))
      continue;
    if (is_about_half_waves(file, code)) continue;
    const Crossing crosses = crossing(check, calls, code);
    if (crosses < Crossing::kHalves) continue;
    const Confidence confidence = sure(check, split.op,
                                       is_amds                           ? Confidence::kLow
                                       : crosses == Crossing::kWholeWave ? Confidence::kHigh
                                       : crosses == Crossing::kPerhaps   ? Confidence::kMedium
                                                                         : Confidence::kLow);
    check.report(
        file.span(split.whole), confidence,
        fmt::format("{} computed with 32, but gfx9 waves have 64 lanes", said(split.part)));
    if (split.part == Split::Part::kLane && split.variable != syntax::cuda::kNoToken)
      report_steps(check, code, split.variable, confidence);
  }
}

}  // namespace

Rule lane_id_by_32() {
  return {.code = "HW105",
          .name = "lane-id-by-32",
          .summary = "lane and warp numbers computed with 32 where whole waves cooperate",
          .severity = Severity::kError,
          .relevance = Relevance::kWave64,
          .triggers = {kThreadIdx},
          .cuda = find};
}

}  // namespace hipwright::lint::rules
