// SPDX-License-Identifier: MIT
// Reads the report of the software GPU's checks (HIPWRIGHT_SOFT_REPORT) about one run.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/json_fwd.h"

namespace hipwright::verify {

// As the software GPU wrote them: an array of objects.
class CheckFindings {
 public:
  CheckFindings();  // none
  explicit CheckFindings(Json array);

  const Json& json() const { return *array_; }
  bool empty() const;
  // A line for each finding of a severity ("error", "warning"), with the instruction and its
  // source; each begins with a line break. Empty: there is none.
  std::string text(std::string_view severity) const;

 private:
  std::shared_ptr<const Json> array_;
};

struct CheckReport {
  bool is_there = false;     // false: the run never used the software GPU
  bool is_finished = false;  // false: the run ended early, and later findings are unknown
  CheckFindings findings;
  std::size_t kernels = 0;  // that ran
};

// Merges and removes the reports of all processes of the run (checks.json, checks.123.json).
Result<CheckReport> take_report(const std::filesystem::path& file);

}  // namespace hipwright::verify
