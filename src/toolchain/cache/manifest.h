// SPDX-License-Identifier: MIT
// What connects a request to its entries: for each set of include contents that was ever compiled
// (of late), the name of the entry made from it. One manifest file per request.
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

  // Puts it first, in the place of one that leads to the same entry; the oldest falls out.
  void remember(Alternative alternative);
};

std::string encode_manifest(const Manifest& manifest);
Result<Manifest> decode_manifest(std::string_view file_bytes);

}  // namespace hipwright::toolchain
