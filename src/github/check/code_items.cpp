// SPDX-License-Identifier: MIT
#include "github/check/code_items.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "base/counted.h"
#include "base/process.h"
#include "base/words.h"
#include "lint/like/like.h"
#include "lint/since.h"
#include "project/glob.h"
#include "project/language.h"

namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace hipwright::github {

namespace {

constexpr std::size_t kShown = 5;

std::vector<fs::path> sources_of(const LocalBranch& branch) {
  std::vector<fs::path> sources;
  std::error_code error;
  for (const ChangedFile& file : branch.files)
    if (project::is_code(project::language_of(file.path)) &&
        fs::is_regular_file(branch.top / file.path, error))
      sources.push_back(branch.top / file.path);
  return sources;
}

bool is_test(std::string_view path, const Profile& profile) {
  return std::ranges::any_of(profile.test_paths, [&](const std::string& pattern) {
    return project::glob_matches(pattern, path);
  });
}

bool replaces_code(const lint::like::Patch& patch) {
  for (const lint::like::PatchedFile& file : patch.files) {
    if (file.old_path.empty() || !project::is_code(project::language_of(file.old_path))) continue;
    for (const lint::like::Hunk& hunk : file.hunks)
      for (const lint::like::PatchLine& line : hunk.lines)
        if (line.kind == lint::like::PatchLine::Kind::kRemoved) return true;
  }
  return false;
}

}  // namespace

Result<ChecklistItem> lint_item(const LocalBranch& branch) {
  ChecklistItem item{.id = "lint", .question = "The linter finds nothing on the changed lines"};
  lint::Options options{.paths = sources_of(branch), .root = branch.top, .project = branch.top};
  if (options.paths.empty()) {
    item.answer = Answer::kPass;
    item.evidence = "no CUDA, C++, HIP or Python files change";
    return item;
  }
  HW_TRY(lint::Report report, lint::lint(options));
  HW_CHECK(lint::keep_changed(branch.base_commit, options, report));
  for (const lint::FileNote& note : report.notes)
    if (note.is_error) {
      item.evidence = fmt::format("{}: {}", note.path, note.what);
      return item;
    }
  const auto sure = std::ranges::count_if(report.findings, [](const lint::Finding& finding) {
    return finding.confidence != Confidence::kLow;
  });
  item.answer = sure > 0 ? Answer::kFail : report.findings.empty() ? Answer::kPass : Answer::kLook;
  item.evidence = fmt::format("{} in {}", counted(report.findings.size(), "finding"),
                              counted(options.paths.size(), "changed file"));
  for (const lint::Finding& finding : report.findings)
    if (item.details.size() < kShown)
      item.details.push_back(fmt::format("{}:{}: {} [{}]", finding.path, finding.position.line,
                                         finding.message, finding.code));
  if (!report.findings.empty()) item.fix = "hipwright lint --since " + branch.base;
  return item;
}

Result<ChecklistItem> similar_item(const LocalBranch& branch) {
  ChecklistItem item{.id = "completeness",
                     .question = "No other place has the bug that this fixes"};
  HW_TRY(lint::like::Patch patch, lint::like::read_patch(branch.diff, "the branch"));
  if (!replaces_code(patch)) {
    item.answer = Answer::kPerson;
    item.evidence = "the change replaces no code, so there is no bug to search for";
    return item;
  }
  lint::like::Request request{.patch = std::move(patch), .limit = kShown};
  request.lint.root = branch.top;
  request.lint.project = branch.top;
  const auto searched = lint::like::find_like(request);
  if (!searched) {
    item.evidence = searched.error().why;
    return item;
  }
  const lint::like::Found& found = *searched;
  const std::size_t count = found.places.size() + found.left_out + found.findings.size();
  item.answer = count == 0 ? Answer::kPass : Answer::kLook;
  item.evidence =
      count == 0 ? fmt::format("no similar code in {}", counted(found.statistics.files, "file"))
                 : counted(count, "similar place");
  for (const lint::Finding& finding : found.findings)
    if (item.details.size() < kShown)
      item.details.push_back(fmt::format("{}:{}: {} [{}]", finding.path, finding.position.line,
                                         finding.message, finding.code));
  for (const lint::like::Place& place : found.places)
    if (item.details.size() < kShown)
      item.details.push_back(fmt::format("{}:{}: {:.0f}% alike: {}", place.path,
                                         place.position.line, 100 * place.score,
                                         trimmed(place.line.text)));
  if (count > 0) item.fix = fmt::format("git diff {} | hipwright lint --like-diff -", branch.base);
  return item;
}

ChecklistItem tests_item(const LocalBranch& branch, const Profile& profile) {
  ChecklistItem item{.id = "tests", .question = "Tests are added or changed"};
  for (const ChangedFile& file : branch.files)
    if (is_test(file.path, profile)) item.details.push_back(file.path);
  const bool has_code = std::ranges::any_of(branch.files, [](const ChangedFile& file) {
    return project::is_code(project::language_of(file.path));
  });
  item.answer = !item.details.empty() ? Answer::kPass : has_code ? Answer::kLook : Answer::kPass;
  item.evidence = !item.details.empty() ? counted(item.details.size(), "changed test file")
                  : has_code            ? "code changes and no test does: say in the description "
                                          "which tests cover it"
                                        : "no code changes";
  if (item.details.size() > kShown) item.details.resize(kShown);
  if (item.answer == Answer::kLook && !profile.test_command.empty())
    item.fix = "for example: " + profile.test_command;
  return item;
}

// Hooks are programs of the repository, and change files: they run only when asked for.
ChecklistItem pre_commit_item(const LocalBranch& branch, bool runs) {
  ChecklistItem item{.id = "pre-commit", .question = "The repository's pre-commit hooks pass"};
  std::error_code error;
  const std::vector<std::string> words = {"pre-commit",       "run",      "--from-ref",
                                          branch.base_commit, "--to-ref", "HEAD"};
  if (!fs::exists(branch.top / ".pre-commit-config.yaml", error)) {
    item.answer = Answer::kPass;
    item.evidence = "it has none";
  } else if (!runs) {
    item.evidence = "not asked for";
    item.fix = "add --pre-commit, or run: " + shell_quoted(words);
  } else if (!find_program("pre-commit")) {
    item.evidence = "pre-commit is not installed";
    item.fix = "pip install pre-commit";
  } else {
    const auto done = run({.argv = words, .directory = branch.top, .timeout = 900s});
    const bool ran = done && !done->timed_out;
    item.answer = !ran ? Answer::kNotChecked : done->ok() ? Answer::kPass : Answer::kFail;
    item.evidence = !ran ? "it did not finish" : done->ok() ? "all hooks pass" : "a hook fails";
    if (item.answer == Answer::kFail) item.fix = "pre-commit run --all-files";
  }
  return item;
}

}  // namespace hipwright::github
