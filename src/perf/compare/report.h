// SPDX-License-Identifier: MIT
// A comparison for people and programs.
#pragma once

#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "perf/compare/compare.h"

namespace hipwright::perf {

// "12.3 ms", "1.5 GB", "1,024"; without a known unit, the number and the unit.
std::string value_text(double value, std::string_view unit);
// "+9.8%"; "new" when the base is 0 and the head is not.
std::string change_text(const Row& row);

// All measurements; of the counts, those that are not the same.
std::string comparison_text(const Comparison& comparison, bool colour);
// A table with the columns Before, After and Delta for a pull request, and what was compared.
std::string comparison_markdown(const Comparison& comparison);
// Every row. The measurements' deltas are also there as duration_delta_s, duration_delta_pct and
// peak_memory_delta_mb of each benchmark.
Json comparison_json(const Comparison& comparison);

// The same benchmarks on different machines, side by side: no verdicts.
std::string devices_text(const std::vector<Record>& records, bool colour);
std::string devices_markdown(const std::vector<Record>& records);
Json devices_json(const std::vector<Record>& records);

}  // namespace hipwright::perf
