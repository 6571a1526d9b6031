// SPDX-License-Identifier: MIT
// All occurrences of any name of a file, as occurrences() provides them for registered names.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "syntax/python/token.h"

namespace hipwright::syntax::python {

class NameIndex {
 public:
  NameIndex(std::string_view text, const std::vector<Token>& tokens);

  TokenIndex first(std::string_view name) const;  // kNoToken if there is none
  TokenIndex next(TokenIndex token) const { return next_[token]; }

 private:
  // `has_sixteen_behind`: sixteen bytes are readable from the beginning of the name on.
  std::size_t slot_of(std::string_view name, bool has_sixteen_behind) const;
  std::string_view word(TokenIndex token) const;

  std::string_view text_;
  const std::vector<Token>& tokens_;
  std::vector<TokenIndex> slots_;  // the first place of each name, or kNoToken
  std::vector<TokenIndex> next_;   // of each name token: the next place of the same name
};

}  // namespace hipwright::syntax::python
