// SPDX-License-Identifier: MIT
// a <= b and a >= b of halves, which HIP computes as !(a > b) and !(a < b): true for a NaN.
#include <algorithm>
#include <array>
#include <optional>

#include "port/pass.h"
#include "port/source/context.h"
#include "syntax/cuda/values.h"

namespace hipwright::port::passes {

namespace cu = syntax::cuda;
using cu::TokenIndex;
using cu::TokenRange;
using syntax::Name;

namespace {

const std::array kHalf = {Name("__half"), Name("half")};
constexpr int kLongest = 64;  // tokens of an operand

bool names_half(const cu::File& file, TokenRange type) {
  for (TokenIndex at = type.begin; at < type.end; ++at) {
    if (file.is(at, "<")) return false;
    for (const Name& name : kHalf)
      if (file.is(at, name)) return true;
  }
  return false;
}

// Ends an expression that binds tighter than a comparison.
bool is_boundary(const cu::File& file, TokenIndex at) {
  return cu::is_punctuator(
             file, at, {"(", ")", "[", "]", "{", "}",  ";",  ",",  "?",  ":",  "&&", "||", "=",
                        "&", "|", "^", "<", ">", "<=", ">=", "==", "!=", "+=", "-=", "*=", "/="}) ||
         file.text(at) == "return" || file.text(at) == "case";
}

// static_cast<T>: the other end of its type, from either bracket.
std::optional<TokenIndex> end_of_cast(const cu::File& file, TokenIndex bracket) {
  const bool closes = file.is(bracket, ">");
  for (TokenIndex steps = 1; steps < 8; ++steps) {
    const TokenIndex at = closes ? bracket - steps : bracket + steps;
    if (at == 0 || at >= file.tokens().size()) break;
    if (!file.is(at, closes ? "<" : ">")) continue;
    return file.text((closes ? at : bracket) - 1).ends_with("_cast") ? std::optional(at)
                                                                     : std::nullopt;
  }
  return std::nullopt;
}

// Behind its first token, or empty if it is too long.
TokenRange left_of(const cu::File& file, TokenIndex comparison) {
  TokenIndex begin = comparison;
  while (begin > 0 && comparison - begin < kLongest) {
    const TokenIndex before = begin - 1;
    if (cu::is_punctuator(file, before, {")", "]"}) && file.partner(before) != cu::kNoToken)
      begin = file.partner(before);
    else if (const auto cast = file.is(before, ">") ? end_of_cast(file, before) : std::nullopt)
      begin = *cast;
    else if (is_boundary(file, before))
      return {begin, comparison};
    else
      begin = before;
  }
  return {comparison, comparison};
}
TokenRange right_of(const cu::File& file, TokenIndex comparison) {
  TokenIndex end = comparison + 1;
  while (end + 1 < file.tokens().size() && end - comparison < kLongest) {
    if (cu::is_punctuator(file, end, {"(", "["}) && file.partner(end) != cu::kNoToken)
      end = file.partner(end) + 1;
    else if (const auto cast = file.is(end, "<") ? end_of_cast(file, end) : std::nullopt)
      end = *cast + 1;
    else if (is_boundary(file, end))
      return {comparison + 1, end};
    else
      ++end;
  }
  return {comparison, comparison};
}

// x, p[i], *p; not p itself, p.x or f(x).
bool is_half_variable(const cu::File& file, TokenIndex at) {
  if (cu::is_punctuator(file, at + 1, {"(", "<", "::", ".", "->"}) ||
      cu::is_punctuator(file, at - 1, {".", "->", "::"}))
    return false;
  const auto variable = cu::declaration_of(file, at);
  if (!variable || !names_half(file, variable->type)) return false;
  int levels = variable->is_array ? 1 : 0;
  for (TokenIndex each = variable->type.begin; each < variable->type.end; ++each)
    levels += file.is(each, "*") ? 1 : 0;
  for (TokenIndex next = at + 1; file.is(next, "[") && file.partner(next) != cu::kNoToken;
       next = file.partner(next) + 1)
    --levels;
  for (TokenIndex before = at; before > 0 && file.is(before - 1, "*"); --before) {
    const bool multiplies = before > 1 && (cu::is_name(file, before - 2) ||
                                           cu::is_punctuator(file, before - 2, {")", "]"}));
    if (multiplies) break;
    --levels;
  }
  return levels == 0;
}

// A sum of halves is one, and so is what __float2half() and __half() make.
bool is_half(const cu::File& file, TokenRange operand) {
  for (TokenIndex at = operand.begin; at < operand.end; ++at) {
    if (cu::is_punctuator(file, at, {"(", "["}) && file.partner(at) != cu::kNoToken) {
      at = file.partner(at);
      continue;
    }
    if (!cu::is_name(file, at)) continue;
    if (file.is(at + 1, "<")) return names_half(file, {at + 2, at + 3});  // static_cast<__half>
    if (file.is(at + 1, "("))
      return names_half(file, {at, at + 1}) || file.text(at).starts_with("__float2half");
    if (is_half_variable(file, at)) return true;
  }
  return false;
}

void apply(SourceContext& context) {
  const cu::File& file = context.file;
  if (std::ranges::none_of(kHalf, [&](const Name& name) { return file.has(name); })) return;
  for (TokenIndex at = 1; at + 1 < file.tokens().size(); ++at) {
    if (!cu::is_punctuator(file, at, {"<=", ">="}) || file.text(at - 1) == "operator") continue;
    const cu::Function* function = file.function_at(at);
    if (function == nullptr || !function->is_device() || context.is_settled(at)) continue;
    const TokenRange left = left_of(file, at), right = right_of(file, at);
    if (left.empty() || right.empty() || !(is_half(file, left) || is_half(file, right))) continue;
    const std::size_t begin = file.span(left.begin).begin, end = file.span(right.end - 1).end;
    constexpr const char* kReason = "HIP's operator is true for a NaN";
    context.change({begin, begin}, file.is(at, "<=") ? "__hle(" : "__hge(", "HP226", kReason);
    context.change({file.span(at - 1).end, file.span(at + 1).begin}, ", ", "HP226", kReason);
    context.change({end, end}, ")", "HP226", kReason);
  }
}

}  // namespace

Pass half_comparison() {
  return {.codes = {"HP226"}, .after = {"names"}, .before = {"headers"}, .cuda = apply};
}

}  // namespace hipwright::port::passes
