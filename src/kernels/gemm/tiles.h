// SPDX-License-Identifier: MIT
// The tiles of matrix products, by what computes them.
#pragma once

#include "kernels/op.h"

namespace hipwright::kernels {

// A block computes m × n results with waves_m × waves_n waves. `size` is of the matrix unit, if it
// has a choice.
struct GemmTile {
  unsigned m, n, waves_m, waves_n, size;

  unsigned waves() const { return waves_m * waves_n; }
};
struct GemmTiles {
  GemmTile large;
  GemmTile turned;  // large, if rows of an operand are neighbours: turning them takes registers
  GemmTile small;   // for few results, and for operands that are not aligned
};
const GemmTiles& gemm_tiles(const Chip& chip);

// The rows up to which a product reads b without LDS.
inline constexpr unsigned kSkinnyRows[] = {1, 2, 4, 8};
inline constexpr unsigned kSkinnyWaves = 4;
inline constexpr unsigned kFinishThreads = 256;

}  // namespace hipwright::kernels
