// SPDX-License-Identifier: MIT
#include "syntax/python/name_index.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace hipwright::syntax::python {

namespace {

// Of the first sixteen bytes, the last eight and the length.
std::uint64_t hash(std::string_view name, bool has_sixteen_behind) {
  std::uint64_t parts[2] = {};
  if (has_sixteen_behind) {
    std::memcpy(parts, name.data(), sizeof(parts));
    parts[0] &= names_detail::low_bytes(name.size());
    parts[1] &= names_detail::low_bytes(name.size() > 8 ? name.size() - 8 : 0);
  } else {
    std::memcpy(parts, name.data(), std::min(name.size(), sizeof(parts)));
  }
  std::uint64_t last = 0;
  if (name.size() > 16) std::memcpy(&last, name.data() + name.size() - 8, 8);
  const std::uint64_t mixed =
      ((parts[0] ^ name.size()) * 0x9E3779B97F4A7C15ULL + (parts[1] ^ last << 1)) *
      0xD6E8FEB86659FD93ULL;
  return mixed >> 32;
}

}  // namespace

NameIndex::NameIndex(std::string_view text, const std::vector<Token>& tokens)
    : text_(text),
      tokens_(tokens),
      slots_(std::bit_ceil(tokens.size() + 16), kNoToken),
      next_(tokens.size(), kNoToken) {
  std::vector<TokenIndex> last(slots_.size(), kNoToken);
  for (TokenIndex at = 0; at < tokens.size(); ++at) {
    if (tokens[at].kind != Kind::kName) continue;
    const std::size_t slot = slot_of(word(at), text.size() - tokens[at].begin >= 16);
    if (slots_[slot] == kNoToken) {
      slots_[slot] = at;
    } else {
      next_[last[slot]] = at;
    }
    last[slot] = at;
  }
}

TokenIndex NameIndex::first(std::string_view name) const {
  return slots_[slot_of(name, false)];
}

std::string_view NameIndex::word(TokenIndex token) const {
  return text_.substr(tokens_[token].begin, tokens_[token].end - tokens_[token].begin);
}

std::size_t NameIndex::slot_of(std::string_view name, bool has_sixteen_behind) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash(name, has_sixteen_behind) & mask;
  while (slots_[slot] != kNoToken && word(slots_[slot]) != name) slot = (slot + 1) & mask;
  return slot;
}

}  // namespace hipwright::syntax::python
