// SPDX-License-Identifier: MIT
// Any text as the output of git diff: it is understood or an error, and every changed range is one.
#include <cstdint>

#include "lint/since.h"

using namespace hipwright;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto changed = lint::parse_changes(text);
  if (!changed) {
    HW_ASSERT(!changed.error().why.empty());
    return 0;
  }
  std::size_t lines = 0;
  for (const auto& [path, ranges] : changed->files)
    for (const lint::LineRange& range : ranges) {
      HW_ASSERT(range.first <= range.last && changed->touches(path, range.last, range.last));
      lines += range.last - range.first + 1;
    }
  HW_ASSERT(lines <= size);
  return 0;
}
