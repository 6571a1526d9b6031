// SPDX-License-Identifier: MIT
// The files through which a step speaks to the next ones: GITHUB_ENV, GITHUB_OUTPUT, GITHUB_PATH.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"

namespace hipwright::ci {

// "NAME=value" lines, and "NAME<<WORD", lines, "WORD".
Result<std::vector<std::pair<std::string, std::string>>> read_assignments(std::string_view text,
                                                                          const std::string& file);
std::vector<std::string> read_lines(std::string_view text);

}  // namespace hipwright::ci
