// SPDX-License-Identifier: MIT
#include <bit>
#include <cstring>

#include "port/api/table.h"

namespace hipwright::port::api {

namespace {

constexpr std::uint32_t kEmpty = ~0u;

// Eight bytes at a time; the last eight overlap those before them. Millions of identifiers are
// looked up, and most are shorter than sixteen bytes.
std::uint32_t hash_of(std::string_view text) {
  constexpr std::uint64_t kMix = 0x9e3779b97f4a7c15ull;
  std::uint64_t hash = text.size() * kMix;
  const auto mix = [&](const char* at, std::size_t count) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, count);
    hash = (hash ^ word) * kMix;
    hash ^= hash >> 32;
  };
  if (text.size() < 8) {
    mix(text.data(), text.size());
  } else {
    for (std::size_t i = 0; i + 8 < text.size(); i += 8) mix(text.data() + i, 8);
    mix(text.data() + text.size() - 8, 8);
  }
  return static_cast<std::uint32_t>(hash);
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
