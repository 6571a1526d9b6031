// SPDX-License-Identifier: MIT
// 64 is taken for the size of a wave in code that RDNA GPUs run, too.
//
// ## What it finds
//
// A warp size of 64 for all of AMD (`#ifdef USE_ROCM` and `#define WARP_SIZE 64`), lane and warp
// numbers computed with 64, and reductions whose first step is 32 lanes, without a test for gfx9.
//
// ## Why it matters
//
// gfx10, gfx11 and gfx12 (Radeon RX, Strix Halo) and gfx1250 run waves of 32 lanes. A shuffle from
// a lane that does not exist gives the lane's own value: sums count it twice.
//
// ## Example
//
// ```cuda
// #ifdef USE_ROCM
// #define WARP_SIZE 64
// #endif
// ```
//
// ## Use instead
//
// ```cuda
// #if defined(__GFX8__) || defined(__GFX9__)
// #define WARP_SIZE 64
// #else
// #define WARP_SIZE 32
// #endif
// ```
//
// ## When it is not a bug
//
// - A test for gfx9, or a file for CDNA alone, stands around it.
// - The number is the size of a block, a tile or a head.
#include <algorithm>

#include <fmt/format.h>

#include "lint/cuda/groups.h"

namespace hipwright::lint::rules {

namespace {

using syntax::Name;
using syntax::Truth;
using syntax::cuda::File;
using syntax::cuda::TokenIndex;
using syntax::cuda::TokenRange;

const std::vector<Name> kSizes = {Name("WARP_SIZE"),  Name("WARPSIZE"),      Name("kWarpSize"),
                                  Name("kWARP_SIZE"), Name("warp_size"),     Name("WAVE_SIZE"),
                                  Name("kWaveSize"),  Name("WAVEFRONT_SIZE")};
const Name kThreadIdx("threadIdx");

std::optional<std::uint64_t> defined_value(const File& file, TokenIndex at) {
  for (const cu::Macro& macro : file.macros()) {
    if (macro.name != at || macro.is_function) continue;
    const auto value = macro.body.empty() ? std::nullopt : constant(file, macro.body);
    return value ? value->value : 0;
  }
  if (!file.is(at + 1, "=") && !file.is(at + 1, "{")) return std::nullopt;
  const auto variable = declared_at(file, at);
  if (!variable || variable->value.empty()) return std::nullopt;
  const auto value = constant(file, variable->value);
  return value ? value->value : 0;
}

void check_constants(CudaCheck& check) {
  const File& file = check.file;
  for (const Name& name : kSizes) {
    std::vector<TokenIndex> of_64;
    bool has_other = false;
    for (const TokenIndex at : file.occurrences(name)) {
      if (check.on_amd(at) == Truth::kNo) continue;
      const auto value = defined_value(file, at);
      if (!value) continue;
      if (*value == 64 && !is_for_wave64(check, at))
        of_64.push_back(at);
      else
        has_other = true;
    }
    if (has_other) continue;
    for (const TokenIndex at : of_64)
      check.report(file.span(at), sure(check, at, Confidence::kMedium),
                   fmt::format("{} is 64 for all of AMD, but waves of gfx10 to gfx12 have 32 lanes",
                               name.text()));
  }
}

void check_numbers(CudaCheck& check, const std::vector<LaneCall>& calls) {
  const File& file = check.file;
  for (const Split& split : splits_by(check, 64)) {
    if (split.part == Split::Part::kCount) continue;
    // A block of 64 threads is common: the variable has to say that it is about waves.
    if (split.variable == cu::kNoToken) continue;
    const std::string_view name = file.text(split.variable);
    if (!is_lane_name(name) && !is_warp_name(name)) continue;
    if (crossing(check, calls, code_around(file, split.op)) < Crossing::kPerhaps) continue;
    check.report(
        file.span(split.whole), sure(check, split.op, Confidence::kMedium),
        fmt::format("{} is computed with 64, but waves of gfx10 to gfx12 have 32 lanes", name));
  }
}

void find(CudaCheck& check) {
  if (is_bound_to_nvidia(check)) return;
  const std::vector<LaneCall> calls = lane_calls(check);
  check_constants(check);
  check_numbers(check, calls);
}

std::vector<Name> triggers() {
  std::vector<Name> names = kSizes;
  names.push_back(kThreadIdx);
  return names;
}

}  // namespace

Rule hard_coded_64_lanes() {
  return {.code = "HW102",
          .name = "hard-coded-64-lanes",
          .summary = "a wave size of 64 in code that wave32 targets run, too",
          .severity = Severity::kError,
          .relevance = Relevance::kWave32,
          .triggers = triggers(),
          .cuda = find};
}

}  // namespace hipwright::lint::rules
