// SPDX-License-Identifier: MIT
// Records and rocm_profile.json files: what is accepted is the same after it is written and read
// again, and compares with itself without a regression.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/json.h"
#include "perf/compare/compare.h"
#include "perf/compare/report.h"
#include "perf/record/record.h"
#include "perf/record/rocm_profile.h"

using namespace hipwright;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 65536) return 0;  // comparing draws thousands of samples
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto record = perf::parse_record(text, "r.json");
  if (!record) {
    HW_ASSERT(!record.error().message().empty());
    return 0;
  }
  const std::string written = json_text(perf::record_json(*record));
  const auto again = perf::parse_record(written, "again");
  HW_ASSERT(again && json_text(perf::record_json(*again)) == written);
  const auto comparison = perf::compare(*record, *again);
  HW_ASSERT(comparison.count(perf::Verdict::kRegressed) == 0);
  HW_ASSERT(comparison.count(perf::Verdict::kImproved) == 0);
  HW_ASSERT(!perf::comparison_text(comparison, true).empty());
  HW_ASSERT(!perf::comparison_markdown(comparison).empty());
  HW_ASSERT(!json_text(perf::comparison_json(comparison)).empty());
  HW_ASSERT(!json_text(perf::profile_json(*record, Json::object(), &*again)).empty());
  return 0;
}
