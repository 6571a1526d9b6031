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
#include "lint/cuda/warp_sizes.h"

namespace hipwright::lint::rules {

namespace {

using syntax::Name;
using syntax::Truth;
using syntax::cuda::File;
using syntax::cuda::TokenIndex;
using syntax::cuda::TokenRange;

const Name kThreadIdx("threadIdx");

// Where the compiler's macro says it the host does not see it, and has the other value.
bool is_of_device_alone(const File& file, TokenIndex name) {
  const cu::Macro* macro = nullptr;
  for (const cu::Macro& each : file.macros())
    if (each.name == name) macro = &each;
  return macro != nullptr && !macro->body.empty() &&
         file.text(macro->body.begin).starts_with("__AMDGCN_WAVEFRONT_SIZE");
}

void check_constants(CudaCheck& check) {
  const File& file = check.file;
  const std::vector<SizeDefinition> sizes = warp_size_definitions(check);
  const auto is_of_all = [&](const SizeDefinition& size) {
    return size.value == 64 && !is_for_wave64(check, size.name);
  };
  for (const SizeDefinition& size : sizes) {
    const std::string_view name = file.text(size.name);
    if (!is_of_all(size)) continue;
    const bool has_other =
        std::any_of(sizes.begin(), sizes.end(), [&](const SizeDefinition& other) {
          return file.text(other.name) == name && !is_of_all(other) &&
                 !is_of_device_alone(file, other.name);
        });
    if (has_other) continue;
    check.report(
        file.span(size.name), sure(check, size.name, Confidence::kMedium),
        fmt::format("{} is 64 for all of AMD, but waves of gfx10 to gfx12 have 32 lanes", name));
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

// __shfl_xor(x, 32), and with an offset that a loop begins with 32.
bool crosses_32_lanes(const File& file, const LaneCall& call) {
  const auto lane = call.argument(call.op->lane);
  if (!lane) return false;
  const TokenRange offset = unwrapped(file, *lane);
  if (offset.end - offset.begin != 1) return false;
  if (const auto number = literal(file, offset.begin)) return number->value == 32;
  const auto variable =
      is_name(file, offset.begin) ? declaration_of(file, offset.begin) : std::nullopt;
  if (!variable || variable->value.end - variable->value.begin != 1) return false;
  const auto start = literal(file, variable->value.begin);
  const TokenIndex open = file.enclosing(variable->name);
  return start && start->value == 32 && open != cu::kNoToken && open > 0 &&
         file.text(open - 1) == "for";
}

// The size of a wave is asked for, by whatever name.
bool knows_sizes(const File& file, TokenRange code) {
  for (TokenIndex at = code.begin; at < code.end; ++at)
    if (is_name(file, at) &&
        (contains_word(file.text(at), "warpsize") || contains_word(file.text(at), "warp_size") ||
         contains_word(file.text(at), "wave_size") || contains_word(file.text(at), "wavefront")))
      return true;
  return false;
}

void check_steps(CudaCheck& check, const std::vector<LaneCall>& calls) {
  const File& file = check.file;
  TokenIndex last = cu::kNoToken;
  for (const LaneCall& call : calls) {
    // Of an exchange or a step down; a lane of that number is another question.
    if (call.op->kind != LaneOp::Kind::kShuffle || call.has_width(file) ||
        !(contains_word(call.op->name.text(), "xor") ||
          contains_word(call.op->name.text(), "down")) ||
        !crosses_32_lanes(file, call))
      continue;
    const TokenRange code = code_around(file, call.name);
    if (is_for_wave64(check, call.name) || knows_sizes(file, code) || call.name == last) continue;
    last = call.name;
    check.report(file.span(call.name), sure(check, call.name, Confidence::kMedium),
                 "a step over 32 lanes, but waves of gfx10 to gfx12 have no more than 32");
  }
}

void find(CudaCheck& check) {
  if (is_bound_to_nvidia(check)) return;
  const std::vector<LaneCall> calls = lane_calls(check);
  check_constants(check);
  check_numbers(check, calls);
  check_steps(check, calls);
}

std::vector<Name> triggers() {
  std::vector<Name> names = definition_words();
  names.push_back(kThreadIdx);
  names.insert(names.end(), lane_op_names().begin(), lane_op_names().end());
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
