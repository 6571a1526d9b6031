// SPDX-License-Identifier: MIT
#include "project/file_set.h"

#include <algorithm>

#include "project/glob.h"
#include "project/path.h"

namespace hipwright::project {

bool FileSet::has(std::string_view path) const {
  return std::binary_search(paths.begin(), paths.end(), path, std::less<>());
}

std::vector<std::string> FileSet::glob(std::string_view pattern, bool recursive) const {
  // What stands before the first special character bounds the search.
  const std::string_view prefix = folder_prefix(pattern.substr(0, pattern.find_first_of("*?[\\")));
  std::string whole(pattern);
  if (recursive) whole.insert(folder_prefix(pattern).size(), "**/");
  std::vector<std::string> found;
  for (auto at = std::lower_bound(paths.begin(), paths.end(), prefix, std::less<>());
       at != paths.end() && at->starts_with(prefix); ++at) {
    if (glob_matches(whole, *at)) found.push_back(*at);
  }
  return found;
}

}  // namespace hipwright::project
