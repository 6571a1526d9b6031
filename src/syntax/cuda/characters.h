// SPDX-License-Identifier: MIT
// The lexer's tables of bytes and punctuators.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "syntax/cuda/token.h"

namespace hipwright::syntax::cuda {

enum Class : std::uint8_t {
  kOther,  // a punctuator of one byte that nothing extends
  kBlank,
  kLineBreak,
  kIdent,
  kDigit,
  kQuote,
  kApostrophe,
  kSlash,
  kBracket,
  kDot,
  kBackslash,  // from here on: what may continue an operator
  kOperator,
};

constexpr std::array<Class, 256> make_classes() {
  std::array<Class, 256> classes{};
  for (unsigned c = 0x80; c < 0x100; ++c) classes[c] = kIdent;
  for (unsigned c = 'a'; c <= 'z'; ++c) classes[c] = classes[c - 'a' + 'A'] = kIdent;
  for (unsigned c = '0'; c <= '9'; ++c) classes[c] = kDigit;
  for (const unsigned char c : {'_', '$'}) classes[c] = kIdent;
  for (const unsigned char c : {' ', '\t', '\r', '\v', '\f'}) classes[c] = kBlank;
  for (const unsigned char c : {'(', ')', '[', ']', '{', '}', ';'}) classes[c] = kBracket;
  for (const char c : std::string_view("+-*%&|^=!<>:#"))
    classes[static_cast<unsigned>(c)] = kOperator;
  classes['\n'] = kLineBreak;
  classes['"'] = kQuote;
  classes['\''] = kApostrophe;
  classes['/'] = kSlash;
  classes['\\'] = kBackslash;
  classes['.'] = kDot;
  return classes;
}

constexpr std::array<Class, 256> kClasses = make_classes();

constexpr unsigned char byte(char c) {
  return static_cast<unsigned char>(c);
}

// The id of the punctuator that a digraph stands for; 0 if it is not a digraph.
constexpr std::uint16_t digraph(std::string_view text) {
  if (text == "<:") return punct("[");
  if (text == ":>") return punct("]");
  if (text == "<%") return punct("{");
  if (text == "%>") return punct("}");
  if (text == "%:") return punct("#");
  if (text == "%:%:") return punct("##");
  return 0;
}

// How many of the characters (which begin with an operator) make one punctuator.
constexpr std::size_t punct_length(std::string_view text) {
  const auto at = [&](std::size_t i) { return i < text.size() ? text[i] : '\0'; };
  const char first = text[0];
  const char second = at(1);
  switch (first) {
    case '<':
      if (second == '<') return at(2) == '<' || at(2) == '=' ? 3 : 2;
      if (second == '=') return at(2) == '>' ? 3 : 2;
      if (second == ':') return at(2) == ':' && at(3) != ':' && at(3) != '>' ? 1 : 2;
      return second == '%' ? 2 : 1;
    case '>':
      if (second == '>') return at(2) == '>' || at(2) == '=' ? 3 : 2;
      return second == '=' ? 2 : 1;
    case '-':
      if (second == '>') return at(2) == '*' ? 3 : 2;
      return second == '-' || second == '=' ? 2 : 1;
    case '+':
    case '&':
    case '|':
      return second == first || second == '=' ? 2 : 1;
    case ':':
      return second == ':' || second == '>' ? 2 : 1;
    case '#':
      return second == '#' ? 2 : 1;
    case '%':
      if (second == ':') return at(2) == '%' && at(3) == ':' ? 4 : 2;
      return second == '>' || second == '=' ? 2 : 1;
    case '.':
      return second == '.' && at(2) == '.' ? 3 : second == '*' ? 2 : 1;
    default:  // * / ^ = !
      return second == '=' ? 2 : 1;
  }
}

}  // namespace hipwright::syntax::cuda
