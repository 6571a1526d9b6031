// SPDX-License-Identifier: MIT
// A ballot, which has one bit per lane, is stored in 32 bits.
//
// ## What it finds
//
// The result of `__ballot`, `__ballot_sync`, `__activemask` or `__match_any_sync` stored in,
// returned as, cast to or compared with a 32-bit integer. With low confidence, the same for the
// project's own functions and macros whose names end with "ballot" or "ballot_sync".
//
// ## Why it matters
//
// On AMD these functions return 64 bits, and on gfx9 all 64 are lanes. Lanes 32 to 63 are truncated
// without a warning: counts are too small, elections choose no lane, loops over bits end early.
//
// ## Example
//
// ```cuda
// unsigned votes = __ballot_sync(mask, is_selected);
// int count = __popc(votes);
// ```
//
// ## Use instead
//
// ```cuda
// unsigned long long votes = __ballot_sync(mask, is_selected);
// int count = __popcll(votes);
// ```
//
// A 64-bit variable is correct on NVIDIA, too: the upper half is zero there.
//
// ## When it is not a bug
//
// - The bits of a group are extracted first: `static_cast<uint32_t>(__ballot(x) >> shift)`.
// - Only zero is tested for: `bool any = __ballot(x);`.
// - The code is compiled for wave32 targets only.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/words.h"
#include "lint/cuda/groups.h"

namespace hipwright::lint::rules {

namespace {

using syntax::cuda::File;
using syntax::cuda::kNoToken;
using syntax::cuda::TokenIndex;
using syntax::cuda::TokenRange;

constexpr std::array<std::string_view, 2> kBallotWords = {"ballot", "BALLOT"};

// Where the bits end up: the type to change, and the wording for the message.
struct Sink {
  TokenRange type;
  std::string how;
  std::string variable;  // empty if there is none
};

bool is_narrow(const File& file, TokenRange type) {
  return bits_of_type(file, type) == cu::Bits::kNarrow;
}

// A function's return type, without its specifiers and attributes.
std::optional<TokenRange> result_type(const File& file, const cu::Function& function) {
  for (TokenIndex at = function.parameters.end; at < function.head.end; ++at)
    if (file.is(at, "->")) return TokenRange{at + 1, function.head.end};
  TokenIndex end = function.name;
  TokenIndex begin = end;
  while (begin > function.head.begin && is_name(file, begin - 1)) {
    const std::string_view word = file.text(begin - 1);
    if (word.starts_with("__") || word == "inline" || word == "static" || word == "constexpr" ||
        contains_word(word, "inline") || contains_word(word, "device"))
      break;
    --begin;
  }
  if (begin == end) return std::nullopt;
  return TokenRange{begin, end};
}

bool is_in_lambda(const File& file, TokenIndex token, const cu::Function& function) {
  for (TokenIndex open = file.enclosing(token); open != kNoToken && open + 1 > function.body.begin;
       open = file.enclosing(open)) {
    if (!file.is(open, "{") || !file.is(open - 1, ")")) continue;
    const TokenIndex head = file.partner(open - 1);
    if (head != kNoToken && head > 0 && file.is(head - 1, "]")) return true;
  }
  return false;
}

std::optional<Sink> of_return(const File& file, TokenIndex at) {
  const cu::Function* function = file.function_at(at);
  if (function == nullptr || is_in_lambda(file, at, *function)) return std::nullopt;
  const auto type = result_type(file, *function);
  if (!type || !is_narrow(file, *type)) return std::nullopt;
  return Sink{*type, fmt::format("returned as {}", file.text(*type)), {}};
}

std::optional<Sink> of_variable(const File& file, TokenIndex name) {
  const auto variable = declaration_of(file, name);
  if (!variable || variable->is_array || !is_narrow(file, variable->type)) return std::nullopt;
  return Sink{variable->type, fmt::format("stored in the 32-bit variable {}", file.text(name)),
              std::string(file.text(name))};
}

// (type) in front of it, static_cast<type>(…) or type(…) around it.
std::optional<TokenRange> cast_type(const File& file, TokenIndex before) {
  if (file.is(before, ")")) {
    const TokenIndex open = file.partner(before);
    if (open == kNoToken) return std::nullopt;
    return TokenRange{open + 1, before};
  }
  if (!file.is(before, "(") || before == 0) return std::nullopt;
  if (file.is(before - 1, ">")) {
    TokenIndex less = before - 1;
    while (less > 0 && before - less < 8 && !file.is(less, "<")) --less;
    if (less > 0 && file.text(less - 1) == "static_cast") return TokenRange{less + 1, before - 1};
    return std::nullopt;
  }
  return TokenRange{before - 1, before};
}

std::optional<Sink> sink_of(const File& file, TokenRange call) {
  TokenIndex before = call.begin - 1, after = call.end;
  while (file.is(before, "(") && file.partner(before) == after && before > 0 &&
         !is_name(file, before - 1) && !file.is(before - 1, ">")) {
    --before;
    ++after;
  }
  if (const auto type = cast_type(file, before); type && is_narrow(file, *type)) {
    // The operand of a cast must be the ballot itself.
    if (file.is(before, "(") && file.partner(before) != after) return std::nullopt;
    return Sink{*type, fmt::format("cast to {}", file.text(*type)), {}};
  }
  for (const char* equal : {"==", "!="}) {
    const bool is_right = file.is(before, equal);
    if (!is_right && !file.is(after, equal)) continue;
    const TokenRange other =
        is_right ? TokenRange{before - 1, before} : TokenRange{after + 1, after + 2};
    const auto value = constant(file, other);
    if (value && value->value == 0xFFFFFFFF && value->bits == 32)
      return Sink{other, fmt::format("compared with {}", file.text(other)), {}};
    return std::nullopt;
  }
  const bool is_masked =
      file.is(after, "&") && !is_constant(file, {after + 1, after + 2}, 0xFFFFFFFF);
  if (!is_masked && !is_punctuator(file, after, {";", ",", "}", ")"})) return std::nullopt;
  if (before > 0 && (is_punctuator(file, before, {"=", "|=", "&=", "^="}) ||
                     (file.is(before, "{") && is_name(file, before - 1)))) {
    if (file.is(after, ")") || (is_masked && segment(file, after).end < after)) return std::nullopt;
    if (is_masked) {
      // After the mask, the bits of a group may still be extracted.
      for (TokenIndex at = after; at < segment(file, after).end; ++at)
        if (is_punctuator(file, at, {">>", "==", "!=", "?", "&&", "||"})) return std::nullopt;
    }
    if (!is_name(file, before - 1)) return std::nullopt;
    return of_variable(file, before - 1);
  }
  if (is_name(file, before) && file.text(before) == "return" && !is_masked)
    return of_return(file, before);
  return std::nullopt;
}

// Accept 64 bits as well as 32, by value.
constexpr auto kTakers = std::to_array<std::string_view>(
    {"if", "while", "for", "return", "__popc", "__popcll", "__ffs", "__ffsll", "__shfl",
     "__shfl_sync", "__ballot", "__ballot_sync", "__any", "__all", "__syncwarp"});

// Is it passed to something that may require exactly the old type: a reference, printf, asm?
bool is_handed_on(const File& file, TokenIndex at) {
  for (TokenIndex open = file.enclosing(at); open != kNoToken && open > 0 && !file.is(open, "{");
       open = file.enclosing(open)) {
    if (!file.is(open, "(")) continue;
    // An index, parentheses or a cast around a part of an expression.
    if (is_punctuator(file, open - 1,
                      {"=", "(", ",", "&", "|", "^", "+", "-", "!", "&&", "||", "?", ":"}) ||
        bits_of_type(file, {open - 1, open}) != cu::Bits::kUnknown)
      continue;
    const std::string_view callee = file.text(open - 1);
    if (std::find(kTakers.begin(), kTakers.end(), callee) != kTakers.end()) return false;
    return callee != ">" || !is_name(file, open - 2);  // static_cast<int>(…)
  }
  return false;
}

// With 64 bits, ~votes has its upper half set, a comparison with a 32-bit number gives another
// result, and a function may not accept the type.
bool is_changed_by_width(const File& file, TokenRange code, TokenIndex declared) {
  const std::string_view variable = file.text(declared);
  for (TokenIndex at = code.begin + 1; at < code.end; ++at) {
    if (!is_name(file, at) || file.text(at) != variable || at == declared) continue;
    if (is_punctuator(file, at - 1, {"~", "-", "*"}) ||
        is_punctuator(file, at + 1, {"<<", "<", ">", "<=", ">="}))
      return true;
    const bool is_operand = is_name(file, at - 2) || is_punctuator(file, at - 2, {")", "]"}) ||
                            file.tokens()[at - 2].kind == cu::Kind::kNumber;
    if (file.is(at - 1, "&") && !is_operand) return true;
    for (const char* equal : {"==", "!="})
      if ((file.is(at + 1, equal) && !is_constant(file, {at + 2, at + 3}, 0)) ||
          (file.is(at - 1, equal) && !is_constant(file, {at - 2, at - 1}, 0)))
        return true;
    if (is_handed_on(file, at)) return true;
  }
  return false;
}

// A local variable: no other code depends on its size.
bool is_local(const File& file, TokenIndex declared, TokenRange code) {
  const TokenIndex scope = file.enclosing(declared);
  return scope != kNoToken && file.is(scope, "{") && code.begin <= scope && scope < code.end &&
         file.function_at(declared) != nullptr;
}

std::vector<Fix> wider(const CudaCheck& check, const Sink& sink, TokenRange code) {
  const File& file = check.file;
  if (sink.variable.empty() || counts_warps_of_32(check, code)) return {};
  TokenRange words = sink.type;
  const auto is_kept = [&](TokenIndex at) {
    const std::string_view word = file.text(at);
    return word == "const" || word == "constexpr" || word == "static" || word == "__shared__" ||
           word == "volatile";
  };
  while (words.begin < words.end && is_kept(words.begin)) ++words.begin;
  while (words.begin < words.end && is_kept(words.end - 1)) --words.end;
  for (TokenIndex at = words.begin; at < words.end; ++at)
    if (is_kept(at) || file.is(at, "&")) return {};
  // Several variables in one declaration: the others may have to stay 32 bits.
  const auto variable = declared_at(file, sink.type.end);
  const bool is_alone =
      variable && is_punctuator(file, std::max(variable->value.end, variable->name + 1), {";"});
  if (!is_alone || !is_local(file, variable->name, code) ||
      is_changed_by_width(file, code, variable->name))
    return {};
  return {{.description = "store all lanes: declare it unsigned long long",
           .safe = is_free_of_32(file, variable->name),
           .edits = {{file.span(words), "unsigned long long"}}}};
}

// warp_ballot(…), MY_BALLOT_SYNC(…): a project's wrapper, which returns the GPU's ballot. Not a
// method: a group's ballot covers only the group.
bool is_own_ballot(const File& file, TokenIndex at) {
  if (!is_name(file, at) || !file.is(at + 1, "(") || cu::lane_op_at(file, at) != nullptr)
    return false;
  const bool is_declared = is_name(file, at - 1) && file.text(at - 1) != "return";
  if (is_punctuator(file, at - 1, {".", "->"}) || is_declared) return false;
  std::string_view name = file.text(at);
  for (const std::string_view end : {"_sync", "_SYNC"})
    if (name.ends_with(end)) name.remove_suffix(end.size());
  if (name.ends_with("ballot") || name.ends_with("BALLOT")) return true;
  // IMPL_BALLOT_MASK(1): a macro that expands to one on each platform.
  return name.ends_with("BALLOT_MASK");
}

void find_own_ballots(CudaCheck& check) {
  const File& file = check.file;
  if (std::none_of(kBallotWords.begin(), kBallotWords.end(), [&](std::string_view word) {
        return file.text().find(word) != std::string_view::npos;
      }))
    return;
  for (TokenIndex at = 1; at + 1 < file.tokens().size(); ++at) {
    if (!is_own_ballot(file, at) || check.on_amd(at) == syntax::Truth::kNo ||
        file.partner(at + 1) == kNoToken || is_for_wave32(check, at))
      continue;
    if (const auto sink = sink_of(file, {at, file.partner(at + 1) + 1}))
      check.report(file.span(at), Confidence::kLow,
                   fmt::format("a ballot has 64 bits on gfx9, but it is {}", sink->how));
  }
}

void find(CudaCheck& check) {
  const File& file = check.file;
  if (is_bound_to_nvidia(check)) return;
  find_own_ballots(check);
  std::vector<TokenIndex> declared;
  for (const LaneCall& call : lane_calls(check)) {
    if (call.op->kind != cu::LaneOp::Kind::kBallot || call.name == 0) continue;
    const TokenIndex close = file.partner(call.name + 1);
    if (close == kNoToken || is_for_wave32(check, call.name)) continue;
    const auto sink = sink_of(file, {call.name, close + 1});
    if (!sink) continue;
    // The same change of type is offered once.
    const bool is_first =
        std::find(declared.begin(), declared.end(), sink->type.begin) == declared.end();
    declared.push_back(sink->type.begin);
    check.report(file.span(call.name), sure(check, call.name),
                 fmt::format("the 64-bit result of {} is {}: lanes 32 to 63 are lost",
                             call.op->name.text(), sink->how),
                 is_first ? wider(check, *sink, code_around(file, call.name)) : std::vector<Fix>{});
  }
}

}  // namespace

Rule ballot_in_32_bits() {
  return {.code = "HW201",
          .name = "ballot-in-32-bits",
          .summary = "64-bit ballot stored in a 32-bit integer",
          .severity = Severity::kError,
          .relevance = Relevance::kWave64,
          .triggers = cu::lane_op_names(),
          .words = {kBallotWords[0], kBallotWords[1]},
          .cuda = find};
}

}  // namespace hipwright::lint::rules
