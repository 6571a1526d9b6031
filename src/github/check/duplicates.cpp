// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cctype>
#include <set>

#include <fmt/format.h>

#include "base/counted.h"
#include "base/words.h"
#include "github/check/code_items.h"

namespace hipwright::github {

namespace {

constexpr double kAlike = 0.6;

// Without the tags in brackets, which many titles share, and short words.
std::set<std::string> words_of(std::string_view title) {
  std::set<std::string> words;
  std::string word;
  int depth = 0;
  for (std::size_t i = 0; i <= title.size(); ++i) {
    const char c = i < title.size() ? title[i] : ' ';
    if (depth == 0 && (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_')) {
      word += c;
      continue;
    }
    if (word.size() > 2 && !is_any(lowered(word), {"the", "for", "and", "fix", "add", "with"}))
      words.insert(lowered(word));
    word.clear();
    depth += c == '[' ? 1 : c == ']' && depth > 0 ? -1 : 0;
  }
  return words;
}

double likeness_of(const std::set<std::string>& a, const std::set<std::string>& b) {
  const auto common = static_cast<double>(
      std::ranges::count_if(a, [&](const std::string& word) { return b.contains(word); }));
  const double all = static_cast<double>(a.size() + b.size()) - common;
  // One common word is chance.
  return common < 2 ? 0 : common / all;
}

}  // namespace

std::vector<Duplicate> find_duplicates(const std::vector<ChangedFile>& files,
                                       const std::string& title, const std::vector<Summary>& open) {
  std::set<std::string> paths;
  for (const ChangedFile& file : files) paths.insert(file.path);
  const std::set<std::string> words = words_of(title);
  std::vector<Duplicate> found;
  std::set<PullRequestId> seen;
  for (const Summary& each : open) {
    if (!each.is_pull_request || !seen.insert(each.id).second) continue;
    Duplicate one{.summary = each, .likeness = likeness_of(words, words_of(each.title))};
    one.same_files = static_cast<unsigned>(
        std::ranges::count_if(each.files, [&](const auto& path) { return paths.contains(path); }));
    if (one.same_files > 0 || one.likeness >= kAlike) found.push_back(std::move(one));
  }
  std::ranges::stable_sort(found, [](const Duplicate& a, const Duplicate& b) {
    return a.likeness + a.same_files > b.likeness + b.same_files;
  });
  return found;
}

ChecklistItem duplicates_item(const std::vector<ChangedFile>& files, const std::string& title,
                              const OpenPullRequests& open, const PullRequestId& self) {
  constexpr std::size_t kShown = 5;
  ChecklistItem item{.id = "duplicates", .question = "No open pull request does the same"};
  if (!open.list) {
    item.evidence = open.why_not;
    return item;
  }
  std::vector<Duplicate> found = find_duplicates(files, title, *open.list);
  std::erase_if(found, [&](const Duplicate& each) { return each.summary.id == self; });
  item.answer = found.empty() ? Answer::kPass : Answer::kLook;
  item.evidence =
      fmt::format("{} of {} open pull requests change the same files or have similar titles",
                  found.size(), open.list->size());
  for (const Duplicate& each : found)
    if (item.details.size() < kShown)
      item.details.push_back(fmt::format(
          "{} {} ({})", each.summary.id.text(), each.summary.title,
          each.same_files > 0 ? counted(each.same_files, "same file")
                              : fmt::format("title {:.0f}% alike", 100 * each.likeness)));
  return item;
}

}  // namespace hipwright::github
