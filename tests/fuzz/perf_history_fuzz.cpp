// SPDX-License-Identifier: MIT
// History databases: damage is an error, or leaves values that reports can show.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/json.h"
#include "perf/history/history.h"
#include "perf/history/report.h"

using namespace hipwright;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto history =
      perf::History::of_bytes({reinterpret_cast<const char*>(data), size}, "history.db");
  if (!history) {
    HW_ASSERT(!history.error().message().empty());
    return 0;
  }
  const auto series = history->series();
  if (!series) return 0;
  for (const perf::Series& each : *series) {
    for (const perf::ChangePoint& change : each.changes)
      HW_ASSERT(change.at > 0 && change.at < each.points.size());
    [[maybe_unused]] const auto machine = history->machine(each.key.machine);
  }
  HW_ASSERT(!perf::history_text(*series, true).empty());
  HW_ASSERT(!perf::history_html(*series, "History").empty());
  HW_ASSERT(!json_text(perf::history_json(*series)).empty());
  return 0;
}
