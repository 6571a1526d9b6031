// SPDX-License-Identifier: MIT
// Tokens of CUDA and HIP C++. Whitespace and comments are between tokens, whose spans preserve the
// whole text.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "syntax/names.h"
#include "syntax/problem.h"

namespace hipwright::syntax::cuda {

using TokenIndex = std::uint32_t;
constexpr TokenIndex kNoToken = ~0U;

enum class Kind : std::uint8_t {
  kName,  // identifiers and keywords alike
  kNumber,
  kString,  // prefix, suffix and raw strings included; the <…> of an #include too
  kChar,
  kPunct,  // the longest match; the <<< and >>> of a launch are one token each
  kEnd,    // one, at the end of the text
};

enum Flag : std::uint8_t {
  kFirstOnLine = 1,
  kInDirective = 2,  // of a preprocessor line, '#' included; macro bodies too
  kInMacroBody = 4,  // of a #define, after its name and parameters
  kSpliced = 8,      // a backslash and a line break lie inside: compare with spelling()
};

struct Token {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  Kind kind = Kind::kEnd;
  std::uint8_t flags = 0;
  // For a registered name, its number. For a punctuator, its first two characters, the first in the
  // low byte. A digraph has the id of its equivalent.
  std::uint16_t id = 0;
};

constexpr std::uint16_t punct(const char* text) {
  return static_cast<std::uint16_t>(static_cast<unsigned char>(text[0]) |
                                    (text[0] == 0 ? 0 : static_cast<unsigned char>(text[1]) << 8));
}

struct Comment {
  Span span;        // "//" or "/*" included
  TokenIndex next;  // the token after it
};

struct Tokens {
  std::vector<Token> list;  // ends with kEnd
  std::vector<Comment> comments;
  std::vector<TokenIndex> directives;  // the '#' of every preprocessor line
  std::vector<TokenIndex> named;       // registered names
  std::vector<Problem> problems;
};

// Reads any bytes; the caller rejects texts of 4 GiB and more. `>>>` closes a launch only if a
// `<<<` is open; otherwise it closes templates.
Tokens lex(std::string_view text);

}  // namespace hipwright::syntax::cuda
