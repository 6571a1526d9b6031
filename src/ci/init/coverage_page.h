// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "ci/init/init.h"

namespace hipwright::ci {

// The page for who releases: which target is compiled and tested where, the repository's variables,
// the runners.
std::string coverage_page(const Repository& repository, const InitOptions& options);

}  // namespace hipwright::ci
