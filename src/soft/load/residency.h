// SPDX-License-Identifier: MIT
// How much of a compute unit a kernel's workgroups can fill, from its registers, its LDS and the
// size of the workgroup. Where two compute units form a work-group processor (WGP), that is the
// unit, as in HIP's occupancy calls.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "arch/arch.h"
#include "soft/load/image.h"

namespace hipwright::soft {

struct Residency {
  unsigned threads = 0;        // of a workgroup
  unsigned workgroups = 0;     // that a unit holds at a time; 0: not even one
  unsigned waves = 0;          // the same in waves
  unsigned simds = 0;          // of a unit
  unsigned max_per_simd = 0;   // waves that hardware has slots for
  std::string_view unit = "";  // "CU" or "WGP"
  // What limits them: "VGPRs", "SGPRs", "LDS", "workgroup" (its waves do not divide the slots).
  // Empty when all wave slots are taken.
  std::vector<std::string_view> limits;

  double per_simd() const { return simds == 0 ? 0 : static_cast<double>(waves) / simds; }
};

Residency residency(const LoadedKernel& kernel, const arch::ArchInfo& target, std::uint64_t threads,
                    std::uint64_t dynamic_lds);

}  // namespace hipwright::soft
