// SPDX-License-Identifier: MIT
// Open issues and pull requests that read like bugs which a rule of the linter knows.
#pragma once

#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "github/fetch/read.h"
#include "github/profile/profile.h"

namespace hipwright::github {

struct Candidate {
  Summary summary;
  double score = 0;
  std::vector<std::string> rules;  // "HW201 ballot-in-32-bits", best first
  std::vector<std::string> why;    // "label rocm", "path csrc/rocm/a.cu", words of the rules
};

// Those that look like ROCm, best first: a rule's words count most, then labels, titles and paths.
std::vector<Candidate> rank(const std::vector<Summary>& all, const Profiles& profiles);

std::string candidates_text(const std::vector<Candidate>& all, bool colour);
Json candidates_json(const std::vector<Candidate>& all);

}  // namespace hipwright::github
