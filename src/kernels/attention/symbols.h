// SPDX-License-Identifier: MIT
// The kernels of attention: which there are, and their names.
#pragma once

#include <string>

#include <fmt/format.h>

#include "kernels/op.h"
#include "verify/numeric/values.h"

namespace hipwright::kernels {

inline constexpr unsigned kAttentionWaves = 4;
inline constexpr unsigned kAttentionFinishThreads = 256;

// With the matrix unit: sizes of heads, without vectors the largest of them.
inline constexpr unsigned kTileHeads[] = {64, 128};
// Without: sizes of heads, and how many share their keys in a block. Without vectors one head of
// the largest size.
inline constexpr unsigned kRowHeads[] = {64, 128, 256};
inline constexpr unsigned kRowSharers[] = {1, 4, 8};

struct AttentionSymbols {
  DataType type;

  std::string name() const { return fmt::format("attention_{}", verify::short_name(type)); }
  // "attention_bf16_128", "attention_bf16_128_any"
  std::string tile(unsigned head, bool vectors) const {
    return fmt::format("{}_{}{}", name(), head, vectors ? "" : "_any");
  }
  // "attention_bf16_rows_128x8"
  std::string rows(unsigned head, unsigned sharers, bool vectors) const {
    return fmt::format("{}_rows_{}x{}{}", name(), head, sharers, vectors ? "" : "_any");
  }
  std::string finish() const { return name() + "_finish"; }
};

// Queries of a block of the tile kernel: a wave has as many as its unit has columns.
inline unsigned attention_queries(const Chip& chip, DataType type) {
  if (chip.matrix == arch::MatrixUnit::kMfma && chip.wave_size == 64) return 32 * kAttentionWaves;
  if (chip.matrix == arch::MatrixUnit::kWmma && chip.wave_size == 32 && type != DataType::kF32)
    return 16 * kAttentionWaves;
  return 8 * kAttentionWaves;
}

}  // namespace hipwright::kernels
