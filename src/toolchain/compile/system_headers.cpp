// SPDX-License-Identifier: MIT
#include "toolchain/compile/system_headers.h"

#include <algorithm>
#include <cstdlib>

#include "base/hash.h"

namespace fs = std::filesystem;

namespace hipwright::toolchain {

SystemHeaders::SystemHeaders(const std::vector<fs::path>& trees,
                             const std::vector<fs::path>& flat) {
  std::vector<fs::path> found = flat;
  for (const fs::path& tree : trees) {
    std::error_code error;
    if (!fs::is_directory(tree, error)) continue;
    found.push_back(tree);
    for (const auto& entry : fs::recursive_directory_iterator(tree, error))
      if (entry.is_directory(error) && !entry.is_symlink(error)) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  Hasher hasher;
  for (const fs::path& folder : found) {
    std::error_code error;
    const auto written = fs::last_write_time(folder, error);
    if (error) continue;
    hasher.field(folder.string()).field(std::to_string(written.time_since_epoch().count()));
    folders_.insert(folder.string());
  }
  identity_ = hasher.finish().hex();
}

SystemHeaders SystemHeaders::of_this_machine() {
  return SystemHeaders(
      {"/usr/include/c++", "/usr/include/x86_64-linux-gnu", "/usr/include/aarch64-linux-gnu",
       "/usr/include/linux", "/usr/include/asm-generic"},
      {"/usr/include"});
}

bool SystemHeaders::contains(const fs::path& file) const {
  // Compilers name libstdc++ as /usr/lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/…
  return folders_.contains(file.lexically_normal().parent_path().string());
}

bool environment_changes_clang() {
  for (const char* name : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS"})
    if (std::getenv(name) != nullptr) return true;
  return false;
}

}  // namespace hipwright::toolchain
