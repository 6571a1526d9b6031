// SPDX-License-Identifier: MIT
// A Triton kernel is launched with more threads than a wave64 block can have.
//
// ## What it finds
//
// `num_warps` of 32 or more: as an argument of a launch, as a variable or a dictionary entry of
// that name, and as its bound (`num_warps = max(min(n, 32), 4)`). With low confidence: the values
// that `autotune` tries (`triton.Config({}, num_warps=32)`, `for num_warps in [8, 16, 32]`), and
// `num_warps * 32` for a number of threads.
//
// ## Why it matters
//
// A Triton warp is a wave. On gfx9 a wave has 64 lanes, so 32 waves are 2048 threads: a block has
// at most 1024, and the launch fails. Recent releases of Triton skip such a configuration when they
// tune; older ones stop with "invalid argument".
//
// ## Example
//
// ```python
// kernel[grid](x, y, n, num_warps=32)
// ```
//
// ## Use instead
//
// ```python
// kernel[grid](x, y, n, num_warps=16 if is_hip() else 32)
// ```
//
// ## When it is not a bug
//
// - The value depends on the platform, or the code is for NVIDIA or RDNA only.
#include <optional>

#include <fmt/format.h>

#include "lint/python/platform_choice.h"
#include "lint/rule.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::python;
using syntax::Name;
using syntax::Truth;

const Name kNumWarps("num_warps");
constexpr std::string_view kTriton = "triton";  // imported, or named as a backend
constexpr std::string_view kKey = "\"num_warps\"";
constexpr unsigned kMost = 16;  // 64-lane waves in a block of 1024

std::optional<unsigned> number(const File& file, TokenIndex at) {
  if (at >= file.tokens().size() || file.tokens()[at].kind != Kind::kNumber) return std::nullopt;
  unsigned value = 0;
  for (const char digit : file.text(at)) {
    if (digit < '0' || digit > '9' || value > 1024) return std::nullopt;
    value = value * 10 + static_cast<unsigned>(digit - '0');
  }
  return value;
}

bool is_too_many(const File& file, TokenIndex at) {
  const auto value = number(file, at);
  return value && *value > kMost && *value <= 64;
}

// The value or its upper bound: 32, min(n, 32), max(min(n, 32), 4).
TokenIndex largest(const File& file, TokenRange value) {
  if (value.size() == 1) return is_too_many(file, value.begin) ? value.begin : kNoToken;
  for (TokenIndex at = value.begin; at + 1 < value.end; ++at) {
    if (!file.is(at, "min") || !file.is(at + 1, "(")) continue;
    TokenIndex found = kNoToken;
    for (const TokenRange& argument : file.positional_arguments(at + 1)) {
      if (argument.size() != 1) continue;
      // min(n, 32, 8)
      if (const auto bound = number(file, argument.begin); bound && *bound <= kMost)
        return kNoToken;
      if (is_too_many(file, argument.begin)) found = argument.begin;
    }
    if (found != kNoToken) return found;
  }
  return kNoToken;
}

// A configuration for autotune().
bool is_tried(const File& file, TokenIndex at) {
  for (TokenIndex open = file.enclosing(at); open != kNoToken; open = file.enclosing(open))
    if (open > 0 && file.is(open, "(") && file.is(open - 1, "Config")) return true;
  return false;
}

// num_warps = VALUE, f(num_warps=VALUE): up to the end of the value.
TokenRange value_after(const File& file, TokenIndex equals, StatementIndex index) {
  const TokenIndex open = file.enclosing(equals);
  const TokenIndex close =
      open != kNoToken ? file.partner(open) : file.statements()[index].tokens.end;
  if (close == kNoToken) return {};
  TokenRange value{equals + 1, equals + 1};
  while (value.end < close && !file.is(value.end, ",")) value.end = file.skip(value.end);
  return value;
}

// A platform check in the same statement selects the number.
bool asks_for_platform(const File& file, StatementIndex index) {
  const TokenRange statement = file.statements()[index].tokens;
  return has_word(file, statement, "hip") || has_word(file, statement, "rocm");
}

void report(PythonCheck& check, StatementIndex index, TokenIndex at, Confidence confidence) {
  const File& file = check.file;
  if (asks_for_platform(file, index) || file.token_runs_on_rocm(at) == Truth::kNo) return;
  check.report(file.span(at), confidence,
               fmt::format("{} 64-lane waves are {} threads, but a block has at most 1024",
                           file.text(at), *number(file, at) * 64));
}

void look_at(PythonCheck& check, TokenIndex equals) {
  const File& file = check.file;
  const StatementIndex index = file.statement_at(equals);
  if (index == kNoStatement || in_function_header(file, index)) return;
  // size, num_warps = 64, 8
  if (file.enclosing(equals) == kNoToken && file.statements()[index].tokens.begin + 1 != equals)
    return;
  const TokenIndex at = largest(file, value_after(file, equals, index));
  if (at == kNoToken) return;
  report(check, index, at,
         check.facts.is_test || is_tried(file, at) ? Confidence::kLow : Confidence::kMedium);
}

// for num_warps in [4, 8, 16, 32]
void look_at_list(PythonCheck& check, TokenIndex name) {
  const File& file = check.file;
  const StatementIndex index = file.statement_at(name);
  const TokenIndex open = name + 2;
  if (index == kNoStatement || !file.is(name - 1, "for") || !file.is(name + 1, "in") ||
      !(file.is(open, "[") || file.is(open, "(")))
    return;
  for (const TokenRange& each : file.arguments(open))
    if (each.size() == 1 && is_too_many(file, each.begin))
      return report(check, index, each.begin, Confidence::kLow);
}

// threads = num_warps * 32
void look_at_product(PythonCheck& check, TokenIndex name) {
  const File& file = check.file;
  const StatementIndex index = file.statement_at(name);
  const auto lanes = number(file, name + 2);
  if (index == kNoStatement || !file.is(name + 1, "*") || !lanes || *lanes != 32 ||
      asks_for_platform(file, index) || file.token_runs_on_rocm(name) == Truth::kNo)
    return;
  check.report(file.span(TokenRange{name, name + 3}), Confidence::kLow,
               "a warp of Triton is a wave, which has 64 lanes on gfx9");
}

void find(PythonCheck& check) {
  const File& file = check.file;
  if (is_for_others(check) || file.text().find(kTriton) == std::string_view::npos) return;
  for (const TokenIndex at : file.occurrences(kNumWarps)) {
    if (at > 0) look_at_list(check, at);
    if (file.is(at + 1, "="))
      look_at(check, at + 1);
    else
      look_at_product(check, at);
  }
  if (file.text().find(kKey) == std::string_view::npos) return;
  for (TokenIndex at = 0; at + 2 < file.tokens().size(); ++at)
    if (file.tokens()[at].kind == Kind::kString && file.text(at) == kKey && file.is(at + 1, ":"))
      look_at(check, at + 1);
}

}  // namespace

Rule triton_num_warps() {
  return {.code = "HW110",
          .name = "triton-num-warps",
          .summary = "Triton launch with more threads than a block can have",
          .severity = Severity::kError,
          .relevance = Relevance::kWave64,
          .triggers = {kNumWarps},
          .words = {kKey},
          .python = find};
}

}  // namespace hipwright::lint::rules
