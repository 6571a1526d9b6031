// SPDX-License-Identifier: MIT
// A distribution's package, unpacked into the layout of a release's directory.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "toolchain/added_libraries.h"
#include "toolchain/libraries/apt.h"

namespace hipwright::toolchain {

// Where a package's file goes in the directory of a release; empty: it is not kept.
// A package of ROCm keeps the layout below usr/; of others only the shared libraries are kept.
std::string place_of(std::string_view file, std::string_view package);

// The short names in a machine-readable copyright file, in their order; empty: not such a file.
std::string licences_in(std::string_view copyright);

// The names in a Depends field, without versions; of alternatives all.
std::vector<std::string> names_in_depends(std::string_view depends);

// The targets of the code objects in a file; a file without any is none.
std::vector<std::string> targets_in(const std::filesystem::path& file);

// Unpacks below `scratch` and moves what is kept into `tree`.
Result<AddedPackage> unpack(const AptPackage& package, const std::string& origin,
                            const std::filesystem::path& scratch,
                            const std::filesystem::path& tree);

// Moves a file or link to `tree`/`place` and counts it.
Status move_into(const std::filesystem::path& file, const std::filesystem::path& tree,
                 const std::string& place, AddedPackage& package);

}  // namespace hipwright::toolchain
