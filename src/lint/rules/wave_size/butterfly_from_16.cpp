// SPDX-License-Identifier: MIT
// A warp reduction or scan takes the steps 16, 8, 4, 2, 1 and never 32.
//
// ## What it finds
//
// Loops such as `for (int offset = 16; offset > 0; offset /= 2)` around a shuffle without a width,
// the same steps unrolled, and scans with `offset < 32`.
//
// ## Why it matters
//
// A gfx9 wave has 64 lanes. Without the step of 32 its halves are never combined: each holds its
// own sum, and lane 0 returns half of the total.
//
// ## Example
//
// ```cuda
// for (int offset = 16; offset > 0; offset /= 2)
//   value += __shfl_xor_sync(mask, value, offset);
// ```
//
// ## Use instead
//
// ```cuda
// for (int offset = WARP_SIZE / 2; offset > 0; offset /= 2)
//   value += __shfl_xor_sync(mask, value, offset);
// ```
//
// or, where groups of 32 are meant, state the width: `__shfl_xor_sync(mask, value, offset, 32)`.
//
// ## When it is not a bug
//
// - The reduction covers only the first 32 threads: `if (tid < 32)`.
// - The shuffle has a width of at most 32.
// - A step of 32 comes before or after the loop, or depends on the wave size.
// - The shuffle is in an AMD-only branch, so its author had AMD in mind.
// - The function is for groups by its name: half_warp_sum, reduce16.
#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "base/words.h"
#include "lint/cuda/groups.h"

namespace hipwright::lint::rules {

namespace {

using syntax::cuda::File;
using syntax::cuda::TokenIndex;
using syntax::cuda::TokenRange;

bool is_group_name(std::string_view name) {
  return contains_word(name, "half") || contains_word(name, "quarter") ||
         contains_word(name, "group") || contains_word(name, "sub") || contains_word(name, "16") ||
         contains_word(name, "quad") || contains_word(name, "x32");
}

// Combines values into one: the name says so. A transform or a sort of 32 values has the same
// steps.
bool is_reduction_name(std::string_view name) {
  static constexpr std::array<std::string_view, 9> kWords = {"reduc", "sum", "max", "min", "norm",
                                                             "mean",  "any", "dot", "scan"};
  return std::ranges::any_of(kWords,
                             [&](std::string_view word) { return contains_word(name, word); });
}

// warpSize in the head of a loop, compared with a number, or as an argument of a call. A quotient
// (blockDim.x / warpSize) does not affect the steps.
bool decides_steps(const File& file, TokenIndex size) {
  if (is_punctuator(file, size + 1, {"==", "!=", ">", "<", ">=", "<="}) &&
      constant(file, {size + 2, size + 3}))
    return true;
  for (TokenIndex open = file.enclosing(size); open != cu::kNoToken && open > 0;
       open = file.enclosing(open)) {
    if (file.is(open, "{")) return false;
    if (!file.is(open, "(")) continue;
    const std::string_view before = file.text(open - 1);
    if (before == "for" || before == "while") return true;
    if (is_name(file, open - 1) && before != "if") return true;
  }
  return false;
}

// The code handles the wave size: a step of 32, or a test of the size.
bool knows_wave64(const File& file, const std::vector<LaneCall>& calls, TokenRange code) {
  for (const LaneCall* call : within(calls, code))
    if (const auto lane = call->argument(call->op->lane))
      if (is_constant(file, *lane, 32)) return true;
  for (TokenIndex at = code.begin; at < code.end; ++at) {
    if (!is_name(file, at)) continue;
    const std::string_view word = file.text(at);
    if (word == "__AMDGCN_WAVEFRONT_SIZE" || contains_word(word, "wavefront")) return true;
    if (word == "warpSize" && decides_steps(file, at)) return true;
  }
  return false;
}

// if (tid < 32) around it: only the values of 32 lanes remain to be reduced.
bool is_for_32_threads(const File& file, TokenIndex at, TokenIndex outermost) {
  for (TokenIndex open = file.enclosing(at); open != cu::kNoToken && open > outermost;
       open = file.enclosing(open)) {
    if (!file.is(open, "{") || open == 0 || !file.is(open - 1, ")")) continue;
    const TokenIndex question = file.partner(open - 1);
    if (question == cu::kNoToken || question == 0 || file.text(question - 1) != "if") continue;
    for (TokenIndex each = question + 1; each + 1 < open; ++each)
      if (file.is(each, "<") && is_constant(file, {each + 1, each + 2}, 32) &&
          is_punctuator(file, each + 2, {")", "&&"}) &&
          is_thread_number(file, {file.is(each - 2, ".") ? each - 3 : each - 1, each}))
        return true;
  }
  return false;
}

// The unrolled steps 16, 8, 4, 2 and 1: the position of 16.
std::optional<TokenRange> written_out(const File& file, const std::vector<const LaneCall*>& calls) {
  std::set<std::uint64_t> steps;
  std::optional<TokenRange> first;
  for (const LaneCall* call : calls) {
    const auto lane = call->argument(call->op->lane);
    if (!lane || call->op->kind != cu::LaneOp::Kind::kShuffle || call->has_width(file)) continue;
    const auto value = constant(file, *lane);
    if (!value) continue;
    steps.insert(value->value);
    if (value->value == 16 && !first) first = *lane;
  }
  for (const std::uint64_t step : {1, 2, 4, 8, 16})
    if (!steps.contains(step)) return std::nullopt;
  return first;
}

bool is_kernel(const File& file, const cu::Function& function) {
  for (TokenIndex at = function.head.begin; at < function.name; ++at)
    if (file.text(at) == "__global__") return true;
  return false;
}

void find(CudaCheck& check) {
  const File& file = check.file;
  if (is_bound_to_nvidia(check)) return;
  const std::vector<LaneCall> calls = lane_calls(check);
  std::set<TokenIndex> seen, searched;
  const auto report = [&](TokenIndex inside, TokenRange start, TokenIndex place) {
    const TokenRange code = code_around(file, inside);
    const cu::Function* function = file.function_at(inside);
    if (function != nullptr && is_group_name(file.text(function->name))) return;
    if (knows_wave64(file, calls, code) || is_for_wave32(check, inside) ||
        is_for_amd_alone(check, inside) || is_for_32_threads(file, inside, code.begin))
      return;
    if (!seen.insert(place).second) return;
    // Where threads are counted in 32, each half of a wave has a result of its own.
    const bool is_unclear =
        function == nullptr || (file.tokens()[inside].flags & cu::kInMacroBody) != 0;
    const bool is_transform = function != nullptr && function->is_device() &&
                              !is_kernel(file, *function) &&
                              !is_reduction_name(file.text(function->name));
    const Confidence most = counts_warps_of_32(check, code) || is_transform ? Confidence::kLow
                            : is_unclear                                    ? Confidence::kMedium
                                                                            : Confidence::kHigh;
    check.report(
        file.span(start), sure(check, inside, most),
        "the largest step of this warp reduction is 16 lanes: the halves of a wave64 are never "
        "combined");
  };
  for (const LaneCall& call : calls) {
    if (call.op->kind != cu::LaneOp::Kind::kShuffle || call.has_width(file)) continue;
    if (const auto loop = halving_loop(file, call)) report(call.name, loop->start, loop->keyword);
    const TokenRange code = code_around(file, call.name);
    if (seen.contains(code.begin) || !searched.insert(code.begin).second) continue;
    if (const auto start = written_out(file, within(calls, code)))
      report(start->begin, *start, code.begin);
  }
}

}  // namespace

Rule butterfly_from_16() {
  return {.code = "HW107",
          .name = "butterfly-from-16",
          .summary = "warp reduction whose largest step is 16 lanes",
          .severity = Severity::kError,
          .relevance = Relevance::kWave64,
          .triggers = cu::lane_op_names(),
          .cuda = find};
}

}  // namespace hipwright::lint::rules
