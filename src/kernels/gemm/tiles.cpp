// SPDX-License-Identifier: MIT
#include "kernels/gemm/tiles.h"

namespace hipwright::kernels {

namespace {

struct Row {
  arch::MatrixUnit matrix;
  unsigned wave_size;
  GemmTiles tiles;
};

// As large as registers allow without spills: 256 for each lane of 8 waves.
constexpr Row kRows[] = {
    {arch::MatrixUnit::kMfma, 64, {{256, 256, 2, 4, 32}, {256, 128, 4, 2, 32}, {64, 64, 2, 2, 32}}},
    {arch::MatrixUnit::kWmma, 32, {{128, 128, 4, 2, 16}, {128, 128, 4, 2, 16}, {64, 64, 2, 2, 16}}},
    {arch::MatrixUnit::kNone, 64, {{128, 128, 2, 2, 8}, {128, 64, 2, 2, 8}, {64, 64, 2, 2, 8}}},
    {arch::MatrixUnit::kNone, 32, {{128, 128, 4, 2, 8}, {128, 64, 4, 2, 8}, {64, 64, 2, 2, 8}}},
};

}  // namespace

const GemmTiles& gemm_tiles(const Chip& chip) {
  for (const Row& row : kRows)
    if (row.matrix == chip.matrix && row.wave_size == chip.wave_size) return row.tiles;
  // A matrix unit that waves of this size do not have.
  return gemm_tiles({arch::MatrixUnit::kNone, chip.wave_size});
}

}  // namespace hipwright::kernels
