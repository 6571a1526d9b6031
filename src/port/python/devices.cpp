// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "port/python/parts.h"

namespace hipwright::port {

using namespace syntax::python;

namespace {

// Is it asked as a whole, not for what the version is?
bool is_condition(const File& file, TokenRange range) {
  static constexpr std::array<std::string_view, 9> kBefore = {
      "if", "elif", "not", "and", "or", "assert", "while", "return", "="};
  static constexpr std::array<std::string_view, 5> kAfter = {"and", "or", ":", ")", "else"};
  if (range.begin < 2) return false;
  const std::string_view before = file.text(range.begin - 1), after = file.text(range.end);
  const bool is_bracketed = before == "(" && (range.size() > 5 || file.is(range.begin - 2, "bool"));
  const bool ends = file.tokens()[range.end].kind == Kind::kNewline ||
                    std::find(kAfter.begin(), kAfter.end(), after) != kAfter.end();
  return ends &&
         (is_bracketed || std::find(kBefore.begin(), kBefore.end(), before) != kBefore.end());
}

// if torch.version.cuda is not None: …
void gate_version(PythonContext& context, const lint::Reported& found) {
  const File& file = context.file;
  const TokenIndex at = token_at(file, found.diagnostic.span.begin);
  if (at == kNoToken) return;
  TokenRange condition{at, at + 5};  // torch . version . cuda
  bool is_true = true;
  if (file.compact(condition) == "torch.version.cuda") {
    if (file.is(condition.end, "is") && file.is(condition.end + 1, "not")) {
      condition.end += 3;
    } else if (file.is(condition.end, "is")) {
      condition.end += 2;
      is_true = false;
    }
    if (is_condition(file, condition) &&
        context.gate_truth(condition, is_true,
                           {"HP102", Phase::kDetection, "torch.version.cuda is None on ROCm"}))
      return;
  }
  context.tell("HP102", Severity::kWarning, found.diagnostic.span, found.diagnostic.message);
}

// The linter names the type once per statement, which may have it twice: finfo(t).min,
// finfo(t).max.
void gate_fp8_type(PythonContext& context, const lint::Reported& found) {
  const File& file = context.file;
  const TokenIndex at = token_at(file, found.diagnostic.span.begin);
  const Why why{"HP509", Phase::kLibraries, "MI300 computes with the fnuz types"};
  bool is_gated = false;
  if (at != kNoToken && found.diagnostic.confidence != Confidence::kLow) {
    const std::string text = file.compact(file.dotted(at));
    const bool is_ocp = text == "torch.float8_e4m3fn" || text == "torch.float8_e5m2";
    const TokenRange tokens = file.statements()[file.statement_at(at)].tokens;
    for (TokenIndex each = at; is_ocp && each < tokens.end; ++each) {
      if (file.tokens()[each].kind != Kind::kName || file.text(each) != "torch") continue;
      const TokenRange name = file.dotted(each);
      if (name.begin != each || file.compact(name) != text) continue;
      const bool is_done = context.gate_value(name, fmt::format("rocm_fp8_dtype({})", text), why,
                                              {"rocm_fp8_dtype"});
      if (each == at && !is_done) break;
      is_gated = true;
    }
  }
  if (!is_gated)
    context.tell("HP509", Severity::kNote, found.diagnostic.span, found.diagnostic.message);
}

// The linter names one number of a statement: clamp(-448.0, 448.0) has two.
void gate_fp8_max(PythonContext& context, const lint::Reported& found) {
  const File& file = context.file;
  const TokenIndex at = token_at(file, found.diagnostic.span.begin);
  const Why why{"HP509", Phase::kLibraries, "the largest value depends on the GPU"};
  bool is_gated = at != kNoToken && found.diagnostic.confidence != Confidence::kLow;
  if (is_gated) {
    const TokenRange tokens = file.statements()[file.statement_at(at)].tokens;
    for (TokenIndex each = tokens.begin; each < tokens.end; ++each)
      if (file.tokens()[each].kind == Kind::kNumber && file.text(each) == file.text(at))
        is_gated &= context.gate_value({each, each + 1}, "rocm_fp8_max()", why, {"rocm_fp8_max"});
  }
  if (!is_gated)
    context.tell("HP509", Severity::kNote, found.diagnostic.span, found.diagnostic.message);
}

}  // namespace

void gate_devices(PythonContext& context) {
  for (const lint::Reported& each : findings(context, "HW502")) gate_version(context, each);
  for (const lint::Reported& each : findings(context, "HW302", Tests::kAreTests))
    gate_fp8_type(context, each);
  for (const lint::Reported& each : findings(context, "HW301", Tests::kAreTests))
    gate_fp8_max(context, each);
  for (const lint::Reported& each : findings(context, "HW501"))
    context.tell("HP103", Severity::kNote, each.diagnostic.span,
                 each.diagnostic.message + " (the name \"cuda\" itself is right on ROCm)");
  for (const lint::Reported& each : findings(context, "HW505"))
    context.tell("HP104", Severity::kWarning, each.diagnostic.span, each.diagnostic.message);
}

}  // namespace hipwright::port
