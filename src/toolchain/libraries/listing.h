// SPDX-License-Identifier: MIT
// What `sdk list` prints.
#pragma once

#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "toolchain/added_libraries.h"

namespace hipwright::toolchain {

std::string libraries_text(const std::vector<AddedLibraries>& added, bool colour);
Json libraries_json(const std::vector<AddedLibraries>& added);

}  // namespace hipwright::toolchain
