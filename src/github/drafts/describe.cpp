// SPDX-License-Identifier: MIT
#include "github/drafts/describe.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/counted.h"
#include "base/pattern.h"
#include "base/visible.h"
#include "base/words.h"
#include "lint/like/patch.h"
#include "project/glob.h"

namespace hipwright::github {

namespace {

constexpr std::string_view kGap = "<!-- TODO: ";

struct Text {
  std::string body;
  std::vector<std::string> gaps;

  void gap(const std::string& what) {
    body += fmt::format("{}{} -->\n", kGap, what);
    gaps.push_back(what);
  }
};

// "123" of "Keep 64 lanes (#123)": what GitHub appends when it squashes, so the commit is one that
// was merged before.
std::string merged_as(const std::string& subject) {
  const std::vector<std::string> found = Pattern(R"( \(#([0-9]+)\)$)").find(subject);
  return found.empty() ? std::string() : found[1];
}

// Without the subject and lines such as Signed-off-by.
std::string message_body(const LocalCommit& commit) {
  std::string text;
  bool is_first = true;
  for (const auto part : std::views::split(commit.body, '\n')) {
    const std::string_view line = std::string_view(part.begin(), part.end());
    const std::string low = lowered(trimmed(line));
    if (is_first) {
      is_first = false;
      continue;
    }
    if (low.starts_with("signed-off-by:") || low.starts_with("co-authored-by:")) continue;
    text += std::string(line) + "\n";
  }
  return std::string(trimmed(text));
}

// Where the paragraph that begins with "Root cause:" (or "Cause:") is in a message, and its text.
struct Cause {
  std::size_t begin = 0, end = 0;
  std::string text;
};

std::optional<Cause> cause_in(const std::string& text) {
  const std::string low = lowered(text);
  for (const std::string_view word : {"root cause:", "cause:"}) {
    const std::size_t at = low.find(word);
    if (at == std::string::npos || (at > 0 && low[at - 1] != '\n')) continue;
    const std::size_t begin = at + word.size(),
                      end = std::min(text.find("\n\n", begin), text.size());
    return Cause{at, end, std::string(trimmed(std::string_view(text).substr(begin, end - begin)))};
  }
  return std::nullopt;
}

void add_summary(const CheckInput& input, Text& to) {
  bool has_text = false;
  for (const LocalCommit& commit : input.branch.commits) {
    std::string body = message_body(commit);
    if (const auto cause = cause_in(body)) body.erase(cause->begin, cause->end - cause->begin);
    body = trimmed(body);
    if (input.branch.commits.size() > 1) to.body += fmt::format("- {}\n", commit.subject);
    if (body.empty()) continue;
    to.body += (input.branch.commits.size() > 1 ? "\n" : "") + body + "\n";
    has_text = true;
  }
  if (!has_text) to.gap("what the bug is, and how it shows");
}

void add_cause(const CheckInput& input, Text& to) {
  to.body += "\n### Root cause\n\n";
  for (const LocalCommit& commit : input.branch.commits)
    if (const auto cause = cause_in(message_body(commit))) {
      to.body += cause->text + "\n";
      return;
    }
  to.gap("root cause");
}

bool is_comment(std::string_view line) {
  line = trimmed(line);
  return line.empty() || line.starts_with("# ") || line.starts_with("//") || line.starts_with('*');
}

// The smallest hunk that removes and adds code says most.
void add_before_after(const CheckInput& input, Text& to) {
  constexpr std::size_t kMostLines = 30;
  const auto patch = lint::like::read_patch(input.branch.diff, "the branch");
  if (!patch) return;
  std::string best;
  std::size_t least = kMostLines + 1;
  for (const auto& file : patch->files) {
    for (const auto& hunk : file.hunks) {
      bool removes = false, adds = false;
      for (const auto& line : hunk.lines) {
        if (is_comment(line.text)) continue;
        removes |= line.kind == lint::like::PatchLine::Kind::kRemoved;
        adds |= line.kind == lint::like::PatchLine::Kind::kAdded;
      }
      if (!removes || !adds || hunk.lines.size() >= least) continue;
      least = hunk.lines.size();
      best = fmt::format("`{}`:\n\n````diff\n", file.new_path);
      for (const auto& line : hunk.lines) {
        constexpr char kMarks[] = {' ', '-', '+'};
        best += kMarks[static_cast<std::size_t>(line.kind)] + line.text + "\n";
      }
      best += "````\n";
    }
  }
  unsigned added = 0, removed = 0;
  for (const ChangedFile& file : input.branch.files) {
    added += file.additions;
    removed += file.deletions;
  }
  if (!best.empty()) to.body += fmt::format("\n### Before and after\n\n{}", best);
  to.body += fmt::format("\nIn total: {}, +{} −{}.\n", counted(input.branch.files.size(), "file"),
                         added, removed);
}

void add_changes(const CheckInput& input, Text& to) {
  constexpr std::size_t kMost = 20;
  const auto& files = input.branch.files;
  for (std::size_t i = 0; i < std::min(kMost, files.size()); ++i)
    to.body +=
        fmt::format("- `{}` (+{} −{})\n", files[i].path, files[i].additions, files[i].deletions);
  if (files.size() > kMost)
    to.body += fmt::format("- and {}\n", counted(files.size() - kMost, "more file"));
}

std::vector<std::string> changed_tests(const CheckInput& input) {
  std::vector<std::string> tests;
  for (const ChangedFile& file : input.branch.files)
    for (const std::string& pattern : input.profile.test_paths)
      if (project::glob_matches(pattern, file.path)) {
        tests.push_back(fmt::format("`{}`", file.path));
        break;
      }
  return tests;
}

void add_tests(const CheckInput& input, Text& to) {
  if (const auto tests = changed_tests(input); !tests.empty())
    to.body += fmt::format("Changed tests: {}\n", fmt::join(tests, ", "));
  else
    to.gap("which tests cover the change, and the command that runs them");
}

std::string or_dash(const std::string& text) {
  return text.empty() ? "–" : markdown_text(text);
}

void add_hardware(const CheckInput& input, Text& to) {
  to.body += "\n## Hardware Validation\n\n";
  std::vector<HardwareRecord> runs;
  std::ranges::copy_if(input.records, std::back_inserter(runs), &HardwareRecord::is_on_amd);
  if (runs.empty()) {
    to.body += "Not verified on AMD hardware.\n";
    return;
  }
  to.body += "| GPU | ROCm | PyTorch | Test | Result |\n| --- | --- | --- | --- | --- |\n";
  for (const HardwareRecord& run : runs)
    to.body += fmt::format("| {} | {} | {} | {} | {} |\n", or_dash(run.gpu), or_dash(run.rocm),
                           or_dash(run.pytorch), or_dash(run.test), or_dash(run.result));
  to.body += "\nFrom records of `hipwright`; – is what they do not say.\n";
}

// Issues and pull requests that the commits mention, and open ones that touch the same files.
void add_related(const CheckInput& input, Text& to) {
  std::set<std::string> mentioned;
  for (const LocalCommit& commit : input.branch.commits)
    for (std::size_t at = commit.body.find('#'); at != std::string::npos;
         at = commit.body.find('#', at + 1)) {
      const std::size_t end = commit.body.find_first_not_of("0123456789", at + 1);
      const std::string number = commit.body.substr(at + 1, end - at - 1);
      const bool is_word =
          at > 0 && std::isalnum(static_cast<unsigned char>(commit.body[at - 1])) != 0;
      if (!number.empty() && number.size() < 9 && !is_word) mentioned.insert(number);
    }
  for (const LocalCommit& commit : input.branch.commits) mentioned.erase(merged_as(commit.subject));
  std::string lines;
  for (const std::string& number : mentioned) lines += fmt::format("- #{}\n", number);
  if (input.open.list) {
    constexpr std::size_t kMost = 3;
    std::size_t left = kMost;
    for (const Duplicate& each :
         find_duplicates(input.branch.files, input.title, *input.open.list)) {
      if (left == 0) break;
      --left;
      lines += fmt::format("- #{} {} (open, {})\n", each.summary.id.number,
                           markdown_text(each.summary.title),
                           each.same_files > 0 ? counted(each.same_files, "same file")
                                               : std::string("similar title"));
    }
  }
  if (!lines.empty()) to.body += "\n## Related\n\n" + lines;
}

// What belongs under a heading of the repository's template.
enum class Part { kSummary, kChanges, kTests, kResults, kOther };
Part part_of(std::string_view heading) {
  const std::string low = lowered(heading);
  if (is_any(low, {"purpose", "motivation", "summary", "description"})) return Part::kSummary;
  if (has_any(low, {"modification", "technical", "changes"})) return Part::kChanges;
  if (has_any(low, {"result", "accuracy", "benchmark", "speed"})) return Part::kResults;
  return low.find("test") != std::string::npos ? Part::kTests : Part::kOther;
}

}  // namespace

bool has_gaps(std::string_view body) {
  return body.find(kGap) != std::string_view::npos;
}

std::string title_for(const LocalBranch& branch, const Profile& profile) {
  if (branch.commits.empty()) return {};
  std::string subject = branch.commits.front().subject;
  if (const std::string number = merged_as(subject); !number.empty())
    subject.resize(subject.size() - number.size() - 4);  // " (#" and ")"
  const bool fits = profile.title.empty() || !Pattern(profile.title.c_str()).match(subject).empty();
  if (fits && (names_amd(subject) || !changes_rocm(branch, profile))) return subject;
  if (!changes_rocm(branch, profile)) return subject;
  return subject.starts_with('[') ? subject : profile.rocm_title + subject;
}

Description describe(const CheckInput& input) {
  Text text;
  std::vector<std::string> headings = input.profile.template_sections;
  if (headings.empty()) headings = {"Summary", "Tests"};
  bool has_summary = false, has_tests = false;
  for (const std::string& heading : headings) {
    text.body += fmt::format("{}## {}\n\n", text.body.empty() ? "" : "\n", heading);
    const Part part = part_of(heading);
    if (part == Part::kSummary && !has_summary) {
      has_summary = true;
      add_summary(input, text);
      add_cause(input, text);
      add_before_after(input, text);
    } else if (part == Part::kTests && !has_tests) {
      has_tests = true;
      add_tests(input, text);
    } else if (part == Part::kResults) {
      const bool ran = std::ranges::any_of(input.records, &HardwareRecord::is_on_amd);
      if (ran)
        text.body += "See Hardware Validation.\n";
      else
        text.gap(lowered(heading).find("result") != std::string::npos
                     ? "results of the tests"
                     : "results: " + lowered(heading));
    } else if (part == Part::kChanges) {
      add_changes(input, text);
    } else {
      text.gap(lowered(heading));
    }
  }
  if (!has_tests && !changed_tests(input).empty()) {
    text.body += "\n## Tests\n\n";
    add_tests(input, text);
  }
  add_hardware(input, text);
  add_related(input, text);
  if (!input.profile.cc.empty()) {
    text.body += "\ncc";
    for (const std::string& name : input.profile.cc) text.body += " @" + name;
    text.body += "\n";
  }
  return {input.title, std::move(text.body), std::move(text.gaps)};
}

}  // namespace hipwright::github
