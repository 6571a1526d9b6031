// SPDX-License-Identifier: MIT
#include "project/path.h"

namespace hipwright::project {

std::string_view name_of(std::string_view path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

std::string_view folder_prefix(std::string_view path) {
  return path.substr(0, path.rfind('/') + 1);
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
        joined.resize(folder_of(joined).size());
      }
    }
    return true;
  };
  if (!path.starts_with('/') && !add(folder)) return std::nullopt;
  if (!add(path)) return std::nullopt;
  return joined;
}

bool ends_with_path(std::string_view whole, std::string_view path) {
  return whole.ends_with(path) &&
         (whole.size() == path.size() || whole[whole.size() - path.size() - 1] == '/');
}

std::string_view take_part(std::string_view& path) {
  const std::size_t slash = path.find('/');
  const std::string_view part = path.substr(0, slash);
  path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
  return part;
}

}  // namespace hipwright::project
