// SPDX-License-Identifier: MIT
#include <bit>

#include "port/api/table.h"

namespace hipwright::port::api {

namespace {

constexpr std::uint32_t kEmpty = ~0u;

std::uint32_t hash_of(std::string_view text) {
  std::uint64_t hash = text.size() * 0x9e3779b97f4a7c15ull;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  return static_cast<std::uint32_t>(hash ^ (hash >> 32));
}

}  // namespace

void Index::reserve(std::size_t count) {
  slots_.assign(std::bit_ceil(count * 2 + 1), {0, kEmpty});
  mask_ = slots_.size() - 1;
}

const Entry* Index::add(const std::vector<Entry>& entries, std::size_t index) {
  const std::uint32_t hash = hash_of(entries[index].cuda);
  std::size_t at = hash & mask_;
  for (; slots_[at].index != kEmpty; at = (at + 1) & mask_)
    if (slots_[at].hash == hash && entries[slots_[at].index].cuda == entries[index].cuda)
      return &entries[slots_[at].index];
  slots_[at] = {hash, static_cast<std::uint32_t>(index)};
  return nullptr;
}

const Entry* Index::find(const std::vector<Entry>& entries, std::string_view name) const {
  const std::uint32_t hash = hash_of(name);
  for (std::size_t at = hash & mask_; slots_[at].index != kEmpty; at = (at + 1) & mask_)
    if (slots_[at].hash == hash && entries[slots_[at].index].cuda == name)
      return &entries[slots_[at].index];
  return nullptr;
}

}  // namespace hipwright::port::api
