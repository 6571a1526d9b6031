// SPDX-License-Identifier: MIT
// The code that Python runs if PyTorch is not ROCm's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "port/isolation/view.h"

namespace hipwright::port {

// The tokens, including the ends of lines and blocks. ROCm branches are removed: `if is_rocm: …
// else: …` and `x if is_rocm else y` keep what NVIDIA runs, `not is_rocm and c` keeps c. Comments
// and grouping brackets are removed, too.
std::vector<SeenToken> nvidia_view_of_python(std::string_view text);

}  // namespace hipwright::port
