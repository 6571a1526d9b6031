// SPDX-License-Identifier: MIT
#include "syntax/names.h"

#include <array>
#include <cstring>

#include "base/error.h"

namespace hipwright::syntax {

namespace {

// Open addressing over a power of two that is never more than a quarter full: names are looked up
// for every identifier of every file.
struct Table {
  static constexpr std::size_t kSlots = 8192;
  struct Slot {
    std::string_view text;
    NameId id = 0;
  };
  std::array<Slot, kSlots> slots{};
  std::array<std::string_view, kSlots / 4> texts{};
  std::size_t count = 1;  // 0 is nobody's
};

// Function-local, because names are made by static objects of other files.
Table& table() {
  static Table instance;
  return instance;
}

std::size_t hash(std::string_view text) {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  const std::size_t head = text.size() < 8 ? text.size() : 8;
  std::memcpy(&first, text.data(), head);
  std::memcpy(&last, text.data() + text.size() - head, head);
  const std::uint64_t mixed = (first ^ (last << 1) ^ text.size()) * 0x9E3779B97F4A7C15ULL;
  return static_cast<std::size_t>(mixed >> 51);
}
static_assert(Table::kSlots == std::size_t{1} << (64 - 51));

Table::Slot& find(Table& in, std::string_view text) {
  std::size_t at = hash(text);
  while (in.slots[at].id != 0 && in.slots[at].text != text) at = (at + 1) % Table::kSlots;
  return in.slots[at];
}

}  // namespace

Name::Name(std::string_view text) {
  Table& all = table();
  Table::Slot& slot = find(all, text);
  if (slot.id == 0) {
    HW_ASSERT(all.count < all.texts.size());
    slot = {text, static_cast<NameId>(all.count)};
    all.texts[all.count++] = text;
  }
  id_ = slot.id;
}

std::string_view Name::text() const {
  return name_text(id_);
}

NameId name_id(std::string_view text) {
  return find(table(), text).id;
}

std::string_view name_text(NameId id) {
  return table().texts[id];
}

std::size_t name_count() {
  return table().count;
}

}  // namespace hipwright::syntax
