// SPDX-License-Identifier: MIT
// Any bytes are a table or an error with file and line; entries point into what they were made of,
// and their calls can be rewritten with any number of arguments.
#include <cstdint>
#include <string_view>
#include <vector>

#include "port/api/table.h"

using namespace hipwright;
using namespace hipwright::port::api;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto tables = read_tables({{"fuzz", text}});
  if (!tables) {
    HW_ASSERT(tables.error().on.starts_with("fuzz:") && !tables.error().why.empty());
    return 0;
  }
  const std::vector<std::string_view> arguments(12, "x");
  for (const Entry& entry : tables->entries) {
    HW_ASSERT(!entry.cuda.empty() && tables->index.find(tables->entries, entry.cuda) == &entry);
    HW_ASSERT(entry.since < entry.until || entry.since == kNoRelease);
    for (std::size_t count = 0; count <= arguments.size(); ++count)
      static_cast<void>(rewritten_call(entry, std::span(arguments).first(count)));
    static_cast<void>(header_path(entry, text));
  }
  return 0;
}
