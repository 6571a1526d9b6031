// SPDX-License-Identifier: MIT
// Registered names. The lexers number them while they read, so that a rule goes straight to their
// few occurrences, and a file without any of them is skipped.
//
//   const Name kBallot("__ballot");
//   for (const TokenIndex at : file.occurrences(kBallot)) …
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace hipwright::syntax {

using NameId = std::uint16_t;  // 0: not registered

// Define at namespace scope only: the set of names is fixed when main() begins.
class Name {
 public:
  explicit Name(std::string_view text);  // `text` must be a literal
  NameId id() const { return id_; }
  std::string_view text() const;

 private:
  NameId id_;
};

// The number of a name in a text; 0 if it is not registered.
NameId name_id(std::string_view text);
// The same for a name from whose beginning on 16 bytes are readable.
NameId name_id_within(std::string_view name);
std::string_view name_text(NameId id);
std::size_t name_count();  // ids are below this

namespace names_detail {

// Every identifier of every file is looked up and hardly any is found: the slots, never more than
// a quarter full, stay in the first cache.
constexpr std::size_t kSlots = 8192;
extern std::array<NameId, kSlots> slots;

NameId probe(std::size_t slot, std::string_view text);

// Of the first 16 bytes (zeros behind a shorter name), the last 8 of a longer one, and the length.
inline std::size_t slot_of(std::uint64_t low, std::uint64_t high, std::string_view text) {
  if (text.size() > 16) {
    std::uint64_t last = 0;
    std::memcpy(&last, text.data() + text.size() - sizeof(last), sizeof(last));
    high ^= last << 1;
  }
  const std::uint64_t mixed = (low ^ text.size()) * 0x9E3779B97F4A7C15ULL + high;
  return static_cast<std::size_t>((mixed * 0xD6E8FEB86659FD93ULL) >> 51);
}
static_assert(kSlots == std::size_t{1} << (64 - 51));

// All ones in the lowest `bytes` bytes.
constexpr std::uint64_t low_bytes(std::size_t bytes) {
  return bytes >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (bytes * 8)) - 1;
}

}  // namespace names_detail

inline NameId name_id_within(std::string_view name) {
  using namespace names_detail;
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  std::memcpy(&low, name.data(), sizeof(low));
  std::memcpy(&high, name.data() + sizeof(low), sizeof(high));
  low &= low_bytes(name.size());
  high &= low_bytes(name.size() > 8 ? name.size() - 8 : 0);
  const std::size_t slot = slot_of(low, high, name);
  return slots[slot] == 0 ? NameId{0} : probe(slot, name);
}

}  // namespace hipwright::syntax
