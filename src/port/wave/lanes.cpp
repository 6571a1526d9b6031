// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "port/wave/group.h"

namespace hipwright::port {

using cu::TokenIndex;
using cu::TokenRange;

std::string type_text(const cu::File& file, TokenRange type) {
  static constexpr std::array kLeftOut = {
      "const",    "static",     "inline",    "__inline__", "__forceinline__", "__device__",
      "__host__", "__shared__", "constexpr", "extern",     "__noinline__",    "__global__"};
  std::string text;
  for (TokenIndex at = type.begin; at < type.end; ++at) {
    const std::string_view word = file.text(at);
    if (std::find(kLeftOut.begin(), kLeftOut.end(), word) != kLeftOut.end()) continue;
    if (!text.empty()) text += ' ';
    text += word;
  }
  return text == "unsigned" ? "unsigned int" : text;
}

bool Lanes::is_number(TokenIndex at, std::uint64_t value) const {
  const auto found = cu::literal(file_, at);
  return found && found->value == value;
}

bool Lanes::is_size(TokenRange expression) const {
  const TokenRange inside = cu::unwrapped(file_, expression);
  if (inside.end - inside.begin != 1) return false;
  return is_number(inside.begin, 32) || file_.text(inside.begin) == "warpSize" ||
         group_.sizes_.contains(file_.text(inside.begin));
}

bool Lanes::is_full_mask(TokenRange expression) const {
  const auto value = cu::constant(file_, expression);
  return value && (value->value == 0xFFFFFFFF || value->value == ~std::uint64_t{0});
}

bool Lanes::is_fixed(std::string_view name) const {
  int declared = 0;
  for (TokenIndex at = function_.head.begin; at < function_.body.end; ++at) {
    if (!cu::is_name(file_, at) || file_.text(at) != name) continue;
    if (at > 0 && cu::is_punctuator(file_, at - 1, {".", "->", "::"})) continue;
    if (cu::declared_at(file_, at)) {
      ++declared;
      if (file_.is(at - 1, "&") || file_.is(at - 1, "*")) return false;
      continue;
    }
    if (cu::is_punctuator(
            file_, at + 1,
            {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"}) ||
        cu::is_punctuator(file_, at - 1, {"++", "--"}) || is_handed_over(at))
      return false;
    // Its address; & between two values is an operation.
    if (file_.is(at - 1, "&") && !cu::is_name(file_, at - 2) &&
        !cu::is_punctuator(file_, at - 2, {")", "]"}) &&
        cu::is_punctuator(file_, at + 1, {",", ")", ";"}))
      return false;
  }
  return declared == 1;
}

// f(x): f may take a reference.
bool Lanes::is_handed_over(TokenIndex at) const {
  if (!cu::is_punctuator(file_, at - 1, {"(", ","}) ||
      !cu::is_punctuator(file_, at + 1, {")", ","}))
    return false;
  const TokenIndex open = file_.enclosing(at);
  if (open == cu::kNoToken || open == 0 || !file_.is(open, "(") || !cu::is_name(file_, open - 1))
    return false;
  const std::string_view callee = file_.text(open - 1);
  static constexpr std::array kHarmless = {"if",  "while", "for",   "return", "min",
                                           "max", "fmaxf", "fminf", "sizeof"};
  return !callee.starts_with("atomic") && !group_.known_.contains(callee) &&
         std::find(kHarmless.begin(), kHarmless.end(), callee) == kHarmless.end();
}

bool Lanes::is_thread(TokenRange expression) const {
  const TokenRange inside = cu::unwrapped(file_, expression);
  if (file_.text(inside) == "threadIdx.x") return true;
  if (inside.end - inside.begin != 1 || !cu::is_name(file_, inside.begin)) return false;
  const auto variable = cu::declaration_of(file_, inside.begin);
  return variable && !variable->is_array && function_.body.contains(variable->name) &&
         file_.text(cu::unwrapped(file_, variable->value)) == "threadIdx.x" &&
         cu::bits_of_type(file_, variable->type) != cu::Bits::kUnknown &&
         is_fixed(file_.text(inside.begin));
}

// `of` OP size, `of` OP bits
bool Lanes::is_split(TokenRange expression, const char* by_size, const char* by_bits,
                     std::uint64_t bits, TokenRange& of) const {
  const TokenRange inside = cu::unwrapped(file_, expression);
  if (inside.end - inside.begin < 3) return false;
  const TokenIndex op = inside.end - 2;
  of = {inside.begin, op};
  return (file_.is(op, by_size) && is_size({op + 1, inside.end})) ||
         (file_.is(op, by_bits) && is_number(op + 1, bits));
}
bool Lanes::is_lane(TokenRange expression) const {
  TokenRange of;
  return is_split(expression, "%", "&", 31, of) && is_thread(of);
}
bool Lanes::is_warp(TokenRange expression) const {
  TokenRange of;
  return is_split(expression, "/", ">>", 5, of) && is_thread(of);
}
bool Lanes::is_warp_count(TokenRange expression) const {
  TokenRange of;
  return is_split(expression, "/", ">>", 5, of) &&
         file_.text(cu::unwrapped(file_, of)) == "blockDim.x";
}

void Lanes::write_size(TokenRange size) {
  const TokenRange inside = cu::unwrapped(file_, size);
  group_.accept(*which_.source, inside.begin);
  if (is_number(inside.begin, 32)) replace(inside, std::string(kWaveSize));
}

void Lanes::write_mask(TokenRange mask) {
  replace(mask, "~0ull");
}

void Lanes::write_split(TokenRange expression) {
  const TokenRange inside = cu::unwrapped(file_, expression);
  const TokenIndex op = inside.end - 2;
  if (file_.is(op, "&"))
    replace({op + 1, inside.end}, fmt::format("({} - 1)", kWaveSize));
  else if (file_.is(op, ">>"))
    replace({op, inside.end}, fmt::format("/ {}", kWaveSize));
  else
    write_size({op + 1, inside.end});
}

}  // namespace hipwright::port
