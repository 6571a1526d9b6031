// SPDX-License-Identifier: MIT
// A wave size of 64 is assumed in code that also runs on RDNA GPUs.
//
// ## What it finds
//
// A warp size of 64 for all of AMD (`#ifdef USE_ROCM` and `#define WARP_SIZE 64`), lane and warp
// numbers computed with 64, and reductions whose first step is 32 lanes, without a test for gfx9.
// In Python: `64 if is_hip() else 32`, with medium confidence if it is assigned to a name of a warp
// or a wave, and otherwise with low confidence.
//
// ## Why it matters
//
// gfx10, gfx11 and gfx12 (Radeon RX, Strix Halo) and gfx1250 run 32-lane waves. A shuffle from a
// lane that does not exist returns the lane's own value: sums count it twice.
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
// - The code is under a test for gfx9, or in a CDNA-only file.
// - The number is the size of a block, a tile or a head.
#include <algorithm>

#include <fmt/format.h>

#include "base/words.h"
#include "lint/cuda/groups.h"
#include "lint/cuda/warp_sizes.h"
#include "syntax/python/file.h"

namespace hipwright::lint::rules {

namespace {

using syntax::Name;
using syntax::Truth;
using syntax::cuda::File;
using syntax::cuda::TokenIndex;
using syntax::cuda::TokenRange;

const Name kThreadIdx("threadIdx");

// Under a device macro: the host does not see it and has the other value.
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
    // Code with MFMA instructions runs on CDNA alone, whatever the build says.
    check.report(
        file.span(size.name),
        sure(check, size.name,
             contains_word(file.text(), "mfma") ? Confidence::kLow : Confidence::kMedium),
        fmt::format("{} is 64 for all of AMD, but gfx10 to gfx12 waves have 32 lanes", name));
  }
}

void check_numbers(CudaCheck& check, const std::vector<LaneCall>& calls) {
  const File& file = check.file;
  for (const Split& split : splits_by(check, 64)) {
    if (split.part == Split::Part::kCount) continue;
    // A block of 64 threads is common, so the variable must be named after lanes or waves.
    if (split.variable == cu::kNoToken) continue;
    const std::string_view name = file.text(split.variable);
    if (!is_lane_name(name) && !is_warp_name(name)) continue;
    if (crossing(check, calls, code_around(file, split.op)) < Crossing::kPerhaps) continue;
    check.report(
        file.span(split.whole), sure(check, split.op, Confidence::kMedium),
        fmt::format("{} is computed with 64, but gfx10 to gfx12 waves have 32 lanes", name));
  }
}

// __shfl_xor(x, 32), or an offset that starts at 32 in a loop.
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

// The code tests the wave size, under any name.
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
    // A step of an exchange or a shift, not a source lane.
    if (call.op->kind != cu::LaneOp::Kind::kShuffle || call.has_width(file) ||
        !(contains_word(call.op->name.text(), "xor") ||
          contains_word(call.op->name.text(), "down")) ||
        !crosses_32_lanes(file, call))
      continue;
    const TokenRange code = code_around(file, call.name);
    if (is_for_wave64(check, call.name) || knows_sizes(file, code) || call.name == last) continue;
    last = call.name;
    check.report(file.span(call.name), sure(check, call.name, Confidence::kMedium),
                 "shuffle over 32 lanes, but gfx10 to gfx12 waves have only 32");
  }
}

void find(CudaCheck& check) {
  if (is_bound_to_nvidia(check)) return;
  const std::vector<LaneCall> calls = lane_calls(check);
  check_constants(check);
  check_numbers(check, calls);
  check_steps(check, calls);
}

// --- Python ---

namespace py = syntax::python;

// WARP_SIZE = 64 if is_hip() else 32, LANES = 32 if torch.version.hip is None else 64
void find_in_python(PythonCheck& check) {
  const py::File& file = check.file;
  for (py::TokenIndex at = 1; at + 2 < file.tokens().size(); ++at) {
    if (!file.is(at, "if") || (!file.is(at - 1, "64") && !file.is(at - 1, "32"))) continue;
    py::TokenIndex otherwise = at + 1;
    while (file.tokens()[otherwise].kind != py::Kind::kNewline &&
           file.tokens()[otherwise].kind != py::Kind::kEnd && !file.is(otherwise, "else"))
      otherwise = file.skip(otherwise);
    if (!file.is(otherwise, "else")) continue;
    const bool is_first = file.is(at - 1, "64");
    if (!file.is(otherwise + 1, is_first ? "32" : "64")) continue;
    const syntax::Truth on_rocm = py::condition_on_rocm(file, {at + 1, otherwise});
    const std::string_view condition = file.text(py::TokenRange{at + 1, otherwise});
    const bool is_for_rocm = on_rocm == (is_first ? Truth::kYes : Truth::kNo);
    if (!is_for_rocm || contains_word(condition, "gfx") || contains_word(condition, "cdna") ||
        contains_word(condition, "warp"))
      continue;
    const py::TokenIndex wide = is_first ? at - 1 : otherwise + 1;
    const py::TokenRange statement = file.statements()[file.statement_at(at)].tokens;
    const bool is_size =
        is_warp_name(file.text(statement.begin)) || is_lane_name(file.text(statement.begin));
    check.report(file.span(wide), is_size ? Confidence::kMedium : Confidence::kLow,
                 "64 for all of ROCm, but gfx10 to gfx12 waves have 32 lanes");
  }
}

std::vector<Name> triggers() {
  std::vector<Name> names = definition_words();
  names.push_back(kThreadIdx);
  names.insert(names.end(), cu::lane_op_names().begin(), cu::lane_op_names().end());
  return names;
}

}  // namespace

Rule hard_coded_64_lanes() {
  return {.code = "HW102",
          .name = "hard-coded-64-lanes",
          .summary = "wave size of 64 in code that wave32 targets also run",
          .severity = Severity::kError,
          .relevance = Relevance::kWave32,
          .triggers = triggers(),
          .words = {" else 32", " else 64"},
          .cuda = find,
          .python = find_in_python};
}

}  // namespace hipwright::lint::rules
