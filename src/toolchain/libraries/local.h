// SPDX-License-Identifier: MIT
// Libraries that are on this machine: an installed ROCm, or a checkout of a header-only library,
// whose version and configuration headers are generated as its build would.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "toolchain/added_libraries.h"
#include "toolchain/library_table.h"

namespace hipwright::toolchain {

// "3.4.0", from what a CMakeLists.txt says about its version; none: it says nothing.
std::optional<std::string> checkout_version(std::string_view cmake);

// A template of CMake's configure_file(): @X_VERSION_MAJOR@ and its like, and #cmakedefine, where
// only the switches for all types are on. An error: a variable that only the build knows.
Result<std::string> configured_header(std::string_view text, std::string_view version,
                                      const std::string& file);

// The release of an installed ROCm ("6.4"), from its version file.
Result<std::string> release_of_rocm(const std::filesystem::path& rocm);
bool is_installed_rocm(const std::filesystem::path& path);

// Links to the parts of an installed ROCm that `library` needs.
Result<std::vector<AddedPackage>> link_installed(const Library& library,
                                                 const std::filesystem::path& rocm,
                                                 const std::filesystem::path& tree);
// Copies of a checkout's headers. `path` is the checkout, or a repository with it below projects/.
Result<AddedPackage> copy_checkout(const Library& library, const std::filesystem::path& path,
                                   const std::filesystem::path& tree);

// rocPRIM and hipCUB have one numbering: with different versions in `tree`, an error.
Status versions_agree(const std::filesystem::path& tree);

}  // namespace hipwright::toolchain
