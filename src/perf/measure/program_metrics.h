// SPDX-License-Identifier: MIT
// Metrics that a program reports itself. It appends lines to the file that HIPWRIGHT_PERF_METRICS
// names:
//
//   {"metric": "tokens_per_s", "value": 123.4, "unit": "tokens/s", "better": "higher"}
//
// unit and better ("lower" unless given) are optional; a metric may be reported several times.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "perf/record/record.h"

namespace hipwright::perf {

constexpr const char* kMetricsVariable = "HIPWRIGHT_PERF_METRICS";

// Samples of the round.
Result<std::vector<Measurement>> parse_metrics(std::string_view lines, unsigned round,
                                               const std::string& origin);

// Adds samples to those of the same name; an error if unit or direction differ.
Result<void> add_measurements(std::vector<Measurement>& to, std::vector<Measurement> more);

}  // namespace hipwright::perf
