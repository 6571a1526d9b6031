// SPDX-License-Identifier: MIT
// Conversions between half, bfloat16 and 64-bit integers, which CUDA's types have and HIP's lack.
#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "port/pass.h"
#include "port/source/context.h"
#include "syntax/cuda/values.h"

namespace hipwright::port::passes {

namespace cu = syntax::cuda;
using cu::TokenIndex;
using cu::TokenRange;
using syntax::Name;

namespace {

enum class Number { kOther, kHalf, kBfloat16, kLong };

struct Type {
  Name name;
  Number number;
};
const std::array<Type, 4> kTypes = {{{Name("__half"), Number::kHalf},
                                     {Name("half"), Number::kHalf},
                                     {Name("__nv_bfloat16"), Number::kBfloat16},
                                     {Name("nv_bfloat16"), Number::kBfloat16}}};
constexpr auto kLongWords = std::to_array<std::string_view>(
    {"int64_t", "long", "ptrdiff_t", "size_t", "uint64_t", "uintptr_t"});
static_assert(std::ranges::is_sorted(kLongWords));

// Of a variable, or of what it points to.
Number number_of(const cu::File& file, TokenRange type) {
  for (TokenIndex at = type.begin; at < type.end; ++at) {
    const std::string_view word = file.text(at);
    if (word == "double" || word == "<") return Number::kOther;
    for (const Type& each : kTypes)
      if (file.is(at, each.name)) return each.number;
    if (std::ranges::binary_search(kLongWords, word)) return Number::kLong;
  }
  return Number::kOther;
}

bool lacks(Number to, Number from) {
  return to == Number::kHalf ? from == Number::kBfloat16
                             : from == Number::kHalf || from == Number::kLong;
}

// The variables of the operand itself; what calls return is another matter.
bool needs_help(const cu::File& file, TokenRange operand, Number to) {
  for (TokenIndex at = operand.begin; at < operand.end; ++at) {
    if (file.is(at, "[") && file.partner(at) != cu::kNoToken) at = file.partner(at);
    if (!cu::is_name(file, at)) continue;
    if (file.is(at + 1, "(") || file.is(at + 1, "<") || file.is(at + 1, "::")) return false;
    if (at > operand.begin && cu::is_punctuator(file, at - 1, {".", "->", "::"})) continue;
    const auto variable = cu::declaration_of(file, at);
    if (!variable) continue;
    const Number from = number_of(file, variable->type);
    // A member may have any type.
    if (lacks(to, from) && !cu::is_punctuator(file, at + 1, {".", "->"})) return true;
  }
  return false;
}

// x, *x, x[i], x.y: what a cast in front applies to.
TokenRange unary(const cu::File& file, TokenIndex begin) {
  TokenIndex at = begin;
  while (cu::is_punctuator(file, at, {"*", "-"})) ++at;
  if (file.is(at, "(") && file.partner(at) != cu::kNoToken) {
    at = file.partner(at) + 1;
  } else {
    if (!cu::is_name(file, at)) return {begin, begin};
    ++at;
  }
  for (;;) {
    if (file.is(at, "[") && file.partner(at) != cu::kNoToken)
      at = file.partner(at) + 1;
    else if (cu::is_punctuator(file, at, {".", "->"}))
      at += 2;
    else
      return {begin, at};
  }
}

// Between two parentheses.
std::optional<TokenRange> within(const cu::File& file, TokenIndex open) {
  const TokenIndex close = file.partner(open);
  if (close == cu::kNoToken || close <= open + 1) return std::nullopt;
  return TokenRange{open + 1, close};
}

// The operand of static_cast<T>(…), T(…), (T)….
std::optional<TokenRange> operand_of_cast(const cu::File& file, TokenIndex at) {
  if (at > 1 && file.is(at - 1, "<") && file.text(at - 2) == "static_cast")
    return file.is(at + 1, ">") && file.is(at + 2, "(") ? within(file, at + 2) : std::nullopt;
  if (at > 0 && file.is(at - 1, "(") && file.is(at + 1, ")")) {
    if (at > 1 && cu::is_name(file, at - 2) && file.text(at - 2) != "return") return std::nullopt;
    const TokenRange range = unary(file, at + 2);
    return range.empty() ? std::nullopt : std::optional(range);
  }
  if (!file.is(at + 1, "(")) return std::nullopt;
  const bool is_expression =
      at > 0 &&
      (file.text(at - 1) == "return" ||
       cu::is_punctuator(file, at - 1, {"(", ",", "=", "+", "-", "*", "/", "?", ":", "<", ">"}));
  return is_expression ? within(file, at + 1) : std::nullopt;
}

// T a = …, b(…): the values.
std::vector<TokenRange> initial_values(const cu::File& file, TokenIndex type) {
  std::vector<TokenRange> values;
  const TokenIndex around = file.enclosing(type);
  const bool is_parameter = around != cu::kNoToken && file.is(around, "(");
  for (TokenIndex at = type + 1; cu::is_name(file, at);) {
    TokenIndex end = at + 1;
    if (file.is(end, "(")) {
      if (const auto value = within(file, end)) values.push_back(*value);
    }
    while (end < file.tokens().size() && !cu::is_punctuator(file, end, {",", ";", ")", "}"})) {
      const bool opens = cu::is_punctuator(file, end, {"(", "[", "{"});
      end = opens && file.partner(end) != cu::kNoToken ? file.partner(end) + 1 : end + 1;
    }
    if (file.is(at + 1, "=") && end > at + 2) values.push_back({at + 2, end});
    if (is_parameter || !file.is(end, ",")) break;
    at = end + 1;
  }
  return values;
}

void help(SourceContext& context, TokenRange operand) {
  context.needs.compat = true;
  const std::size_t begin = context.file.span(operand.begin).begin;
  const std::size_t end = context.file.span(operand.end - 1).end;
  context.change({begin, begin}, "hip_compat::number(", "HP224", "HIP lacks this conversion");
  context.change({end, end}, ")", "HP224");
}

// The types of a template that a conversion names: template <class To, typename From>.
std::vector<std::string_view> type_parameters(const cu::File& file, const cu::Function& function) {
  std::vector<std::string_view> names;
  const TokenRange range = function.template_parameters;
  for (TokenIndex at = range.begin; at + 1 < range.end; ++at)
    if ((file.text(at) == "class" || file.text(at) == "typename") && cu::is_name(file, at + 1))
      names.push_back(file.text(at + 1));
  return names;
}

// Is both half and bfloat16 in a file that is compiled together with this one?
bool has_both(const SourceContext& context) {
  bool has_half = false, has_bfloat16 = false;
  const std::vector<bool> read = context.own.graph().read_together(context.source);
  for (std::size_t i = 0; i < context.tree.files.size(); ++i) {
    const cu::File* file = read[i] ? context.tree.files[i]->cuda() : nullptr;
    for (const Type& type : kTypes)
      if (file != nullptr && file->has(type.name))
        (type.number == Number::kHalf ? has_half : has_bfloat16) = true;
  }
  return has_half && has_bfloat16;
}

// Is the operand of another template's type?
bool is_of_other_type(const cu::File& file, TokenRange operand, std::string_view to,
                      const std::vector<std::string_view>& types) {
  if (!cu::is_name(file, operand.begin) || file.is(operand.begin + 1, "(")) return false;
  const auto variable = cu::declaration_of(file, operand.begin);
  if (!variable) return false;
  for (TokenIndex at = variable->type.begin; at < variable->type.end; ++at)
    if (file.text(at) != to && std::ranges::find(types, file.text(at)) != types.end()) return true;
  return false;
}

// static_cast<To>(from): the types are known where the template is used.
void in_template(SourceContext& context, const cu::Function& function) {
  const cu::File& file = context.file;
  const std::vector<std::string_view> types = type_parameters(file, function);
  if (types.size() < 2) return;
  for (TokenIndex at = function.body.begin; at < function.body.end; ++at) {
    if (!cu::is_name(file, at) || std::ranges::find(types, file.text(at)) == types.end() ||
        context.is_settled(at))
      continue;
    const auto operand = operand_of_cast(file, at);
    if (operand && is_of_other_type(file, *operand, file.text(at), types)) help(context, *operand);
  }
}

void apply(SourceContext& context) {
  const cu::File& file = context.file;
  for (const Type& type : kTypes)
    for (const TokenIndex at : file.occurrences(type.name)) {
      if (file.function_at(at) == nullptr || context.is_settled(at) ||
          context.own.has(file.text(at), context.source, at))
        continue;
      std::vector<TokenRange> operands;
      if (const auto operand = operand_of_cast(file, at))
        operands.push_back(*operand);
      else
        operands = initial_values(file, at);
      for (const TokenRange& operand : operands)
        if (needs_help(file, operand, type.number)) help(context, operand);
    }
  const auto is_template = [&](const cu::Function& function) {
    return function.is_device() && !function.template_parameters.empty();
  };
  if (std::ranges::none_of(file.functions(), is_template) || !has_both(context)) return;
  for (const cu::Function& function : file.functions())
    if (is_template(function)) in_template(context, function);
}

}  // namespace

Pass number_conversions() {
  return {.codes = {"HP224"}, .cuda = apply};
}

}  // namespace hipwright::port::passes
