// SPDX-License-Identifier: MIT
// rocm_profile.json: what scripts that profile ROCm examples write, and what dashboards read. An
// object keyed by example path.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "base/json_fwd.h"
#include "perf/record/record.h"

namespace hipwright::perf {

// With / on every system, without "./" and "..": the key of an example.
std::string normal_path(std::string_view path);

// Each example becomes a benchmark with one sample.
Result<Record> profile_record(const Json& profile, const std::string& origin);

// What PyTorch says of itself, for `rocm_info`; null members where it was not asked.
Json unknown_rocm_info();

// The medians of a record. With a baseline, `baseline_comparison` is added to the examples that
// both have.
Json profile_json(const Record& record, const Json& rocm_info, const Record* baseline = nullptr);

}  // namespace hipwright::perf
