// SPDX-License-Identifier: MIT
// The lowest level: what can be seen without a compiler.
#pragma once

#include <filesystem>
#include <vector>

#include "base/error.h"
#include "verify/verdict.h"

namespace hipwright::verify {

// Leftovers of CUDA (headers, names, inline PTX, architecture numbers): what the porter would still
// change for AMD, or cannot; and the linter's findings.
Result<std::vector<Check>> check_statically(const std::filesystem::path& path);

}  // namespace hipwright::verify
