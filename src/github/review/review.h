// SPDX-License-Identifier: MIT
// Somebody else's pull request: what the linter says about it, and the reviewer's five questions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/json_fwd.h"
#include "github/check/checklist.h"
#include "github/report/report.h"

namespace hipwright::github {

// A file of the pull request as it will be.
struct ReviewedFile {
  std::string path, text;
};

struct DraftComment {
  std::string path;
  unsigned line = 0;
  std::string code, text;
};

struct ReviewInput {
  const Judged& judged;
  const Profile& profile;
  std::string diff;
  std::vector<ReviewedFile> files;    // the sources that were read
  std::vector<std::string> not_read;  // and those that were not
  OpenPullRequests open;              // without this one
  std::filesystem::path clone;        // of the same repository; empty: none
};

struct ReviewReport {
  std::vector<ChecklistItem> steps;
  std::vector<DraftComment> comments;
};
Result<ReviewReport> review(const ReviewInput& input);

std::string review_text(const Judged& judged, const ReviewReport& report, bool colour);
std::string review_markdown(const Judged& judged, const ReviewReport& report);
Json review_json(const Judged& judged, const ReviewReport& report, std::int64_t now);

}  // namespace hipwright::github
