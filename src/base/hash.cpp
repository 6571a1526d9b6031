// SPDX-License-Identifier: MIT
#include "base/hash.h"

#include <fmt/format.h>
#include <xxhash.h>

#include "base/error.h"

namespace hipwright {

std::string Hash128::hex() const {
  return fmt::format("{:016x}{:016x}", high, low);
}

Hash128 hash128(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.high64, hash.low64};
}

Hasher::Hasher() : state_(XXH3_createState()) {
  HW_ASSERT(state_ != nullptr);
  XXH3_128bits_reset(static_cast<XXH3_state_t*>(state_));
}

Hasher::~Hasher() {
  XXH3_freeState(static_cast<XXH3_state_t*>(state_));
}

Hasher& Hasher::field(std::string_view bytes) {
  const std::uint64_t size = bytes.size();
  XXH3_128bits_update(static_cast<XXH3_state_t*>(state_), &size, sizeof size);
  XXH3_128bits_update(static_cast<XXH3_state_t*>(state_), bytes.data(), bytes.size());
  return *this;
}

Hash128 Hasher::finish() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(static_cast<const XXH3_state_t*>(state_));
  return {hash.high64, hash.low64};
}

}  // namespace hipwright
