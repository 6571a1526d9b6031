// SPDX-License-Identifier: MIT
// The names of the kernels of matrix products.
#pragma once

#include <string>

#include <fmt/format.h>

#include "kernels/gemm/tiles.h"
#include "verify/numeric/values.h"

namespace hipwright::kernels {

// "bf16", "bf16.e4m3fnuz"; `format` is -1 if the operands have the type of the result.
inline std::string gemm_unit(DataType type, int format) {
  const std::string_view name = verify::short_name(type);
  if (format < 0) return std::string(name);
  return fmt::format("{}.{}", name, static_cast<Fp8>(format) == Fp8::kE4M3 ? "e4m3" : "e4m3fnuz");
}

struct GemmSymbols {
  DataType type;
  int format;

  std::string name() const {
    std::string name = gemm_unit(type, format);
    if (const auto dot = name.find('.'); dot != std::string::npos) name[dot] = '_';
    return "gemm_" + name;
  }
  // "gemm_bf16_nt_256x256": n is as stored, t transposed. Without vectors: "…_any".
  std::string tile(bool transpose_a, bool transpose_b, const GemmTile& tile, bool vectors) const {
    return fmt::format("{}_{}{}_{}x{}{}", name(), transpose_a ? 't' : 'n', transpose_b ? 't' : 'n',
                       tile.m, tile.n, vectors ? "" : "_any");
  }
  std::string skinny(unsigned rows) const { return fmt::format("{}_skinny_{}", name(), rows); }
  std::string finish(bool vectors) const {
    return fmt::format("{}_finish{}", name(), vectors ? "" : "_any");
  }
  unsigned vector() const { return 16 / static_cast<unsigned>(size_of(type)); }
};

}  // namespace hipwright::kernels
