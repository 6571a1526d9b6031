// SPDX-License-Identifier: MIT
#include "github/review/review.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/counted.h"
#include "base/json.h"
#include "base/visible.h"
#include "github/check/code_items.h"
#include "github/report/parts.h"
#include "lint/like/patch.h"
#include "lint/since.h"

namespace hipwright::github {

namespace {

lint::ChangedLines added_lines(const lint::like::Patch& patch) {
  lint::ChangedLines changed;
  for (const lint::like::PatchedFile& file : patch.files)
    for (const lint::like::Hunk& hunk : file.hunks) {
      std::uint32_t line = hunk.new_line;
      for (const lint::like::PatchLine& each : hunk.lines) {
        if (each.kind == lint::like::PatchLine::Kind::kRemoved) continue;
        if (each.kind == lint::like::PatchLine::Kind::kAdded)
          changed.files[file.new_path].push_back({line, line});
        ++line;
      }
    }
  return changed;
}

Status add_comments(const ReviewInput& input, const lint::like::Patch& patch, ReviewReport& to) {
  const lint::ChangedLines changed = added_lines(patch);
  for (const ReviewedFile& file : input.files) {
    HW_TRY(const lint::Report report, lint::lint_text({}, file.path, file.text));
    for (const lint::Finding& finding : report.findings)
      if (finding.confidence != Confidence::kLow &&
          changed.touches(file.path, finding.position.line, finding.end.line))
        to.comments.push_back({file.path, finding.position.line, finding.code,
                               finding.message + (finding.why.empty() ? "" : ". " + finding.why)});
  }
  return {};
}

// A branch with the same diff, for the questions that look into code.
LocalBranch as_branch(const ReviewInput& input) {
  LocalBranch branch;
  branch.top = input.clone;
  branch.base = input.judged.pull_request.base;
  branch.files = input.judged.pull_request.files;
  branch.diff = input.diff;
  return branch;
}

Result<ChecklistItem> similar_step(const ReviewInput& input) {
  if (!input.clone.empty()) return similar_item(as_branch(input));
  return ChecklistItem{"completeness",
                       "No other place has the bug that this fixes",
                       Answer::kNotChecked,
                       "this directory is not a clone of the repository",
                       {},
                       "run it in one"};
}

ChecklistItem lint_step(const ReviewInput& input, const ReviewReport& report) {
  ChecklistItem item{.id = "lint", .question = "The linter finds nothing on the changed lines"};
  item.answer = !report.comments.empty() ? Answer::kFail
                : input.not_read.empty() ? Answer::kPass
                                         : Answer::kNotChecked;
  item.evidence = fmt::format("{} in {}", counted(report.comments.size(), "finding"),
                              counted(input.files.size(), "changed source"));
  if (!input.not_read.empty())
    item.evidence += fmt::format(", {} not read", counted(input.not_read.size(), "file"));
  return item;
}

ChecklistItem ci_step(const Assessment& a) {
  ChecklistItem item{.id = "ci", .question = "CI passes, on AMD GPUs too"};
  const bool has_all = a.required.failed + a.required.pending == 0 && a.missing_checks.empty();
  item.answer = a.required.failed > 0 || a.hardware == Hardware::kFailed ? Answer::kFail
                : !has_all || a.hardware == Hardware::kNotRun || a.hardware == Hardware::kPending
                    ? Answer::kNotChecked
                    : Answer::kPass;
  item.evidence =
      fmt::format("required: {}; on AMD GPUs: {}", checks_text(a.required, a.missing_checks.size()),
                  to_string(a.hardware));
  return item;
}

}  // namespace

Result<ReviewReport> review(const ReviewInput& input) {
  HW_TRY(const lint::like::Patch patch,
         lint::like::read_patch(input.diff, input.judged.pull_request.id.text()));
  ReviewReport report;
  HW_CHECK(add_comments(input, patch, report));
  report.steps.push_back({"root-cause",
                          "The fix addresses the cause, not a symptom",
                          Answer::kPerson,
                          "read the description and the diff",
                          {},
                          {}});
  HW_TRY(report.steps.emplace_back(), similar_step(input));
  report.steps.push_back(lint_step(input, report));
  report.steps.push_back(tests_item(as_branch(input), input.profile));
  report.steps.push_back(ci_step(input.judged.assessment));
  const PullRequest& pr = input.judged.pull_request;
  report.steps.push_back(duplicates_item(pr.files, pr.title, input.open, pr.id));
  return report;
}

std::string review_text(const Judged& judged, const ReviewReport& report, bool colour) {
  const auto& [pr, a] = judged;
  std::string text = fmt::format("{}  {}\n{}\n\n{}", paint(pr.id.text(), Colour::kBold, colour),
                                 visible(pr.title), pr.url, checklist_text(report.steps, colour));
  if (!report.comments.empty()) text += "\nDrafts of comments\n";
  for (const DraftComment& each : report.comments)
    text += fmt::format("  {}:{}: {} [{}]\n", visible(each.path), each.line, visible(each.text),
                        each.code);
  return text;
}

std::string review_markdown(const Judged& judged, const ReviewReport& report) {
  std::string text = fmt::format("## [{}]({})\n\n{}", judged.pull_request.id.text(),
                                 judged.pull_request.url, checklist_markdown(report.steps));
  for (const DraftComment& each : report.comments)
    text += fmt::format("\n**{}:{}** {} ({})\n", markdown_text(each.path), each.line,
                        markdown_text(each.text), each.code);
  return text;
}

Json review_json(const Judged& judged, const ReviewReport& report, std::int64_t now) {
  Json json = judged_json(judged, now);
  json["checklist"] = checklist_json(report.steps)["checklist"];
  Json comments = Json::array();
  for (const DraftComment& each : report.comments)
    comments.push_back(
        {{"path", each.path}, {"line", each.line}, {"code", each.code}, {"text", each.text}});
  json["comments"] = std::move(comments);
  return json;
}

}  // namespace hipwright::github
