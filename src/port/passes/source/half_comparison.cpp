// SPDX-License-Identifier: MIT
// Comparisons by operators that HIP computes in another way: a <= b and a >= b of halves as !(a >
// b) and !(a < b), which is true for a NaN, and those of pairs as if one of two numbers decided.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "port/pass.h"
#include "port/source/context.h"
#include "syntax/cuda/values.h"

namespace hipwright::port::passes {

namespace cu = syntax::cuda;
using cu::TokenIndex;
using cu::TokenRange;
using syntax::Name;

namespace {

constexpr int kLongest = 64;  // tokens of an operand

struct Comparison {
  std::string_view sign, function;
};
struct Type {
  std::vector<Name> names;
  std::vector<std::string_view> makers;  // functions whose names begin so return it
  std::vector<Comparison> comparisons;
  const char* reason;
};
const std::array kTypes = {
    Type{{Name("__half"), Name("half")},
         {"__float2half"},
         {{"<=", "__hle"}, {">=", "__hge"}},
         "HIP's operator is true for a NaN"},
    Type{{Name("__half2"), Name("half2"), Name("__nv_bfloat162"), Name("nv_bfloat162")},
         {"__floats2half2", "__float2half2", "__half2half2", "__halves2half2", "make_half2",
          "__floats2bfloat162", "__float2bfloat162", "__bfloat162bfloat162", "__halves2bfloat162",
          "make_bfloat162"},
         {{"==", "__hbeq2"},
          {"!=", "hip_compat::hbneu2"},
          {"<", "__hblt2"},
          {">", "__hbgt2"},
          {"<=", "__hble2"},
          {">=", "__hbge2"}},
         "CUDA's operator compares both numbers, HIP's not always"}};

bool names(const cu::File& file, const Type& type, TokenRange range) {
  for (TokenIndex at = range.begin; at < range.end; ++at) {
    if (file.is(at, "<")) return false;
    for (const Name& name : type.names)
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
bool is_variable_of(const cu::File& file, const Type& type, TokenIndex at) {
  if (cu::is_punctuator(file, at + 1, {"(", "::", ".", "->"}) ||
      cu::is_punctuator(file, at - 1, {".", "->", "::"}))
    return false;
  const auto variable = cu::declaration_of(file, at);
  if (!variable || !names(file, type, variable->type)) return false;
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
bool is_of(const cu::File& file, const Type& type, TokenRange operand) {
  for (TokenIndex at = operand.begin; at < operand.end; ++at) {
    if (cu::is_punctuator(file, at, {"(", "["}) && file.partner(at) != cu::kNoToken) {
      at = file.partner(at);
      continue;
    }
    if (!cu::is_name(file, at)) continue;
    if (at + 1 < operand.end && file.is(at + 1, "<"))
      return names(file, type, {at + 2, at + 3});  // static_cast<__half>
    if (file.is(at + 1, "("))
      return names(file, type, {at, at + 1}) ||
             std::ranges::any_of(type.makers, [&](std::string_view maker) {
               // __float2half_rn, but not __float2half2_rn
               const std::string_view name = file.text(at);
               return name.starts_with(maker) && !name.substr(maker.size()).starts_with('2');
             });
    if (is_variable_of(file, type, at)) return true;
  }
  return false;
}

void replace(SourceContext& context, TokenIndex at, const Type& type, const Comparison& comparison,
             TokenRange left, TokenRange right) {
  const cu::File& file = context.file;
  const std::size_t begin = file.span(left.begin).begin, end = file.span(right.end - 1).end;
  context.needs.compat |= comparison.function.starts_with("hip_compat::");
  context.change({begin, begin}, std::string(comparison.function) + '(', "HP226", type.reason);
  context.change({file.span(at - 1).end, file.span(at + 1).begin}, ", ", "HP226", type.reason);
  context.change({end, end}, ")", "HP226", type.reason);
}

void compare(SourceContext& context, const Type& type) {
  const cu::File& file = context.file;
  if (std::ranges::none_of(type.names, [&](const Name& name) { return file.has(name); })) return;
  for (TokenIndex at = 1; at + 1 < file.tokens().size(); ++at) {
    if (file.tokens()[at].kind != cu::Kind::kPunct || file.text(at - 1) == "operator") continue;
    const auto comparison = std::ranges::find(type.comparisons, file.text(at), &Comparison::sign);
    if (comparison == type.comparisons.end()) continue;
    const cu::Function* function = file.function_at(at);
    if (function == nullptr || !function->is_device() || !function->body.contains(at) ||
        context.is_settled(at))
      continue;
    const TokenRange left = left_of(file, at), right = right_of(file, at);
    if (!left.empty() && !right.empty() && (is_of(file, type, left) || is_of(file, type, right)))
      replace(context, at, type, *comparison, left, right);
  }
}

void apply(SourceContext& context) {
  for (const Type& type : kTypes) compare(context, type);
}

}  // namespace

Pass half_comparison() {
  return {.codes = {"HP226"}, .after = {"names"}, .before = {"headers"}, .cuda = apply};
}

}  // namespace hipwright::port::passes
