// SPDX-License-Identifier: MIT
#include "project/glob.h"

#include <algorithm>
#include <cctype>

#include "project/path.h"

namespace hipwright::project {

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

// Does a "[…]" at the start of `pattern` contain `byte`? Sets its length, which is 0 if it is not
// closed: then nothing matches, as in git.
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

// One step of a pattern that is not '*'. Sets the number of pattern bytes used.
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

}  // namespace

bool glob_matches(std::string_view pattern, std::string_view path) {
  // Where to continue if the parts after the last "**" do not match: one part of the path later.
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

bool name_matches(std::string_view pattern, std::string_view path) {
  // As many parts of the path as the pattern has.
  std::size_t begin = path.size();
  for (auto parts = std::count(pattern.begin(), pattern.end(), '/') + 1; parts > 0 && begin > 0;
       --parts) {
    const std::size_t slash = path.rfind('/', begin - 1);
    if (slash == std::string_view::npos) return glob_matches(pattern, path);
    begin = slash;
  }
  return glob_matches(pattern, path.substr(std::min(begin + 1, path.size())));
}

}  // namespace hipwright::project
