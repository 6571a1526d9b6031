// SPDX-License-Identifier: MIT
// Shared memory has one slot per warp, and the slot index is computed with 32.
//
// ## What it finds
//
// `__shared__ T partial[32]` (or `[N / 32]`) indexed by `threadIdx.x >> 5` or by a variable
// computed from it, in a function that works on whole waves.
//
// ## Why it matters
//
// On gfx9 a block has half as many waves as the index assumes. Two slots belong to one wave, one of
// them is never written or is written by the wrong lane, and the sum over the slots is wrong.
//
// ## Example
//
// ```cuda
// __shared__ float partial[32];
// int warp = threadIdx.x >> 5;
// if (lane == 0) partial[warp] = warp_sum(value);
// ```
//
// ## Use instead
//
// ```cuda
// __shared__ float partial[1024 / 32];  // enough for both sizes
// int warp = threadIdx.x / WARP_SIZE;
// ```
//
// ## When it is not a bug
//
// - 32 slots indexed by the real wave number: half of them stay unused.
// - A tile of 32 elements or columns.
#include <algorithm>

#include <fmt/format.h>

#include "base/words.h"
#include "lint/cuda/groups.h"

namespace hipwright::lint::rules {

namespace {

using syntax::Name;
using syntax::Truth;
using syntax::cuda::File;
using syntax::cuda::kNoToken;
using syntax::cuda::TokenIndex;
using syntax::cuda::TokenRange;

const Name kShared("__shared__");

// Sized by the number of warps: 32, or something divided by 32.
bool is_slots(const File& file, TokenIndex name) {
  if (!file.is(name + 1, "[") || file.partner(name + 1) == kNoToken) return false;
  const TokenRange size{name + 2, file.partner(name + 1)};
  if (is_constant(file, size, 32) || is_constant(file, size, 33)) return true;
  for (TokenIndex at = size.begin; at < size.end; ++at)
    if ((file.is(at, "/") && file.text(at + 1) == "32") ||
        (file.is(at, ">>") && file.text(at + 1) == "5"))
      return true;
  for (TokenIndex at = size.begin; at < size.end; ++at)
    if (is_name(file, at) && contains_word(file.text(at), "warps")) return true;
  return false;
}

// stage[kWarps][kStages][16]: tiles that a group of 32 threads works on by itself, not one value
// for each.
bool holds_tiles(const File& file, TokenIndex name) {
  const TokenIndex second = file.partner(name + 1) + 1;
  return file.is(second, "[") && file.partner(second) != kNoToken &&
         file.is(file.partner(second) + 1, "[");
}

bool is_indexed_by(const File& file, std::string_view array, TokenRange code,
                   const std::vector<Split>& splits) {
  for (TokenIndex at = code.begin; at + 1 < code.end; ++at) {
    if (!is_name(file, at) || file.text(at) != array || !file.is(at + 1, "[")) continue;
    const TokenRange index{at + 2, file.partner(at + 1)};
    for (const Split& split : splits) {
      if (split.part != Split::Part::kWarp) continue;
      if (index.contains(split.op)) return true;
      if (split.variable == kNoToken || !code.contains(split.variable)) continue;
      if (file.text(index) == file.text(split.variable)) return true;
    }
  }
  return false;
}

void find(CudaCheck& check) {
  const File& file = check.file;
  if (is_bound_to_nvidia(check)) return;
  const std::vector<Split> splits = splits_by(check, 32);
  if (splits.empty()) return;
  const std::vector<LaneCall> calls = lane_calls(check);
  for (const TokenIndex at : file.occurrences(kShared)) {
    if (check.on_amd(at) == Truth::kNo) continue;
    const TokenRange statement = segment(file, at);
    TokenIndex name = at;
    while (name < statement.end && !file.is(name + 1, "[")) ++name;
    if (name >= statement.end || !is_name(file, name) || !is_slots(file, name) ||
        holds_tiles(file, name))
      continue;
    const TokenRange code = code_around(file, at);
    const Crossing crosses = crossing(check, calls, code);
    if (crosses < Crossing::kHalves) continue;
    if (!is_indexed_by(file, file.text(name), code, splits)) continue;
    check.report(file.span(name),
                 sure(check, at,
                      crosses == Crossing::kWholeWave ? Confidence::kHigh
                      : crosses == Crossing::kPerhaps ? Confidence::kMedium
                                                      : Confidence::kLow),
                 fmt::format("{} has one slot per 32 threads, but gfx9 waves have 64 lanes",
                             file.text(name)));
  }
}

}  // namespace

Rule per_warp_slots_by_32() {
  return {.code = "HW106",
          .name = "per-warp-slots-by-32",
          .summary = "shared memory with one slot per 32 threads where waves have 64 lanes",
          .severity = Severity::kError,
          .relevance = Relevance::kWave64,
          .triggers = {kShared},
          .cuda = find};
}

}  // namespace hipwright::lint::rules
