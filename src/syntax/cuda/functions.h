// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "syntax/cuda/file.h"

namespace hipwright::syntax::cuda {

// Function definitions and declarations outside other functions, in source order. They do not
// overlap. A macro call followed by a block (TORCH_LIBRARY(…) { … }) does not count.
std::vector<Function> find_functions(const File& file);

}  // namespace hipwright::syntax::cuda
