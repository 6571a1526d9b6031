// SPDX-License-Identifier: MIT
// What the matrix unit of one compute unit computes in a clock, by the type of the operands.
#pragma once

#include <string_view>

namespace hipwright::arch {

struct MatrixRates {
  std::string_view gfx;
  unsigned fp32, bf16;  // FLOP
};

// Nothing where no public source has both.
const MatrixRates* matrix_rates(std::string_view gfx);

}  // namespace hipwright::arch
