// SPDX-License-Identifier: MIT
// Title and body of a pull request, from the commits, the diff and records. What nobody has said or
// measured is a marked gap, never text.
#pragma once

#include <string>
#include <vector>

#include "github/check/checklist.h"

namespace hipwright::github {

struct Description {
  std::string title, body;
  std::vector<std::string> gaps;  // to be filled in by the author: "root cause"
};

Description describe(const CheckInput& input);

// The subject of the first commit, with the tags of the repository in front if it has none.
std::string title_for(const LocalBranch& branch, const Profile& profile);

// Of a body: the marks that describe() left.
bool has_gaps(std::string_view body);

}  // namespace hipwright::github
