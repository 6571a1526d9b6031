// SPDX-License-Identifier: MIT
// Which release of ROCm lists a target first.
#pragma once

#include <span>
#include <string_view>

namespace hipwright::arch {

// By AMD's release notes: 6, 4, 1 of gfx1200. Empty where they do not say.
std::span<const unsigned> first_rocm_release(std::string_view gfx);

}  // namespace hipwright::arch
