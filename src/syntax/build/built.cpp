// SPDX-License-Identifier: MIT
#include "syntax/build/built.h"

#include <algorithm>

namespace hipwright::syntax::build {

namespace {

// One part of a path against one part of a pattern, without backtracking over more than one star.
bool part_fits(std::string_view pattern, std::string_view name) {
  std::size_t at_pattern = 0;
  std::size_t at_name = 0;
  std::size_t star = std::string_view::npos;
  std::size_t star_name = 0;
  while (at_name < name.size()) {
    if (at_pattern < pattern.size() && pattern[at_pattern] == '*') {
      star = at_pattern++;
      star_name = at_name;
      continue;
    }
    bool fits = false;
    std::size_t length = 1;
    if (at_pattern < pattern.size()) {
      const std::size_t close = pattern.find(']', at_pattern);
      if (pattern[at_pattern] == '[' && close != std::string_view::npos) {
        length = close - at_pattern + 1;
        fits = pattern.substr(at_pattern + 1, length - 2).find(name[at_name]) !=
               std::string_view::npos;
      } else {
        fits = pattern[at_pattern] == '?' || pattern[at_pattern] == name[at_name];
      }
    }
    if (fits) {
      at_pattern += length;
      ++at_name;
    } else if (star != std::string_view::npos) {
      at_pattern = star + 1;
      at_name = ++star_name;
    } else {
      return false;
    }
  }
  while (at_pattern < pattern.size() && pattern[at_pattern] == '*') ++at_pattern;
  return at_pattern == pattern.size();
}

std::string_view take_part(std::string_view& path) {
  const std::size_t slash = path.find('/');
  const std::string_view part = path.substr(0, slash);
  path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
  return part;
}

bool path_fits(std::string_view pattern, std::string_view path, bool recursive) {
  while (!pattern.empty()) {
    const std::string_view part = take_part(pattern);
    if (pattern.empty() && recursive) return part_fits(part, path.substr(path.rfind('/') + 1));
    if (part == "**") {
      const std::string_view last = pattern.substr(pattern.rfind('/') + 1);
      return part_fits(last, path.substr(path.rfind('/') + 1));
    }
    if (path.empty() || !part_fits(part, take_part(path))) return false;
  }
  return path.empty();
}

}  // namespace

bool Tree::has(std::string_view path) const {
  return std::binary_search(paths.begin(), paths.end(), path, std::less<>());
}

std::vector<std::string> Tree::glob(std::string_view pattern, bool recursive) const {
  // What stands before the first special character bounds the search.
  const std::string_view fixed = pattern.substr(0, pattern.find_first_of("*?["));
  const std::string_view prefix = fixed.substr(0, fixed.rfind('/') + 1);
  std::vector<std::string> found;
  for (auto at = std::lower_bound(paths.begin(), paths.end(), prefix, std::less<>());
       at != paths.end() && at->starts_with(prefix); ++at) {
    if (path_fits(pattern, *at, recursive)) found.push_back(*at);
  }
  return found;
}

std::optional<std::string> join_path(std::string_view folder, std::string_view path) {
  std::string joined;
  const auto add = [&](std::string_view parts) {
    while (!parts.empty()) {
      const std::string_view part = take_part(parts);
      if (part.empty() || part == ".") continue;
      if (part != "..") {
        if (!joined.empty()) joined.push_back('/');
        joined.append(part);
      } else if (joined.empty()) {
        return false;
      } else {
        joined.resize(joined.find('/') == std::string::npos ? 0 : joined.rfind('/'));
      }
    }
    return true;
  };
  if (!path.starts_with('/') && !add(folder)) return std::nullopt;
  if (!add(path)) return std::nullopt;
  return joined;
}

std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

}  // namespace hipwright::syntax::build
