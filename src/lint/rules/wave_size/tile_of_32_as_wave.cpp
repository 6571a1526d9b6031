// SPDX-License-Identifier: MIT
// A tile of 32 threads is treated as a whole wave.
//
// ## What it finds
//
// `tiled_partition<32>` in a function that also works on whole waves: it votes or shuffles without
// the tile, or computes lanes and warps with `warpSize`.
//
// ## Why it matters
//
// On gfx9 a wave has two such tiles. Each works by itself, but a ballot or a shuffle without it
// reaches the lanes of the other tile, and both tiles have the same warp number `threadIdx.x /
// warpSize`: they write to one slot.
//
// ## Example
//
// ```cuda
// auto tile = cg::tiled_partition<32>(cg::this_thread_block());
// float total = cg::reduce(tile, value, cg::plus<float>());
// if (tile.thread_rank() == 0) slots[threadIdx.x / warpSize] = total;
// ```
//
// ## Use instead
//
// Either the tile everywhere,
//
// ```cuda
// if (tile.thread_rank() == 0) slots[tile.meta_group_rank()] = total;
// ```
//
// or a tile as large as a wave of the target.
//
// ## When it is not a bug
//
// - Everything in the function uses groups of 32: `threadIdx.x / 32`, the tile's own members.
// - A shuffle has a width of its own.
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

const Name kPartition("tiled_partition");
const std::vector<Name> kWaveSizes = {Name("warpSize"), Name("__AMDGCN_WAVEFRONT_SIZE"),
                                      Name("__AMDGCN_WAVEFRONT_SIZE__"), Name("C10_WARP_SIZE")};

// tiled_partition<32>: the token after the >.
bool is_of_32(const File& file, TokenIndex name) {
  if (!file.is(name + 1, "<")) return false;
  for (TokenIndex at = name + 2; at < name + 8; ++at)
    if (is_punctuator(file, at, {">", ","})) return is_constant(file, {name + 2, at}, 32);
  return false;
}

// The first use of whole waves in this code; kNoToken if there is none.
TokenIndex whole_wave(const CudaCheck& check, const std::vector<LaneCall>& calls, TokenRange code) {
  const File& file = check.file;
  for (const LaneCall* call : within(calls, code)) {
    if (call->op->kind == cu::LaneOp::Kind::kSync ||
        is_punctuator(file, call->name - 1, {".", "->"}))
      continue;
    const bool is_shuffle = call->op->kind == cu::LaneOp::Kind::kShuffle;
    // lane ^ 16 stays within the tile.
    if (is_shuffle && (call->has_width(file) || contains_word(call->op->name.text(), "xor")))
      continue;
    return call->name;
  }
  for (const Name& size : kWaveSizes)
    for (const TokenIndex at : file.occurrences(size))
      if (code.contains(at) && check.on_amd(at) != Truth::kNo &&
          is_punctuator(file, at - 1, {"/", "%"}) && is_thread_number(file, {at - 4, at - 1}))
        return at;
  return kNoToken;
}

void find(CudaCheck& check) {
  const File& file = check.file;
  if (is_bound_to_nvidia(check)) return;
  std::optional<std::vector<LaneCall>> calls;
  for (const TokenIndex at : file.occurrences(kPartition)) {
    if (check.on_amd(at) == Truth::kNo || !is_of_32(file, at) || is_for_wave32(check, at)) continue;
    if (file.function_at(at) == nullptr) continue;
    if (!calls) calls = lane_calls(check);
    const TokenIndex other = whole_wave(check, *calls, code_around(file, at));
    if (other == kNoToken) continue;
    check.report(
        file.span(at), sure(check, at, Confidence::kMedium),
        fmt::format("the tile has 32 threads, but {} works on waves, and a gfx9 wave holds two "
                    "such tiles",
                    file.text(other)));
  }
}

}  // namespace

Rule tile_of_32_as_wave() {
  return {.code = "HW108",
          .name = "tile-of-32-as-wave",
          .summary = "tile of 32 threads used as a whole wave",
          .severity = Severity::kWarning,
          .relevance = Relevance::kWave64,
          .triggers = {kPartition},
          .cuda = find};
}

}  // namespace hipwright::lint::rules
