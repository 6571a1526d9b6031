// SPDX-License-Identifier: MIT
// Lists of benchmarks: every item has a command and a name of its own.
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

#include "perf/measure/benchmark_list.h"

using namespace hipwright;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text(reinterpret_cast<const char*>(data), size);
  // Other files are not part of the input.
  for (char& c : text)
    if (c == '@') c = 'a';
  const auto items = perf::parse_list(text, "list");
  if (!items) {
    HW_ASSERT(!items.error().message().empty());
    return 0;
  }
  std::set<std::string> names;
  for (const perf::Item& each : *items) {
    HW_ASSERT(!each.argv.empty() && !each.argv.front().empty() && !each.name.empty());
    HW_ASSERT(names.insert(each.name).second);
  }
  return 0;
}
