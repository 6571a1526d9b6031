// SPDX-License-Identifier: MIT
// Reads ZIP archives as wheels are: stored and deflated members, ZIP64, no encryption. Every offset
// and size is checked before use.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace hipwright::ci {

struct ZipMember {
  std::string name;
  unsigned method = 0;  // 0 stored, 8 deflated
  std::uint64_t packed = 0, size = 0;
  std::uint64_t header = 0;  // offset of its local header
};

Result<std::vector<ZipMember>> zip_members(std::string_view archive, const std::string& origin);

// The member's bytes. An error if it unpacks to anything but its stated size.
Result<std::string> unpack(std::string_view archive, const ZipMember& member,
                           const std::string& origin);

}  // namespace hipwright::ci
