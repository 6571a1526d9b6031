// SPDX-License-Identifier: MIT
// Paths of files in a tree as strings: relative to its root, with '/', without "." and "..".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace hipwright::project {

// "a.cu" of "src/a.cu".
std::string_view name_of(std::string_view path);
// "src" of "src/a.cu"; empty at the root.
std::string_view folder_of(std::string_view path);
// "src/" of "src/a.cu": what the paths of all files of the folder begin with; empty at the root.
std::string_view folder_prefix(std::string_view path);

// "a/c" of "a" and "b/../c"; a path that begins with '/' is from the root. Empty if it leaves the
// tree.
std::optional<std::string> join_path(std::string_view folder, std::string_view path);

// "a/b/c.h" ends with "b/c.h" and "c.h", but not with "/c.h" and ".h".
bool ends_with_path(std::string_view whole, std::string_view path);

// Cuts the first part off: "src" and then "a.cu" of "src/a.cu".
std::string_view take_part(std::string_view& path);

}  // namespace hipwright::project
