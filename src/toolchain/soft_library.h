// SPDX-License-Identifier: MIT
// Finds the software GPU: libhipwright_soft.so and the shims below it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"

namespace hipwright::toolchain {

constexpr const char* kSoftLibrary = "libhipwright_soft.so";
// Below its folder: the libraries with the names of ROCm's.
constexpr const char* kShimFolder = "rocm";

// Its folder: that of HIPWRIGHT_SOFT_LIBRARY if it is set, lib/hipwright of home() (the
// build tree, an installed tool), or the configured installation folder. The error lists the
// folders that were searched.
Result<std::filesystem::path> find_soft_folder();

// Arguments for dlopen, in order: HIPWRIGHT_SOFT_LIBRARY alone if it is set; otherwise the
// folder of home(), the plain name (which follows the program's own search path and
// LD_LIBRARY_PATH), and the configured folder.
std::vector<std::string> soft_library_names();

}  // namespace hipwright::toolchain
