// SPDX-License-Identifier: MIT
// Where the software GPU is: libhipwright_soft.so and the shims beside it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"

namespace hipwright::toolchain {

constexpr const char* kSoftLibrary = "libhipwright_soft.so";

// The folder that holds it: that of HIPWRIGHT_SOFT_LIBRARY when it is set, beside the running
// executable (the build tree, an installed tool), or where hipwright was configured to be
// installed. An error lists where it was looked for.
Result<std::filesystem::path> find_soft_folder();

// What to give dlopen, in order: HIPWRIGHT_SOFT_LIBRARY alone when it is set; else beside the
// executable, the plain name (which follows the program's own search path and LD_LIBRARY_PATH),
// and the configured folder.
std::vector<std::string> soft_library_names();

}  // namespace hipwright::toolchain
