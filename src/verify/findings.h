// SPDX-License-Identifier: MIT
// What the software GPU's checks left in their report (HIPWRIGHT_SOFT_REPORT) about one run.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/json.h"

namespace hipwright::verify {

struct CheckReport {
  bool is_there = false;     // else the run never used the software GPU
  bool is_finished = false;  // else it ended in the middle, and what was found last is not known
  Json findings = Json::array();
  std::size_t kernels = 0;  // that ran
};

// Of all processes of the run (checks.json, checks.123.json). Takes the files away. Nothing is
// there: nothing was written.
Result<CheckReport> take_report(const std::filesystem::path& file);

// A line for each finding of a severity ("error", "warning"), with the instruction and its source;
// each begins with a line break. Empty: there is none.
std::string findings_text(const Json& findings, std::string_view severity);

}  // namespace hipwright::verify
