// SPDX-License-Identifier: MIT
#include "syntax/python/name_index.h"

#include <bit>
#include <functional>

namespace hipwright::syntax::python {

NameIndex::NameIndex(std::string_view text, const std::vector<Token>& tokens)
    : text_(text),
      tokens_(tokens),
      slots_(std::bit_ceil(tokens.size() + 16), kNoToken),
      next_(tokens.size(), kNoToken) {
  std::vector<TokenIndex> last(slots_.size(), kNoToken);
  for (TokenIndex at = 0; at < tokens.size(); ++at) {
    if (tokens[at].kind != Kind::kName) continue;
    const std::size_t slot = slot_of(word(at));
    if (slots_[slot] == kNoToken) {
      slots_[slot] = at;
    } else {
      next_[last[slot]] = at;
    }
    last[slot] = at;
  }
}

TokenIndex NameIndex::first(std::string_view name) const {
  return slots_[slot_of(name)];
}

std::string_view NameIndex::word(TokenIndex token) const {
  return text_.substr(tokens_[token].begin, tokens_[token].end - tokens_[token].begin);
}

std::size_t NameIndex::slot_of(std::string_view name) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = std::hash<std::string_view>{}(name)&mask;
  while (slots_[slot] != kNoToken && word(slots_[slot]) != name) slot = (slot + 1) & mask;
  return slot;
}

}  // namespace hipwright::syntax::python
