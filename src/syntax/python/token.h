// SPDX-License-Identifier: MIT
// Tokens of Python 3.8 to 3.14. Whitespace, comments and joined line breaks are between tokens,
// whose spans preserve the whole text. Indentation belongs to statements, not to tokens.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "syntax/names.h"
#include "syntax/problem.h"

namespace hipwright::syntax::python {

using TokenIndex = std::uint32_t;
constexpr TokenIndex kNoToken = ~0U;

enum class Kind : std::uint8_t {
  kName,  // identifiers and keywords alike
  kNumber,
  kString,  // one literal with prefix and quotes, f-strings whole
  kOp,      // operators, brackets, ':' ',' '@' ':=' '->' '...', and bytes that Python does not know
  kNewline,  // the end of a logical line; empty at the end of a text without a line break
  kEnd,      // one, at the end of the text
};

enum Flag : std::uint8_t {
  kFirstOnLine = 1,   // of a line of text, not of a logical line
  kUnterminated = 2,  // a string whose end was guessed
};

struct Token {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  Kind kind = Kind::kEnd;
  std::uint8_t flags = 0;
  // For a registered name, its number. For an operator, its first two characters, the first in the
  // low byte.
  std::uint16_t id = 0;
};

// The id of an operator of one or two characters. ("**" and "**=" have the same one.)
constexpr std::uint16_t op(const char* text) {
  return static_cast<std::uint16_t>(static_cast<unsigned char>(text[0]) |
                                    (text[0] == 0 ? 0 : static_cast<unsigned char>(text[1]) << 8));
}

struct TokenRange {
  TokenIndex begin = 0, end = 0;  // half-open
  bool contains(TokenIndex token) const { return begin <= token && token < end; }
  bool empty() const { return begin >= end; }
  TokenIndex size() const { return empty() ? 0 : end - begin; }
};

struct Comment {
  Span span;        // '#' included
  TokenIndex next;  // the token after it
};

struct Bracket {
  TokenIndex token = 0;
  TokenIndex partner = kNoToken;  // kNoToken if there is none
  TokenIndex around = kNoToken;   // the opening bracket of the enclosing pair
};

struct Hit {
  NameId name = 0;
  TokenIndex token = 0;
};

struct Tokens {
  std::vector<Token> list;        // ends with kNewline (unless there is nothing) and kEnd
  std::vector<TokenIndex> lines;  // the kNewline of every logical line
  std::vector<TokenIndex> semicolons;
  std::vector<Comment> comments;
  std::vector<Bracket> brackets;  // in text order
  std::vector<Hit> hits;          // registered names, in source order
  std::vector<Problem> problems;  // the first ones only
};

// Reads any bytes; the caller rejects texts of 4 GiB and more.
Tokens lex(std::string_view text);

// The end of a string literal whose opening quotes are at `quotes`; nullptr if it is unterminated.
// `end` must follow a line break. Strings in the fields of an f-string may use its quotes.
struct StringEnd {
  const char* at = nullptr;      // past the closing quotes
  const char* looked = nullptr;  // without an end: where the search stopped
};
StringEnd string_end(const char* quotes, const char* end, bool is_formatted, bool is_raw);

// A keyword that can only begin a statement: inside brackets it shows that one of them was never
// closed.
bool only_begins_statements(std::string_view word);
bool is_keyword(std::string_view word);  // hard keywords; not match, case, type, _

}  // namespace hipwright::syntax::python
