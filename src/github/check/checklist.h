// SPDX-License-Identifier: MIT
// The validation checklist of a ROCm pull request, answered from the diff, the repository and
// records: what a machine cannot answer is said to be a person's.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/json_fwd.h"
#include "github/fetch/read.h"
#include "github/hardware_record.h"
#include "github/local/git.h"
#include "github/profile/profile.h"

namespace hipwright::github {

enum class Answer { kPass, kFail, kLook, kNotChecked, kPerson };
std::string_view to_string(Answer answer);  // "pass", "fail", "look", "not checked", "you"

struct ChecklistItem {
  std::string id;        // "lint"
  std::string question;  // "the linter finds nothing on the changed lines"
  Answer answer = Answer::kNotChecked;
  std::string evidence;              // one line
  std::vector<std::string> details;  // places
  std::string fix;                   // may be empty
};

// Open pull requests, or why they are not known.
struct OpenPullRequests {
  std::optional<std::vector<Summary>> list;
  std::string why_not;
};

struct CheckInput {
  const LocalBranch& branch;
  const Profile& profile;
  std::string title;
  std::vector<HardwareRecord> records;
  OpenPullRequests open;
  bool runs_pre_commit = false;
};

Result<std::vector<ChecklistItem>> check_branch(const CheckInput& input);

bool changes_rocm(const LocalBranch& branch, const Profile& profile);

// Other pull requests that may do the same: they change the same files, or their titles are alike.
struct Duplicate {
  Summary summary;
  unsigned same_files = 0;
  double likeness = 0;  // of the titles, 0 to 1
};
std::vector<Duplicate> find_duplicates(const std::vector<ChangedFile>& files,
                                       const std::string& title, const std::vector<Summary>& open);

std::string checklist_text(const std::vector<ChecklistItem>& items, bool colour);
std::string checklist_markdown(const std::vector<ChecklistItem>& items);
Json checklist_json(const std::vector<ChecklistItem>& items);

}  // namespace hipwright::github
