// SPDX-License-Identifier: MIT
#include "lint/ignore.h"

#include <algorithm>
#include <cctype>

namespace hipwright::lint {

namespace {

bool in_posix_class(std::string_view name, unsigned char byte) {
  if (name == "alpha") return std::isalpha(byte) != 0;
  if (name == "digit") return std::isdigit(byte) != 0;
  if (name == "alnum") return std::isalnum(byte) != 0;
  if (name == "upper") return std::isupper(byte) != 0;
  if (name == "lower") return std::islower(byte) != 0;
  if (name == "space") return std::isspace(byte) != 0;
  if (name == "punct") return std::ispunct(byte) != 0;
  if (name == "xdigit") return std::isxdigit(byte) != 0;
  return false;
}

// Does a "[…]" at the start of `pattern` hold `byte`? Sets its length; 0: it is never closed, and
// then nothing fits, as in git.
bool set_holds(std::string_view pattern, char byte, std::size_t& length) {
  std::size_t at = 1;
  const bool is_negated = at < pattern.size() && (pattern[at] == '!' || pattern[at] == '^');
  if (is_negated) ++at;
  bool holds = false;
  for (bool is_first = true; at < pattern.size(); is_first = false) {
    if (pattern[at] == ']' && !is_first) {
      length = at + 1;
      return holds != is_negated && byte != '/';
    }
    if (pattern.substr(at).starts_with("[:")) {
      const std::size_t end = pattern.find(":]", at + 2);
      if (end == std::string_view::npos) break;
      holds |=
          in_posix_class(pattern.substr(at + 2, end - at - 2), static_cast<unsigned char>(byte));
      at = end + 2;
      continue;
    }
    if (pattern[at] == '\\' && at + 1 < pattern.size()) ++at;
    const char low = pattern[at++];
    char high = low;
    if (at + 1 < pattern.size() && pattern[at] == '-' && pattern[at + 1] != ']') {
      at += pattern[at + 1] == '\\' && at + 2 < pattern.size() ? 2 : 1;
      high = pattern[at++];
    }
    holds |= low <= byte && byte <= high;
  }
  length = 0;
  return false;
}

// One step of a pattern that is not '*'. Sets the length of what it takes from the pattern.
bool step_fits(std::string_view pattern, char byte, std::size_t& length) {
  length = 1;
  if (pattern[0] == '?') return byte != '/';
  if (pattern[0] == '[') return set_holds(pattern, byte, length) && length != 0;
  if (pattern[0] == '\\' && pattern.size() > 1) {
    length = 2;
    return pattern[1] == byte;
  }
  return pattern[0] == byte;
}

// Within one part of the path: no '/' on either side. Linear in both but for one '*' at a time.
bool part_matches(std::string_view pattern, std::string_view part) {
  std::size_t p = 0, n = 0;
  std::size_t star = std::string_view::npos, resume = 0;
  while (n < part.size()) {
    std::size_t length = 0;
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = n;
    } else if (p < pattern.size() && step_fits(pattern.substr(p), part[n], length)) {
      p += length;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

std::string_view take_part(std::string_view& path) {
  const std::size_t slash = path.find('/');
  const std::string_view part = path.substr(0, slash);
  path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
  return part;
}

}  // namespace

bool glob_matches(std::string_view pattern, std::string_view path) {
  // Where to go on when the parts after the last "**" do not fit: one part of the path later.
  std::string_view retry_pattern, retry_path;
  while (!pattern.empty() || !path.empty()) {
    std::string_view next_pattern = pattern;
    std::string_view next_path = path;
    const std::string_view part = take_part(next_pattern);
    if (part == "**" && !path.empty()) {
      if (next_pattern.empty()) return true;  // "a/**": everything below a
      pattern = retry_pattern = next_pattern;
      retry_path = path;
      continue;
    }
    if (!pattern.empty() && !path.empty() && part_matches(part, take_part(next_path))) {
      pattern = next_pattern;
      path = next_path;
      continue;
    }
    if (retry_path.empty()) return false;
    take_part(retry_path);
    pattern = retry_pattern;
    path = retry_path;
  }
  return true;
}

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
  const std::string_view name = path.substr(path.rfind('/') + 1);
  for (auto pattern = patterns_.rbegin(); pattern != patterns_.rend(); ++pattern)
    if ((is_folder || !pattern->folders_only) && fits(*pattern, path, name))
      return !pattern->is_negated;
  return std::nullopt;
}

}  // namespace hipwright::lint
