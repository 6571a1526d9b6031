// SPDX-License-Identifier: MIT
// Tests of single tokens; a position outside the file matches nothing.
#pragma once

#include "syntax/python/state.h"

namespace hipwright::syntax::python {

inline bool is_op(const File& file, TokenIndex token, std::uint16_t id) {
  const std::vector<Token>& list = file.state().tokens.list;
  return token < list.size() && list[token].kind == Kind::kOp && list[token].id == id;
}

inline bool is_word(const File& file, TokenIndex token, std::string_view word) {
  const File::State& state = file.state();
  if (token >= state.tokens.list.size()) return false;
  const Token& at = state.tokens.list[token];
  return at.kind == Kind::kName && at.end - at.begin == word.size() &&
         state.text.substr(at.begin, word.size()) == word;
}

}  // namespace hipwright::syntax::python
