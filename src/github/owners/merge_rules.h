// SPDX-License-Identifier: MIT
// PyTorch's merge_rules.yaml: who may approve a change of which files, and which checks it needs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "github/pull_request.h"

namespace hipwright::github {

struct MergeRule {
  std::string name;
  std::vector<std::string> patterns, approved_by, mandatory_checks;
};

// Errors name `origin` and the line.
Result<std::vector<MergeRule>> parse_merge_rules(std::string_view text, const std::string& origin);

// '*' does not cross '/', "**" does, and a pattern is compared with the beginning of the path: "*"
// matches everything.
bool merge_pattern_matches(std::string_view pattern, std::string_view path);

struct RuleMatch {
  const MergeRule* rule = nullptr;
  bool is_approved = false;
  bool may_be_approved = false;  // by a member of a team, which only GitHub knows
};

// The rules whose patterns match all files, in the file's order. `approvers`: who approved the
// head commit.
std::vector<RuleMatch> matching_rules(const std::vector<MergeRule>& rules,
                                      const std::vector<ChangedFile>& files,
                                      const std::vector<std::string>& approvers);

}  // namespace hipwright::github
