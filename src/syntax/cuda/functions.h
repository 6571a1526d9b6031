// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "syntax/cuda/file.h"

namespace hipwright::syntax::cuda {

// Functions with a body and those only declared, outside of other functions, in text order. No two
// overlap. A call of a macro that has a block behind it (TORCH_LIBRARY(…) { … }) is none.
std::vector<Function> find_functions(const File& file);

}  // namespace hipwright::syntax::cuda
