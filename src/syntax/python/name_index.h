// SPDX-License-Identifier: MIT
// All places of any name of a file: what occurrences() is for the names that rules know beforehand.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "syntax/python/token.h"

namespace hipwright::syntax::python {

class NameIndex {
 public:
  NameIndex(std::string_view text, const std::vector<Token>& tokens);

  TokenIndex first(std::string_view name) const;  // kNoToken: it is nowhere
  TokenIndex next(TokenIndex token) const { return next_[token]; }

 private:
  // `has_sixteen_behind`: sixteen bytes can be read from the name's begin on.
  std::size_t slot_of(std::string_view name, bool has_sixteen_behind) const;
  std::string_view word(TokenIndex token) const;

  std::string_view text_;
  const std::vector<Token>& tokens_;
  std::vector<TokenIndex> slots_;  // the first place of each name, or kNoToken
  std::vector<TokenIndex> next_;   // of each name token: the next place of the same name
};

}  // namespace hipwright::syntax::python
