// SPDX-License-Identifier: MIT
#include "port/api/api.h"

#include <bit>

#include <fmt/format.h>

#include "port/api/table.h"

namespace hipwright::port::api {

namespace {

// Cheap and good enough for identifiers: most share their first letters, so the last ones and the
// length count too.
std::uint32_t hash_of(std::string_view text) {
  std::uint64_t hash = text.size() * 0x9e3779b97f4a7c15ull;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  return static_cast<std::uint32_t>(hash ^ (hash >> 32));
}

// Open addressing; a slot keeps the hash, so that a miss seldom reads a name.
class Index {
 public:
  void reserve(std::size_t count) {
    slots_.assign(std::bit_ceil(count * 2 + 1), {0, kEmpty});
    mask_ = slots_.size() - 1;
  }

  // The entry that already has this name, or null after it was added.
  const Entry* add(const std::vector<Entry>& entries, std::uint32_t index) {
    const std::uint32_t hash = hash_of(entries[index].cuda);
    std::size_t at = hash & mask_;
    for (; slots_[at].index != kEmpty; at = (at + 1) & mask_)
      if (slots_[at].hash == hash && entries[slots_[at].index].cuda == entries[index].cuda)
        return &entries[slots_[at].index];
    slots_[at] = {hash, index};
    return nullptr;
  }

  const Entry* find(const std::vector<Entry>& entries, std::string_view name) const {
    const std::uint32_t hash = hash_of(name);
    for (std::size_t at = hash & mask_; slots_[at].index != kEmpty; at = (at + 1) & mask_)
      if (slots_[at].hash == hash && entries[slots_[at].index].cuda == name)
        return &entries[slots_[at].index];
    return nullptr;
  }

 private:
  static constexpr std::uint32_t kEmpty = ~0u;
  struct Slot {
    std::uint32_t hash;
    std::uint32_t index;
  };
  std::vector<Slot> slots_;
  std::size_t mask_ = 0;
};

struct Book {
  Tables tables;
  Index index;
  std::vector<const Entry*> families;  // headers whose names end in '*'

  Book() {
    auto read = read_tables(embedded_tables());
    // They are part of the binary and under test: only a broken build gets here.
    if (!read) bug(read.error().message(), __FILE__, __LINE__);
    tables = std::move(*read);
    index.reserve(tables.entries.size());
    for (std::uint32_t i = 0; i < tables.entries.size(); ++i) {
      const Entry& entry = tables.entries[i];
      if (const Entry* other = index.add(tables.entries, i))
        bug(fmt::format("'{}' is in the tables of {} and of {}", entry.cuda,
                        name_of(other->library), name_of(entry.library)),
            __FILE__, __LINE__);
      if (entry.kind == Kind::kHeader && entry.cuda.ends_with('*')) families.push_back(&entry);
    }
  }
};

const Book& book() {
  static const Book instance;
  return instance;
}

}  // namespace

const Entry* find(std::string_view cuda_name) {
  const Book& b = book();
  const Entry* entry = b.index.find(b.tables.entries, cuda_name);
  return entry != nullptr && entry->kind != Kind::kHeader ? entry : nullptr;
}

const Entry* find(std::string_view cuda_name, Kind kind) {
  const Book& b = book();
  const Entry* entry = b.index.find(b.tables.entries, cuda_name);
  return entry != nullptr && entry->kind == kind ? entry : nullptr;
}

const Entry* find_header(std::string_view path) {
  const Book& b = book();
  const Entry* entry = b.index.find(b.tables.entries, path);
  if (entry != nullptr) return entry->kind == Kind::kHeader ? entry : nullptr;
  const Entry* best = nullptr;  // the longest: "cub/block/*" before "cub/*"
  for (const Entry* family : b.families)
    if (path.starts_with(family->cuda.substr(0, family->cuda.size() - 1)) &&
        (best == nullptr || best->cuda.size() < family->cuda.size()))
      best = family;
  return best;
}

std::string header_path(const Entry& header, std::string_view path) {
  if (!header.hip.ends_with('*')) return std::string(header.hip);
  const std::string_view rest = path.substr(std::min(header.cuda.size() - 1, path.size()));
  return fmt::format("{}{}", header.hip.substr(0, header.hip.size() - 1), rest);
}

std::span<const Entry> all() {
  return book().tables.entries;
}

}  // namespace hipwright::port::api
