// SPDX-License-Identifier: MIT
// Connects a request to its entries: for each recently compiled set of include contents, the name
// of the entry built from it. One manifest file per request.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/hash.h"
#include "toolchain/cache/include_set.h"

namespace hipwright::toolchain {

struct Manifest {
  struct Alternative {
    Hash128 entry;
    IncludeSet includes;
  };
  static constexpr std::size_t kMaxAlternatives = 16;

  std::vector<Alternative> alternatives;  // newest first

  // Moves it to the front, replacing one that leads to the same entry; drops the oldest.
  void remember(Alternative alternative);
};

std::string encode_manifest(const Manifest& manifest);
Result<Manifest> decode_manifest(std::string_view file_bytes);

}  // namespace hipwright::toolchain
