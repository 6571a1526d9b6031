// SPDX-License-Identifier: MIT
#include "arch/matrix_rates.h"

#include <algorithm>
#include <iterator>

namespace hipwright::arch {

namespace {

// The peaks of ROCm Compute Profiler (ROCm/rocm-systems@1b1610fc,
// analysis_configs/*/0200_system_speed_of_light.yaml); those of MI100, MI250 and MI300X agree with
// ROCm's architecture pages.
constexpr MatrixRates kRates[] = {
    {"gfx908", 256, 512},
    {"gfx90a", 256, 1024},
    {"gfx942", 256, 2048},
    {"gfx950", 256, 4096},
};

}  // namespace

const MatrixRates* matrix_rates(std::string_view gfx) {
  const auto* found = std::ranges::find(kRates, gfx, &MatrixRates::gfx);
  return found == std::end(kRates) ? nullptr : found;
}

}  // namespace hipwright::arch
