// SPDX-License-Identifier: MIT
// Tokens of either language in one form, for comparison: no blanks, no comments, and one break at
// the end of each statement.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "project/language.h"

namespace hipwright::lint::like {

enum class Kind : std::uint8_t {
  kBreak,  // ; { } of blocks, the end of a logical line, the edge of a preprocessor line
  kPunct,
  kKeyword,
  kName,
  kNumber,
  kString,
};

// The role of a name, from its position.
enum class Role : std::uint8_t {
  kVariable,  // could have any other name
  kCallee,    // f(…)
  kMember,    // .name, ->name, ::name, name::
  kKeyword,   // name=… of a call
  kType,      // name name
  kConstant,  // NAME
};

constexpr std::uint32_t kNone = ~0U;

struct Token {
  std::uint32_t begin = 0, end = 0;  // bytes; for a break, its position
  Kind kind = Kind::kBreak;
  Role role = Role::kVariable;    // of names
  std::uint32_t partner = kNone;  // of brackets that are closed
  std::uint32_t around = kNone;   // the innermost open bracket
};

// `text` is not copied.
struct Stream {
  std::string_view text;
  std::vector<Token> tokens;

  std::string_view of(std::uint32_t token) const {
    return text.substr(tokens[token].begin, tokens[token].end - tokens[token].begin);
  }
};

// Half-open.
struct Range {
  std::uint32_t begin = 0, end = 0;
  bool empty() const { return begin >= end; }
  std::uint32_t size() const { return empty() ? 0 : end - begin; }
  bool contains(std::uint32_t at) const { return begin <= at && at < end; }
  friend bool operator==(const Range&, const Range&) = default;
};

// `language` must not be kNone.
Stream read_stream(std::string_view text, project::Language language);

// The statement (the tokens between two breaks) around a token that is not a break.
Range unit_at(const Stream& stream, std::uint32_t token);

// Two tokens are the same if their keys are equal: quotes, string prefixes and number suffixes do
// not count.
std::string key_of(std::string_view text, Kind kind);

// The tokens as one line, with conventional blanks.
std::string joined(const Stream& stream, Range range);

}  // namespace hipwright::lint::like
