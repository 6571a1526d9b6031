// SPDX-License-Identifier: MIT
// 128-bit content hash (XXH3): names things and detects damage. Not a defence against forgery.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hipwright {

struct Hash128 {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  std::string hex() const;  // 32 characters
  friend bool operator==(const Hash128&, const Hash128&) = default;
  friend auto operator<=>(const Hash128&, const Hash128&) = default;
};

Hash128 hash128(std::string_view bytes);

// Feeds fields one after the other. Each is preceded by its length, so that ("ab","c") and
// ("a","bc") differ.
class Hasher {
 public:
  Hasher();
  Hasher(const Hasher&) = delete;
  Hasher& operator=(const Hasher&) = delete;
  ~Hasher();

  Hasher& field(std::string_view bytes);
  Hash128 finish() const;

 private:
  void* state_;
};

}  // namespace hipwright
