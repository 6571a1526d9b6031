// SPDX-License-Identifier: MIT
// Any bytes are the log of a job: a cause at a line that the log has, or none.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "base/json.h"
#include "ci/log/explain.h"

using namespace hipwright;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view log(reinterpret_cast<const char*>(data), size);
  const auto found = ci::explain_log(log);
  if (!found) return 0;
  const auto lines = 1 + std::ranges::count(log, '\n');
  HW_ASSERT(found->line.number >= 1 && found->line.number <= lines);
  HW_ASSERT(!found->failed_at || *found->failed_at <= lines);
  HW_ASSERT(!ci::explanation_text(*found, "job.log").empty());
  HW_ASSERT(parse_json(json_text(ci::explanation_json(*found)), "again"));
  return 0;
}
