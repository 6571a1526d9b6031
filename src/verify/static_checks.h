// SPDX-License-Identifier: MIT
// The lowest level: checks that need no compiler.
#pragma once

#include <filesystem>
#include <vector>

#include "base/error.h"
#include "project/rules.h"
#include "verify/verdict.h"

namespace hipwright::verify {

// CUDA leftovers (headers, names, inline PTX, architecture numbers) that port would still change or
// cannot translate, and lint findings.
Result<std::vector<Check>> check_statically(const std::filesystem::path& path,
                                            const project::Rules& rules = {});

}  // namespace hipwright::verify
