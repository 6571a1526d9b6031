// SPDX-License-Identifier: MIT
// Arguments in files: `hipcc @words`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace hipwright::toolchain {

// The words of a response file: separated by blanks, with '…', "…" and backslashes as in a shell.
std::vector<std::string> response_file_words(std::string_view text);

// Replaces each existing @file with its words; keeps others, as clang does.
Result<std::vector<std::string>> with_response_files(const std::vector<std::string>& words);

}  // namespace hipwright::toolchain
