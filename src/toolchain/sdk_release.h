// SPDX-License-Identifier: MIT
// What differs between the SDK prefixes of two ROCm releases. The headers of sdk/ serve all of
// them: they ask for the number in level.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "toolchain/library_table.h"
#include "toolchain/sdk.h"

namespace hipwright::toolchain {

// The text of an SDK file (a path from the prefix) for a release; sdk/ has that of kSdkRelease.
std::string text_for_release(std::string_view path, std::string_view text, const Release& release);

// Those of the scripts' symbols that the libraries of a release export.
Result<std::vector<ExportedSymbol>> symbols_of_release(const std::vector<std::string_view>& scripts,
                                                       const Release& release);

// A linker version script with the symbols' nodes in their order.
std::string version_script_of(const std::vector<ExportedSymbol>& symbols);

}  // namespace hipwright::toolchain
