// SPDX-License-Identifier: MIT
// Path patterns: * ? […] as in fnmatch.
#pragma once

#include <string_view>

namespace hipwright::project {

// Matches the whole path as git does: '*' and '?' stop at '/', "**" as a whole part does not.
bool glob_matches(std::string_view pattern, std::string_view path);

// The name of the file ("requirements*.txt"); a pattern with '/' is matched against as many parts
// of the path's end (".github/workflows/*.yml").
bool name_matches(std::string_view pattern, std::string_view path);

}  // namespace hipwright::project
