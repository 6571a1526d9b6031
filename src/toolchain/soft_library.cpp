// SPDX-License-Identifier: MIT
#include "toolchain/soft_library.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>

#include "toolchain/home.h"

namespace fs = std::filesystem;

namespace hipwright::toolchain {

namespace {

fs::path override_path() {
  const char* named = std::getenv("HIPWRIGHT_SOFT_LIBRARY");
  return named != nullptr ? named : "";
}

std::vector<fs::path> at_home() {
  const fs::path folder = home();
  if (folder.empty()) return {};
  std::vector<fs::path> list;
  for (const char* relative : {"lib/hipwright", HIPWRIGHT_LIBDIR "/hipwright"}) {
    const fs::path path = (folder / relative).lexically_normal();
    if (list.empty() || list.back() != path) list.push_back(path);
  }
  return list;
}

fs::path configured() {
  return fs::path(HIPWRIGHT_FULL_LIBDIR) / "hipwright";
}

}  // namespace

Result<fs::path> find_soft_folder() {
  std::vector<fs::path> folders;
  if (const fs::path named = override_path(); !named.empty()) {
    folders.push_back(named.parent_path());
  } else {
    folders = at_home();
    folders.push_back(configured());
  }
  std::error_code error;
  std::vector<std::string> looked;
  for (const fs::path& folder : folders) {
    if (fs::exists(folder / kSoftLibrary, error)) return folder;
    looked.push_back(folder.string());
  }
  return fail("cannot find the software GPU", kSoftLibrary,
              fmt::format("not found in {}", fmt::join(looked, ", ")),
              "Rebuild or reinstall hipwright.");
}

std::vector<std::string> soft_library_names() {
  if (const fs::path named = override_path(); !named.empty()) return {named};
  std::vector<std::string> names;
  for (const fs::path& folder : at_home()) names.push_back(folder / kSoftLibrary);
  names.emplace_back(kSoftLibrary);
  names.push_back(configured() / kSoftLibrary);
  return names;
}

}  // namespace hipwright::toolchain
