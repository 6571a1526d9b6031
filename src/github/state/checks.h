// SPDX-License-Identifier: MIT
// The checks of a pull request, sorted by what they mean for it.
#pragma once

#include <string>
#include <vector>

#include "github/state/state.h"

namespace hipwright::github {

// Required by the branch, by the profile, or by the merge bot's rules.
bool is_required(const Check& check, const Setting& setting, const std::vector<RuleMatch>& rules);

bool is_sign_off(const Check& check, const Profile& profile);
// The rule whose label would make the check pass; nullptr: none.
const LabelRule* label_rule_of(const Check& check, const Profile& profile);
bool has_label_of(const LabelRule& rule, const PullRequest& pull_request);

// Fills in the counts, the missing and the failed ones.
void count_checks(const PullRequest& pull_request, const Setting& setting, Assessment& to);

Hardware hardware_of(const PullRequest& pull_request, const Profile& profile, bool is_rocm);

}  // namespace hipwright::github
