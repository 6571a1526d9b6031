// SPDX-License-Identifier: MIT
#include "project/ignore.h"

#include <algorithm>

#include "project/glob.h"
#include "project/path.h"

namespace hipwright::project {

IgnorePatterns::IgnorePatterns(std::string_view lines) {
  if (lines.starts_with("\xEF\xBB\xBF")) lines.remove_prefix(3);
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    add(lines.substr(0, end));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
}

void IgnorePatterns::add(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  while (line.ends_with(' ') && !line.ends_with("\\ ")) line.remove_suffix(1);
  if (line.empty() || line[0] == '#') return;
  Pattern pattern;
  if (line[0] == '!') {
    pattern.is_negated = true;
    line.remove_prefix(1);
  }
  if (line.ends_with('/')) {
    pattern.folders_only = true;
    line.remove_suffix(1);
  }
  pattern.is_anchored = line.find('/') != std::string_view::npos;
  if (line.starts_with('/')) line.remove_prefix(1);
  if (line.starts_with("**/") && line.find('/', 3) == std::string_view::npos) {
    line.remove_prefix(3);  // the same as the name alone, and faster
    pattern.is_anchored = false;
  }
  if (line.empty()) return;
  const bool is_plain = line.find_first_of("*?[\\") == std::string_view::npos;
  if (is_plain) {
    pattern.shape = Shape::kLiteral;
  } else if (!pattern.is_anchored && line[0] == '*' &&
             line.find_first_of("*?[\\", 1) == std::string_view::npos) {
    pattern.shape = Shape::kSuffix;
    line.remove_prefix(1);
  }
  pattern.text = line;
  patterns_.push_back(std::move(pattern));
}

bool IgnorePatterns::fits(const Pattern& pattern, std::string_view path, std::string_view name) {
  const std::string_view subject = pattern.is_anchored ? path : name;
  switch (pattern.shape) {
    case Shape::kLiteral:
      return subject == pattern.text;
    case Shape::kSuffix:
      return subject.ends_with(pattern.text);
    case Shape::kGlob:
      return glob_matches(pattern.text, subject);
  }
  return false;
}

std::optional<bool> IgnorePatterns::decides(std::string_view path, bool is_folder) const {
  const std::string_view name = name_of(path);
  for (auto pattern = patterns_.rbegin(); pattern != patterns_.rend(); ++pattern)
    if ((is_folder || !pattern->folders_only) && fits(*pattern, path, name))
      return !pattern->is_negated;
  return std::nullopt;
}

}  // namespace hipwright::project
