// SPDX-License-Identifier: MIT
#include "syntax/cuda/values.h"

#include "base/words.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace hipwright::syntax::cuda {

namespace {

constexpr int kDeepest = 6;  // levels of constants defined by constants

bool opens(const File& file, TokenIndex at) {
  return is_punctuator(file, at, {"(", "[", "{"});
}

std::uint64_t cut(std::uint64_t value, unsigned bits) {
  return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

std::optional<Constant> evaluate(const File& file, TokenRange expression, int depth);

// The bits of the integer type that these tokens name; 0 if they name none.
unsigned integer_bits(const File& file, TokenRange type) {
  if (type.empty() || type.end - type.begin > 6) return 0;
  switch (bits_of_type(file, type)) {
    case Bits::kNarrow:
      return 32;
    case Bits::k64:
      return 64;
    default:
      return 0;
  }
}

std::optional<Constant> converted(std::optional<Constant> value, unsigned bits, bool is_negative) {
  if (!value || bits == 0) return std::nullopt;
  const bool extends = is_negative && bits == 64 && value->bits == 32;
  return Constant{extends ? value->value | 0xFFFFFFFF00000000 : cut(value->value, bits), bits};
}

bool begins_with_minus(const File& file, TokenRange range) {
  return file.is(unwrapped(file, range).begin, "-");
}

// (type)x, type(x), static_cast<type>(x)
std::optional<Constant> cast(const File& file, TokenRange whole, int depth) {
  const TokenIndex first = whole.begin;
  if (file.is(first, "(")) {
    const TokenIndex close = file.partner(first);
    if (close == kNoToken || close + 1 >= whole.end) return std::nullopt;
    const TokenRange inner{close + 1, whole.end};
    return converted(evaluate(file, inner, depth), integer_bits(file, {first + 1, close}),
                     begins_with_minus(file, inner));
  }
  TokenIndex open = first;
  while (open < whole.end && !file.is(open, "(") && !file.is(open, "{")) ++open;
  if (open == first || open >= whole.end || file.partner(open) != whole.end - 1)
    return std::nullopt;
  TokenRange type{first, open};
  if (file.text(first) == "static_cast") type = {first + 2, open - 1};
  const TokenRange inner{open + 1, whole.end - 1};
  return converted(evaluate(file, inner, depth), integer_bits(file, type),
                   begins_with_minus(file, inner));
}

std::optional<Constant> binary(const File& file, TokenRange whole, int depth) {
  static constexpr std::array kLevels = {std::array{"|", "|"}, std::array{"<<", ">>"},
                                         std::array{"+", "-"}, std::array{"*", "/"}};
  for (const auto& level : kLevels) {
    for (TokenIndex at = whole.end; at-- > whole.begin + 1;) {
      if (is_punctuator(file, at, {")", "]", "}"})) {
        const TokenIndex open = file.partner(at);
        if (open == kNoToken || open <= whole.begin) break;
        at = open;
        continue;
      }
      if (!file.is(at, level[0]) && !file.is(at, level[1])) continue;
      if (file.tokens()[at - 1].kind == Kind::kPunct && !file.is(at - 1, ")")) continue;
      const auto left = evaluate(file, {whole.begin, at}, depth);
      const auto right = evaluate(file, {at + 1, whole.end}, depth);
      if (!left || !right) return std::nullopt;
      const unsigned bits = file.text(at) == "<<" || file.text(at) == ">>"
                                ? left->bits
                                : std::max(left->bits, right->bits);
      std::uint64_t value = 0;
      const std::uint64_t a = left->value, b = right->value;
      switch (file.text(at)[0]) {
        case '|':
          value = a | b;
          break;
        case '<':
          value = b < 64 ? a << b : 0;
          break;
        case '>':
          value = b < 64 ? a >> b : 0;
          break;
        case '+':
          value = a + b;
          break;
        case '-':
          value = a - b;
          break;
        case '*':
          value = a * b;
          break;
        default:
          if (b == 0) return std::nullopt;
          value = a / b;
      }
      return Constant{cut(value, bits), bits};
    }
  }
  return std::nullopt;
}

std::optional<Constant> of_name(const File& file, TokenIndex name, int depth) {
  const std::string_view text = file.text(name);
  if (const Macro* macro = file.macro_named(text);
      macro != nullptr && !macro->is_function && !macro->body.contains(name))
    return evaluate(file, macro->body, depth);
  const auto variable = declaration_of(file, name);
  if (!variable || variable->value.empty() || variable->value.contains(name)) return std::nullopt;
  const std::string_view type = file.text(variable->type);
  if (type.find("const") == std::string_view::npos) return std::nullopt;
  const auto value = evaluate(file, variable->value, depth);
  const unsigned bits = integer_bits(file, variable->type);
  return bits == 0 ? value : converted(value, bits, begins_with_minus(file, variable->value));
}

std::optional<Constant> evaluate(const File& file, TokenRange expression, int depth) {
  if (depth <= 0) return std::nullopt;
  const TokenRange whole = unwrapped(file, expression);
  if (whole.empty() || whole.end - whole.begin > 16) return std::nullopt;
  const TokenIndex first = whole.begin;
  if (whole.end - first == 1) {
    if (is_name(file, first)) return of_name(file, first, depth - 1);
    return literal(file, first);
  }
  if (const auto result = binary(file, whole, depth - 1)) return result;
  if (is_punctuator(file, first, {"-", "~", "+"})) {
    auto inner = evaluate(file, {first + 1, whole.end}, depth - 1);
    if (!inner) return inner;
    if (file.is(first, "-")) inner->value = cut(std::uint64_t{0} - inner->value, inner->bits);
    if (file.is(first, "~")) inner->value = cut(~inner->value, inner->bits);
    return inner;
  }
  return cast(file, whole, depth - 1);
}

// The token after the > that closes the template arguments at `less`; `less` if it is a comparison.
TokenIndex behind_angles(const File& file, TokenIndex less, TokenIndex end) {
  int depth = 0;
  for (TokenIndex at = less; at < end && at - less < 64; ++at) {
    if (file.is(at, "<")) {
      ++depth;
    } else if (file.is(at, ">") || file.is(at, ">>")) {
      depth -= file.is(at, ">") ? 1 : 2;
      if (depth <= 0) return at + 1;
    } else if (file.is(at, "(")) {
      const TokenIndex close = file.partner(at);
      if (close == kNoToken || close > end) return less;
      at = close;
    } else if (file.tokens()[at].kind == Kind::kPunct &&
               !is_punctuator(file, at, {",", "::", "*", "&", "/", "+", "-"})) {
      return less;
    }
  }
  return less;
}

bool is_no_type(std::string_view word) {
  return is_any(word, {"return",   "else",    "case",      "goto",      "new",    "delete",
                       "throw",    "if",      "while",     "for",       "do",     "switch",
                       "using",    "typedef", "namespace", "operator",  "sizeof", "break",
                       "continue", "default", "asm",       "struct",    "class",  "enum",
                       "public",   "private", "template",  "co_return", "not"});
}

bool takes_parentheses(std::string_view word) {
  return is_any(word, {"alignas", "__align__", "__attribute__", "decltype", "__launch_bounds__"});
}

// The first name declared in a segment, or kNoToken; the type precedes it.
TokenIndex first_declared(const File& file, TokenRange range) {
  TokenIndex at = range.begin;
  bool has_type = false;
  while (at < range.end) {
    if (is_name(file, at)) {
      const std::string_view word = file.text(at);
      if (is_no_type(word)) return kNoToken;
      if (takes_parentheses(word) && file.is(at + 1, "(")) {
        const TokenIndex close = file.partner(at + 1);
        if (close == kNoToken || close >= range.end) return kNoToken;
        has_type |= word == "decltype";
        at = close + 1;
        continue;
      }
      const bool ends = at + 1 >= range.end ||
                        is_punctuator(file, at + 1, {"=", ";", ",", "[", "{", "(", ")", ":"});
      if (ends) return has_type ? at : kNoToken;
      has_type = true;
      ++at;
    } else if (file.is(at, "<")) {
      const TokenIndex after = behind_angles(file, at, range.end);
      if (after == at) return kNoToken;
      at = after;
    } else if (is_punctuator(file, at, {"::", "*", "&", "&&"}) && (has_type || file.is(at, "::"))) {
      // A type continues after ::.
      if (file.is(at, "::")) has_type = false;
      ++at;
    } else if (file.is(at, "[") && file.is(at + 1, "[")) {
      const TokenIndex close = file.partner(at);
      if (close == kNoToken || close >= range.end) return kNoToken;
      at = close + 1;
    } else {
      return kNoToken;
    }
  }
  return kNoToken;
}

Variable variable_at(const File& file, TokenIndex name, TokenIndex type_begin, TokenIndex type_end,
                     TokenIndex end) {
  Variable found{.name = name, .type = {type_begin, type_end}};
  TokenIndex at = name + 1;
  while (file.is(at, "[")) {
    found.is_array = true;
    const TokenIndex close = file.partner(at);
    if (close == kNoToken || close >= end) return found;
    at = close + 1;
  }
  found.is_reference = file.is(name - 1, "&") || file.is(name - 1, "*");
  if (opens(file, at) && !file.is(at, "[")) {
    const TokenIndex close = file.partner(at);
    if (close != kNoToken && close < end) found.value = {at + 1, close};
    // Type name{} is a value, too.
    if (found.value.empty() && close != kNoToken) found.value = {at, close + 1};
    return found;
  }
  if (!file.is(at, "=")) return found;
  TokenIndex stop = at + 1;
  while (stop < end && !is_punctuator(file, stop, {";", ","})) {
    const TokenIndex close = opens(file, stop) ? file.partner(stop) : kNoToken;
    stop = close == kNoToken || close >= end ? stop + 1 : close + 1;
  }
  found.value = {at + 1, stop};
  return found;
}

}  // namespace

bool is_name(const File& file, TokenIndex token) {
  return token < file.tokens().size() && file.tokens()[token].kind == Kind::kName;
}

bool is_punctuator(const File& file, TokenIndex token,
                   std::initializer_list<const char*> punctuators) {
  if (token >= file.tokens().size() || file.tokens()[token].kind != Kind::kPunct) return false;
  return std::any_of(punctuators.begin(), punctuators.end(),
                     [&](const char* each) { return file.is(token, each); });
}

std::vector<TokenIndex> places_of(const File& file, std::string_view name) {
  std::vector<TokenIndex> places;
  const auto count = static_cast<TokenIndex>(file.tokens().size());
  for (TokenIndex at = 0; at < count; ++at)
    if (file.tokens()[at].kind == Kind::kName && file.text(at) == name) places.push_back(at);
  return places;
}

std::optional<Constant> literal(const File& file, TokenIndex token) {
  if (token >= file.tokens().size() || file.tokens()[token].kind != Kind::kNumber)
    return std::nullopt;
  std::string digits;
  for (const char byte : file.text(token))
    if (byte != '\'') digits += byte;
  unsigned longs = 0;
  while (!digits.empty() && std::string_view("uUlLzZ").find(digits.back()) != std::string::npos) {
    longs += digits.back() == 'l' || digits.back() == 'L' ? 1U : 0U;
    digits.pop_back();
  }
  int base = 10;
  std::string_view number = digits;
  if (number.size() > 2 && number[0] == '0') {
    const char mark = number[1];
    base = mark == 'x' || mark == 'X' ? 16 : mark == 'b' || mark == 'B' ? 2 : 8;
    number.remove_prefix(base == 8 ? 1 : 2);
  }
  Constant result;
  const auto [end, error] =
      std::from_chars(number.data(), number.data() + number.size(), result.value, base);
  if (error != std::errc() || end != number.data() + number.size() || number.empty())
    return std::nullopt;
  result.bits = longs > 0 || result.value > 0xFFFFFFFF ? 64 : 32;
  return result;
}

TokenRange unwrapped(const File& file, TokenRange expression) {
  while (expression.end - expression.begin >= 2 && file.is(expression.begin, "(") &&
         file.partner(expression.begin) == expression.end - 1)
    expression = {expression.begin + 1, expression.end - 1};
  return expression;
}

std::optional<Constant> constant(const File& file, TokenRange expression) {
  return evaluate(file, expression, kDeepest);
}

bool is_constant(const File& file, TokenRange expression, std::uint64_t value) {
  const auto found = constant(file, expression);
  return found && found->value == value;
}

Bits bits_of_type(const File& file, TokenRange type) {
  Bits bits = Bits::kUnknown;
  unsigned longs = 0;
  for (TokenIndex at = type.begin; at < type.end; ++at) {
    const std::string_view word = file.text(at);
    if (word == "*" || word == "<") return Bits::kUnknown;
    if (word == "&" || word == "::" || word == "std") continue;
    if (is_any(word, {"const", "constexpr", "static", "volatile", "register", "inline",
                      "__shared__", "__device__", "__constant__", "extern"}))
      continue;
    if (word == "auto") return Bits::kAuto;
    if (word == "bool") return Bits::kBool;
    if (word == "long") {
      ++longs;
    } else if (is_any(word, {"int", "unsigned", "signed", "uint", "uint32_t", "int32_t", "short",
                             "char", "uint16_t", "int16_t", "uint8_t", "int8_t", "u32",
                             "uint_fast32_t", "uint32"})) {
      bits = Bits::kNarrow;
    } else if (is_any(word, {"uint64_t", "int64_t", "size_t", "u64", "ulonglong", "uint64",
                             "uintptr_t", "ptrdiff_t"})) {
      return Bits::k64;
    } else {
      return Bits::kUnknown;
    }
  }
  return longs > 0 ? Bits::k64 : bits;
}

TokenRange segment(const File& file, TokenIndex token) {
  const auto last = static_cast<TokenIndex>(file.tokens().size() - 1);
  const auto flags = [&](TokenIndex at) {
    return file.tokens()[at].flags & (kInDirective | kInMacroBody);
  };
  constexpr int kReach = 512;
  TokenIndex begin = token;
  for (int steps = 0; begin > 0 && steps < kReach; ++steps) {
    const TokenIndex before = begin - 1;
    if (flags(before) != flags(token) || is_punctuator(file, before, {";", "{", "}", "(", "["}))
      break;
    if (is_punctuator(file, before, {")", "]"})) {
      const TokenIndex open = file.partner(before);
      if (open == kNoToken || open > before) break;
      // A statement begins after if (…) and for (…).
      if (file.is(before, ")") && open > 0 && is_name(file, open - 1) &&
          is_any(file.text(open - 1), {"if", "for", "while", "switch"}))
        break;
      begin = open;
    } else {
      begin = before;
    }
  }
  TokenIndex end = token;
  for (int steps = 0; end < last && steps < kReach; ++steps) {
    if (flags(end) != flags(token) || is_punctuator(file, end, {";", "}", ")", "]"})) break;
    const TokenIndex close = opens(file, end) ? file.partner(end) : kNoToken;
    end = close == kNoToken || close < end ? end + 1 : close + 1;
  }
  return {begin, end};
}

std::optional<Variable> declared_at(const File& file, TokenIndex name) {
  if (!is_name(file, name) || name == 0) return std::nullopt;
  // Uses far outnumber declarations, which follow a type or a comma.
  const bool may_be = is_name(file, name - 1) ||
                      is_punctuator(file, name - 1, {">", "*", "&", ",", "]", ")", "&&"});
  if (!may_be || !is_punctuator(file, name + 1, {"=", ";", ",", "[", "{", "(", ")", ":"}))
    return std::nullopt;
  TokenRange range = segment(file, name);
  const TokenIndex open = file.enclosing(name);
  const bool is_parameter =
      open != kNoToken && file.is(open, "(") && !(open > 0 && file.text(open - 1) == "for");
  if (is_parameter) {
    for (TokenIndex at = name; at-- > range.begin;) {
      if (is_punctuator(file, at, {")", "]", "}"})) {
        const TokenIndex partner = file.partner(at);
        if (partner == kNoToken || partner > at) break;
        at = partner;
      } else if (file.is(at, ",")) {
        range.begin = at + 1;
        break;
      }
    }
    if (file.is(range.begin, ",")) ++range.begin;
  }
  const TokenIndex first = first_declared(file, range);
  if (first == kNoToken || first > name) return std::nullopt;
  if (first == name) return variable_at(file, name, range.begin, name, range.end);
  if (is_parameter) return std::nullopt;
  for (TokenIndex at = first + 1; at < name; ++at) {
    const TokenIndex close = opens(file, at) ? file.partner(at) : kNoToken;
    if (close != kNoToken && close > at) {
      at = close;
      continue;
    }
    if (!file.is(at, ",")) continue;
    TokenIndex next = at + 1;
    while (is_punctuator(file, next, {"*", "&"})) ++next;
    if (next == name) return variable_at(file, name, range.begin, first, range.end);
  }
  return std::nullopt;
}

std::optional<Variable> declaration_of(const File& file, TokenIndex use) {
  const std::string_view text = file.text(use);
  const Function* function = file.function_at(use);
  const auto is_same = [&](TokenIndex at) {
    const Token& token = file.tokens()[at];
    return token.kind == Kind::kName && token.end - token.begin == text.size() &&
           file.text(at) == text;
  };
  if (function != nullptr) {
    if (!file.effort().spend(use - function->head.begin)) return std::nullopt;
    for (TokenIndex at = use + 1; at-- > function->head.begin;)
      if (is_same(at))
        if (auto found = declared_at(file, at)) return found;
  }
  // Constants of the file, outside all functions.
  if (!file.effort().spend(file.tokens().size())) return std::nullopt;
  for (TokenIndex at = 0; at < file.tokens().size(); ++at) {
    if (!is_same(at) || (file.tokens()[at].flags & kInDirective) != 0) continue;
    if (const Function* other = file.function_at(at); other != nullptr) continue;
    if (auto found = declared_at(file, at)) return found;
  }
  return std::nullopt;
}

}  // namespace hipwright::syntax::cuda
