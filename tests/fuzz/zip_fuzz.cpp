// SPDX-License-Identifier: MIT
// Any bytes are an archive or an error, and every member unpacks to its size or is an error.
#include <cstdint>

#include "ci/wheel/zip.h"

using namespace hipwright;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto members = ci::zip_members(bytes, "archive");
  if (!members) {
    HW_ASSERT(!members.error().message().empty());
    return 0;
  }
  std::size_t left = 16;
  for (const ci::ZipMember& member : *members) {
    if (left-- == 0) break;
    if (const auto content = ci::unpack(bytes, member, "archive"))
      HW_ASSERT(content->size() == member.size);
  }
  return 0;
}
