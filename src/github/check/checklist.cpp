// SPDX-License-Identifier: MIT
#include "github/check/checklist.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/counted.h"
#include "base/json.h"
#include "base/pattern.h"
#include "base/terminal.h"
#include "base/visible.h"
#include "base/words.h"
#include "github/check/code_items.h"

namespace hipwright::github {

namespace {

constexpr std::size_t kShown = 5;

ChecklistItem root_cause_item() {
  return {"root-cause",
          "The fix addresses the cause, not a symptom",
          Answer::kPerson,
          "say in the description what the cause is",
          {},
          {}};
}

ChecklistItem sign_off_item(const LocalBranch& branch, const Profile& profile) {
  ChecklistItem item{.id = "sign-off", .question = "Every commit is signed off"};
  if (!profile.needs_signed_commits) {
    item.answer = Answer::kPass;
    item.evidence = "the repository does not ask for it";
    return item;
  }
  std::size_t missing = 0, others = 0;
  for (const LocalCommit& commit : branch.commits) {
    if (commit.is_signed_off) continue;
    ++(commit.signed_off_by.empty() ? missing : others);
    if (item.details.size() < kShown)
      item.details.push_back(fmt::format("{} {}{}", commit.hash.substr(0, 10), commit.subject,
                                         commit.signed_off_by.empty()
                                             ? ""
                                             : fmt::format(": signed off by {}, the author is {}",
                                                           commit.signed_off_by, commit.email)));
  }
  item.answer = missing > 0 ? Answer::kFail : others > 0 ? Answer::kLook : Answer::kPass;
  item.evidence = fmt::format("{} of {} signed off", branch.commits.size() - missing,
                              counted(branch.commits.size(), "commit"));
  if (others > 0)
    item.evidence += fmt::format(", {} with another address than the author's", others);
  if (missing > 0) item.fix = fmt::format("git rebase --signoff {}", branch.base);
  return item;
}

ChecklistItem title_item(const CheckInput& input) {
  ChecklistItem item{.id = "title", .question = "The title follows the repository's convention"};
  const Profile& profile = input.profile;
  const bool fits =
      profile.title.empty() || !Pattern(profile.title.c_str()).match(input.title).empty();
  const bool needs_amd = !profile.rocm_title.empty() && changes_rocm(input.branch, profile);
  item.answer = fits && (names_amd(input.title) || !needs_amd) ? Answer::kPass : Answer::kFail;
  item.evidence = fmt::format("\"{}\"", input.title);
  if (!fits)
    item.fix = "write it like: " + profile.title_example;
  else if (item.answer == Answer::kFail)
    item.fix = fmt::format("it changes ROCm: begin with {}", trimmed(profile.rocm_title));
  return item;
}

ChecklistItem hardware_item(const CheckInput& input) {
  ChecklistItem item{.id = "hardware", .question = "It was tested on an AMD GPU"};
  bool has_failed = false, has_run = false;
  for (const HardwareRecord& record : input.records) {
    item.details.push_back(fmt::format(
        "{}: {}, {}", record.file, record.is_on_amd() ? record.gpu : "no AMD GPU", record.result));
    has_run |= record.is_on_amd();
    has_failed |= record.is_on_amd() && record.has_failed;
  }
  item.answer = has_failed ? Answer::kFail : has_run ? Answer::kPass : Answer::kNotChecked;
  item.evidence = has_failed              ? "a run on an AMD GPU failed"
                  : has_run               ? "records of runs on an AMD GPU"
                  : input.records.empty() ? "no record"
                                          : "no record is of a run on an AMD GPU";
  if (item.answer == Answer::kNotChecked)
    item.fix =
        "run `hipwright verify --json` or `hipwright perf run` on one, and give the file "
        "with --record";
  return item;
}

ChecklistItem description_item(const std::vector<HardwareRecord>& records) {
  const bool has_run = std::ranges::any_of(records, &HardwareRecord::is_on_amd);
  return {"description",
          "The description names GPU, versions and results",
          has_run ? Answer::kPass : Answer::kPerson,
          has_run ? "`hipwright pr describe` fills them in from the records"
                  : "without a record, write what you tested; nothing is invented",
          {},
          {}};
}

Colour colour_of(Answer answer) {
  return answer == Answer::kPass   ? Colour::kGreen
         : answer == Answer::kFail ? Colour::kRed
                                   : Colour::kYellow;
}

}  // namespace

std::string_view to_string(Answer answer) {
  constexpr std::string_view kNames[] = {"pass", "fail", "look", "not checked", "you"};
  return kNames[static_cast<std::size_t>(answer)];
}

bool changes_rocm(const LocalBranch& branch, const Profile& profile) {
  return std::ranges::any_of(
      branch.files, [&](const ChangedFile& file) { return profile.is_rocm_path(file.path); });
}

Result<std::vector<ChecklistItem>> check_branch(const CheckInput& input) {
  if (input.branch.commits.empty())
    return fail("nothing to check", input.branch.top.string(),
                fmt::format("no commits between {} and HEAD", input.branch.base),
                "Commit your change, or name another base.");
  std::vector<ChecklistItem> items;
  items.push_back(root_cause_item());
  HW_TRY(items.emplace_back(), similar_item(input.branch));
  HW_TRY(items.emplace_back(), lint_item(input.branch));
  items.push_back(tests_item(input.branch, input.profile));
  items.push_back(pre_commit_item(input.branch, input.runs_pre_commit));
  items.push_back(sign_off_item(input.branch, input.profile));
  items.push_back(title_item(input));
  items.push_back(duplicates_item(input.branch.files, input.title, input.open, {}));
  items.push_back(hardware_item(input));
  items.push_back(description_item(input.records));
  return items;
}

std::string checklist_text(const std::vector<ChecklistItem>& items, bool colour) {
  std::string text;
  for (const ChecklistItem& item : items) {
    text += fmt::format(
        "{}  {:<12}  {}: {}\n",
        paint(fmt::format("{:<11}", to_string(item.answer)), colour_of(item.answer), colour),
        item.id, item.question, visible(item.evidence));
    for (const std::string& detail : item.details)
      text += fmt::format("{:15}{}\n", "", visible(detail));
    if (!item.fix.empty()) text += fmt::format("{:15}fix: {}\n", "", visible(item.fix));
  }
  return text;
}

std::string checklist_markdown(const std::vector<ChecklistItem>& items) {
  std::string text;
  for (const ChecklistItem& item : items) {
    text += fmt::format("- [{}] **{}**: {} ({})\n", item.answer == Answer::kPass ? "x" : " ",
                        item.question, markdown_text(item.evidence), to_string(item.answer));
    for (const std::string& detail : item.details)
      text += fmt::format("  - {}\n", markdown_text(detail));
  }
  return text;
}

Json checklist_json(const std::vector<ChecklistItem>& items) {
  Json list = Json::array();
  for (const ChecklistItem& item : items)
    list.push_back({{"id", item.id},
                    {"question", item.question},
                    {"answer", to_string(item.answer)},
                    {"evidence", item.evidence},
                    {"details", item.details},
                    {"fix", item.fix}});
  return {{"checklist", std::move(list)}};
}

}  // namespace hipwright::github
