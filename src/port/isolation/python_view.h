// SPDX-License-Identifier: MIT
// What Python runs of a source where PyTorch is not ROCm's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "port/isolation/view.h"

namespace hipwright::port {

// The tokens, with the ends of lines and blocks among them. Branches that ask for ROCm are gone:
// of `if is_rocm: … else: …` and `x if is_rocm else y` what NVIDIA runs is left, of `not is_rocm
// and c` the c. Comments, and brackets that only group, are not seen.
std::vector<SeenToken> nvidia_view_of_python(std::string_view text,
                                             const std::vector<std::string>& amd_names = {});

}  // namespace hipwright::port
