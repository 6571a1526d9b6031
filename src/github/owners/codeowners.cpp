// SPDX-License-Identifier: MIT
#include "github/owners/codeowners.h"

#include <algorithm>
#include <ranges>

#include "base/words.h"
#include "project/glob.h"

namespace hipwright::github {

namespace {

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  for (std::size_t i = 0; i <= line.size(); ++i) {
    const bool is_escaped = i + 1 < line.size() && line[i] == '\\' && line[i + 1] == ' ';
    if (is_escaped) {
      word += line[++i];
    } else if (i == line.size() || line[i] == ' ' || line[i] == '\t' || line[i] == '\r') {
      if (!word.empty()) words.push_back(std::move(word));
      word.clear();
    } else if (line[i] == '#' && word.empty()) {
      break;
    } else {
      word += line[i];
    }
  }
  return words;
}

// Anchored to the root: with a slash at the start or in the middle.
std::string anchored(std::string pattern) {
  const bool is_anchored = pattern.find('/') < pattern.size() - 1;
  if (pattern.starts_with('/')) pattern.erase(0, 1);
  return is_anchored ? pattern : "**/" + pattern;
}

bool matches(const std::string& pattern, std::string_view path) {
  if (pattern.ends_with('/')) return project::glob_matches(pattern + "**", path);
  if (project::glob_matches(pattern, path)) return true;
  // A directory owns what is in it; `docs/*` does not match below the directories in docs.
  return !pattern.ends_with("/*") && project::glob_matches(pattern + "/**", path);
}

}  // namespace

CodeOwners CodeOwners::parse(std::string_view text) {
  CodeOwners parsed;
  for (const auto part : std::views::split(text, '\n')) {
    std::vector<std::string> words = words_of(std::string_view(part.begin(), part.end()));
    if (words.empty() || words[0] == "/") continue;
    if (words[0].starts_with('!') || words[0].find('[') != std::string::npos) continue;
    Line& line = parsed.lines_.emplace_back();
    line.pattern = anchored(words[0]);
    for (std::size_t i = 1; i < words.size(); ++i)
      if (words[i].starts_with('@') && words[i].size() > 1)
        line.owners.push_back(words[i].substr(1));
  }
  return parsed;
}

const std::vector<std::string>& CodeOwners::of(std::string_view path) const {
  static const std::vector<std::string> kNobody;
  for (const Line& line : std::views::reverse(lines_))
    if (matches(line.pattern, path)) return line.owners;
  return kNobody;
}

std::vector<Ranked> ranked(const std::map<std::string, unsigned>& counts) {
  std::vector<Ranked> all;
  for (const auto& [name, count] : counts) all.push_back({name, count});
  std::ranges::stable_sort(all, std::ranges::greater(), &Ranked::count);
  return all;
}

std::vector<Ranked> owners_of(const CodeOwners& owners, const std::vector<ChangedFile>& files) {
  std::map<std::string, unsigned> counts;
  for (const ChangedFile& file : files)
    for (const std::string& owner : owners.of(file.path)) ++counts[owner];
  return ranked(counts);
}

}  // namespace hipwright::github
