// SPDX-License-Identifier: MIT
// Reports of verification for people and programs. They claim only what ran, and name where.
#pragma once

#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "verify/flow.h"
#include "verify/verdict.h"

namespace hipwright::verify {

// One line per level, then what failed and what was not checked.
std::string text_report(const Pyramid& pyramid, bool colour);
Json json_report(const Pyramid& pyramid);
// For a pull request: a "Hardware validation" section with what ran on hardware and what did not,
// the levels, and the checklist.
std::string markdown_report(const Pyramid& pyramid);
// One self-contained file.
std::string html_report(const Pyramid& pyramid);

// The same for a verified port: what was changed, caught, explained, fixed and proven.
std::string text_report(const Flow& flow, bool colour);
Json json_report(const Flow& flow);
std::string html_report(const Flow& flow);

// The validation checklist of a ROCm pull request, as far as this pyramid answers it.
struct ChecklistItem {
  std::string item;
  Verdict verdict = Verdict::kNotChecked;
  std::string evidence;
};
std::vector<ChecklistItem> checklist(const Pyramid& pyramid);

}  // namespace hipwright::verify
