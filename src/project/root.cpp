// SPDX-License-Identifier: MIT
#include "project/root.h"

namespace hipwright::project {

namespace fs = std::filesystem;

fs::path project_of(const std::vector<fs::path>& paths) {
  const fs::path here = fs::current_path();
  const fs::path first = (here / (paths.empty() ? fs::path() : paths.front())).lexically_normal();
  std::error_code ignored;
  const fs::path folder = fs::is_directory(first, ignored) ? first : first.parent_path();
  if (fs::path top = find_upward(folder, ".git"); !top.empty()) return top;
  const fs::path way = folder.lexically_relative(here);
  return !way.empty() && *way.begin() != ".." ? fs::path() : folder;
}

fs::path find_upward(fs::path path, const char* name) {
  std::error_code ignored;
  while (true) {
    if (fs::exists(path / name, ignored)) return path;
    if (!path.has_relative_path()) return {};
    path = path.parent_path();
  }
}

}  // namespace hipwright::project
