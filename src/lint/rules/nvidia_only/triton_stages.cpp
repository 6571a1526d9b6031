// SPDX-License-Identifier: MIT
// A Triton launch whose pipeline needs more shared memory than AMD GPUs have, or that AMD rejects.
//
// ## What it finds
//
// - tiles of a matrix product and `num_stages` in one launch or one `triton.Config` that need more
//   than 64 KiB: (BLOCK_M + BLOCK_N) × BLOCK_K elements of 2 bytes for each stage but one. With low
//   confidence, and not for gfx950, which has 160 KiB;
// - `num_stages=0`, which AMD's backend once took for "the default".
//
// ## Why it matters
//
// Stages are buffers in shared memory. NVIDIA's GPUs have up to 227 KiB for them and fill them with
// cp.async; AMD GPUs have 64 KiB for a workgroup (gfx950: 160 KiB). The launch fails with "out of
// resource: shared memory"; autotune leaves the configuration out, and if all are like it, has
// none. `num_stages=0` is an error since Triton 3.2.
//
// ## Example
//
// ```python
// kernel[grid](a, b, c, BLOCK_M=128, BLOCK_N=256, BLOCK_K=64, num_stages=4, num_warps=8)
// ```
//
// ## Use instead
//
// Two stages on AMD, and smaller tiles where registers do not hold the rest:
//
// ```python
// kernel[grid](a, b, c, BLOCK_M=128, BLOCK_N=256, BLOCK_K=64, num_stages=2 if is_hip() else 4)
// ```
//
// ## When it is not a bug
//
// - The elements have one byte, or the kernel does not keep both tiles in shared memory.
// - Other configurations of the list fit: autotune then chooses among those.
#include <array>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "lint/python/platform_choice.h"
#include "lint/rule.h"
#include "syntax/python/function_scope.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::python;
using syntax::Name;
using syntax::Truth;

const Name kNumStages("num_stages");
constexpr std::string_view kTriton = "triton";
constexpr unsigned kLdsBytes = 64 << 10;
constexpr unsigned kElementBytes = 2;

// Spellings of a tile's sides: rows, columns, depth.
constexpr std::array<std::array<std::string_view, 3>, 5> kSides = {{
    {"BLOCK_M", "BLOCK_N", "BLOCK_K"},
    {"BLOCK_SIZE_M", "BLOCK_SIZE_N", "BLOCK_SIZE_K"},
    {"BM", "BN", "BK"},
    {"block_m", "block_n", "block_k"},
    {"TILE_M", "TILE_N", "TILE_K"},
}};

std::optional<unsigned> number(const File& file, TokenIndex at) {
  if (at >= file.tokens().size() || file.tokens()[at].kind != Kind::kNumber) return std::nullopt;
  unsigned value = 0;
  for (const char digit : file.text(at)) {
    if (digit < '0' || digit > '9' || value > 1 << 16) return std::nullopt;
    value = value * 10 + static_cast<unsigned>(digit - '0');
  }
  return value;
}

// The number of `side` in a call: f(BLOCK_M=128), Config({"BLOCK_M": 128}).
std::optional<unsigned> side_of(const File& file, TokenIndex open, std::string_view side) {
  const TokenIndex close = file.partner(open);
  if (close == kNoToken) return std::nullopt;
  for (TokenIndex at = open + 1; at + 2 < close; ++at) {
    const bool is_key = file.tokens()[at].kind == Kind::kString && file.is(at + 1, ":") &&
                        file.string_value(at) == side;
    if (is_key || (file.is(at, side) && file.is(at + 1, "="))) return number(file, at + 2);
  }
  return std::nullopt;
}

std::optional<unsigned> bytes_of_stage(const File& file, TokenIndex open) {
  for (const auto& names : kSides) {
    const auto rows = side_of(file, open, names[0]);
    const auto columns = side_of(file, open, names[1]);
    const auto depth = side_of(file, open, names[2]);
    if (rows && columns && depth) return (*rows + *columns) * *depth * kElementBytes;
  }
  return std::nullopt;
}

void look_at(PythonCheck& check, TokenIndex at) {
  const File& file = check.file;
  const StatementIndex index = file.statement_at(at);
  const auto stages = number(file, at + 2);
  const TokenIndex open = file.enclosing(at);
  if (index == kNoStatement || !file.is(at + 1, "=") || !stages || open == kNoToken ||
      !file.is(open, "(") || in_function_header(file, index))
    return;
  // tl.range(…, num_stages=0): of a loop, where 0 turns the pipeline off.
  if (open > 0 && file.is(open - 1, "range")) return;
  // num_stages=2 if is_hip() else 4
  if (!file.is(at + 3, ",") && !file.is(at + 3, ")")) return;
  if (file.token_runs_on_rocm(at) == Truth::kNo ||
      (file.enclosing_def(index) != kNoStatement &&
       mentions(file, FunctionScope(file, index), platform_questions())))
    return;
  if (*stages == 0) {
    check.report(file.span(at + 2), Confidence::kMedium,
                 "AMD's backend of Triton rejects num_stages=0 since 3.2; 2 is its default");
    return;
  }
  const auto bytes = bytes_of_stage(file, open);
  if (!bytes || *stages < 2 || *bytes * (*stages - 1) <= kLdsBytes) return;
  check.report(file.span(at + 2), Confidence::kLow,
               fmt::format("with elements of 2 bytes, {} stages of these tiles need {} KiB of "
                           "shared memory, but a workgroup has 64 KiB (gfx950: 160 KiB)",
                           *stages, *bytes * (*stages - 1) >> 10));
}

void find(PythonCheck& check) {
  const File& file = check.file;
  if (is_for_others(check) || check.facts.is_nvidia_specific ||
      file.text().find(kTriton) == std::string_view::npos)
    return;
  for (const TokenIndex at : file.occurrences(kNumStages)) look_at(check, at);
}

}  // namespace

Rule triton_stages() {
  return {.code = "HW808",
          .name = "triton-stages",
          .summary = "Triton pipeline that does not fit in AMD's shared memory",
          .severity = Severity::kWarning,
          .triggers = {kNumStages},
          .python = find};
}

}  // namespace hipwright::lint::rules
