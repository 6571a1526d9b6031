// SPDX-License-Identifier: MIT
// The items of the checklist that a review has, too, and those that look into the code.
#pragma once

#include "github/check/checklist.h"

namespace hipwright::github {

Result<ChecklistItem> lint_item(const LocalBranch& branch);
Result<ChecklistItem> similar_item(const LocalBranch& branch);
ChecklistItem tests_item(const LocalBranch& branch, const Profile& profile);
// `self`: the pull request itself, which is no duplicate.
ChecklistItem duplicates_item(const std::vector<ChangedFile>& files, const std::string& title,
                              const OpenPullRequests& open, const PullRequestId& self);
ChecklistItem pre_commit_item(const LocalBranch& branch, bool runs);

}  // namespace hipwright::github
