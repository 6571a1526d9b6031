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

const std::array kCapabilities = {syntax::Name("get_device_capability"),
                                  syntax::Name("get_compute_capability")};

bool asks_for_rocm(const File& file, TokenRange range) {
  for (TokenIndex at = range.begin; at < range.end; ++at) {
    const std::string_view text = file.text(at);
    if (file.tokens()[at].kind == Kind::kName &&
        (text == "hip" || text.find("rocm") != std::string_view::npos ||
         text.find("is_hip") != std::string_view::npos ||
         text.find("ROCM") != std::string_view::npos))
      return true;
  }
  return false;
}

// Of code that is run with the module the linter is content when the file asks for ROCm anywhere.
// Here only the question around it counts.
void tell_capabilities(PythonContext& context, const std::vector<lint::Reported>& told) {
  const File& file = context.file;
  static constexpr std::array<std::string_view, 4> kSigns = {">", ">=", "==", "!="};
  if (!asks_for_rocm(file, {0, static_cast<TokenIndex>(file.tokens().size())})) return;
  for (const syntax::Name& name : kCapabilities)
    for (const TokenIndex at : file.occurrences(name)) {
      const StatementIndex index = file.statement_at(at);
      if (index == kNoStatement || file.enclosing_def(index) != kNoStatement ||
          context.is_settled(at))
        continue;
      const TokenRange tokens = file.statements()[index].tokens;
      bool compares = false, is_asked = asks_for_rocm(file, tokens);
      for (TokenIndex each = at; each < tokens.end; ++each)
        compares |= std::find(kSigns.begin(), kSigns.end(), file.text(each)) != kSigns.end();
      for (StatementIndex around = file.statements()[index].parent; around != kNoStatement;
           around = file.statements()[around].parent)
        is_asked |= asks_for_rocm(file, file.statements()[around].tokens);
      const Span span = file.span(tokens);
      const bool is_told = std::any_of(told.begin(), told.end(), [&](const lint::Reported& each) {
        return span.contains(each.diagnostic.span.begin);
      });
      if (compares && !is_asked && !is_told)
        context.tell("HP104", Severity::kWarning, file.span(file.dotted(at)),
                     "on ROCm this is the number of the gfx target: ask for the platform before "
                     "its capability");
    }
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
  const std::vector<lint::Reported> capabilities = findings(context, "HW505");
  for (const lint::Reported& each : capabilities)
    context.tell("HP104", Severity::kWarning, each.diagnostic.span, each.diagnostic.message);
  tell_capabilities(context, capabilities);
}

}  // namespace hipwright::port
