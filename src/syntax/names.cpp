// SPDX-License-Identifier: MIT
#include "syntax/names.h"

#include <algorithm>

#include "base/error.h"

namespace hipwright::syntax {

namespace names_detail {

// Static objects of other files create names: these variables must exist before all of them.
constinit std::array<NameId, kSlots> slots{};

}  // namespace names_detail

namespace {

using names_detail::kSlots;
using names_detail::slots;

constinit std::array<std::string_view, kSlots / 4> texts{};
constinit std::size_t count = 1;  // 0 is not a name

std::size_t slot_of(std::string_view text) {
  std::array<std::uint64_t, 2> first{};
  std::memcpy(first.data(), text.data(), std::min(text.size(), sizeof(first)));
  return names_detail::slot_of(first[0], first[1], text);
}

// The slot that holds the text, or the empty one that ends its chain.
std::size_t find(std::size_t slot, std::string_view text) {
  while (slots[slot] != 0 && texts[slots[slot]] != text) slot = (slot + 1) % kSlots;
  return slot;
}

}  // namespace

Name::Name(std::string_view text) {
  NameId& slot = slots[find(slot_of(text), text)];
  if (slot == 0) {
    HW_ASSERT(count < texts.size());
    slot = static_cast<NameId>(count);
    texts[count++] = text;
  }
  id_ = slot;
}

std::string_view Name::text() const {
  return name_text(id_);
}

NameId names_detail::probe(std::size_t slot, std::string_view text) {
  return slots[find(slot, text)];
}

NameId name_id(std::string_view text) {
  return slots[find(slot_of(text), text)];
}

std::string_view name_text(NameId id) {
  return texts[id];
}

std::size_t name_count() {
  return count;
}

}  // namespace hipwright::syntax
