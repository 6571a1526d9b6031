// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "base/error.h"
#include "base/json_fwd.h"

namespace hipwright::ci {

// The rows of `strategy.matrix`: the product of its lists, less `exclude`, extended by `include`.
// One empty row without a matrix. At most 256, as on GitHub.
Result<std::vector<Json>> matrix_rows(const Json& matrix);

}  // namespace hipwright::ci
