// SPDX-License-Identifier: MIT
// Which hardware rules apply: one value for all targets that share their instructions.
#pragma once

#include <cstdint>

namespace hipwright::soft {

enum class Isa : std::uint8_t { kGfx90a, kGfx942, kGfx950, kGfx11, kGfx12 };
constexpr bool is_gfx9(Isa isa) {
  return isa <= Isa::kGfx950;
}

}  // namespace hipwright::soft
