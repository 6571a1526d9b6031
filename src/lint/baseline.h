// SPDX-License-Identifier: MIT
// A file of known findings that are not shown again: new code follows the rules now, old code can
// be fixed later.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "lint/engine.h"

namespace hipwright::lint {

// JSON: sorted, one finding a line, so that it merges well.
std::string baseline_text(const Report& report);
// The fingerprints in it; an error names the place.
Result<std::vector<std::string>> parse_baseline(std::string_view text, const std::string& origin);
Result<std::vector<std::string>> read_baseline(const std::filesystem::path& file);

}  // namespace hipwright::lint
