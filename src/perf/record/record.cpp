// SPDX-License-Identifier: MIT
#include "perf/record/record.h"

#include <algorithm>

#include "base/json.h"
#include "base/words.h"

namespace hipwright::perf {

namespace {

constexpr std::pair<RunStatus, std::string_view> kStatuses[] = {{RunStatus::kSuccess, "success"},
                                                                {RunStatus::kError, "error"},
                                                                {RunStatus::kMissing, "missing"},
                                                                {RunStatus::kSkipped, "skipped"}};

}  // namespace

std::string_view to_string(RunStatus status) {
  for (const auto& [each, text] : kStatuses)
    if (each == status) return text;
  return {};
}

std::optional<RunStatus> parse_status(std::string_view text) {
  for (const auto& [each, name] : kStatuses)
    if (name == text) return each;
  return std::nullopt;
}

Better better_of(std::string_view count) {
  return count == "occupancy" ? Better::kHigher : Better::kLower;
}

const Measurement* Benchmark::measurement(std::string_view metric) const {
  const auto found = std::find_if(measurements.begin(), measurements.end(),
                                  [&](const Measurement& each) { return each.name == metric; });
  return found == measurements.end() ? nullptr : &*found;
}

const Benchmark* Record::benchmark(std::string_view wanted) const {
  const auto found = std::find_if(benchmarks.begin(), benchmarks.end(),
                                  [&](const Benchmark& each) { return each.name == wanted; });
  return found == benchmarks.end() ? nullptr : &*found;
}

}  // namespace hipwright::perf
