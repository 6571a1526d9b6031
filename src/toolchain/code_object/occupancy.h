// SPDX-License-Identifier: MIT
// The number of waves of a kernel that fit on one SIMD, computed like the "Occupancy" of LLVM's
// reports: an upper bound over the workgroup sizes that the kernel allows.
#pragma once

#include <string_view>
#include <vector>

#include "arch/arch.h"

namespace hipwright::toolchain {

enum class OccupancyLimit { kVgprs, kSgprs, kLds, kWorkgroup };
std::string_view to_string(OccupancyLimit limit);  // "VGPRs", "SGPRs", "LDS", "workgroup"

struct Occupancy {
  unsigned waves_per_simd = 0;
  unsigned max_waves_per_simd = 0;  // the hardware's wave slots
  // What each resource alone would allow.
  unsigned by_vgprs = 0, by_sgprs = 0, by_lds = 0, by_workgroup = 0;
  // The resources that allow no more than waves_per_simd; empty if the wave slots are the limit.
  std::vector<OccupancyLimit> limits;
};

struct OccupancyInput {
  unsigned vgprs = 0;           // VGPRs and AGPRs together where they share the register file
  unsigned reserved_vgprs = 0;  // that the kernel descriptor asks for; 0: unknown
  unsigned sgprs = 0;
  unsigned lds_bytes = 0;
  unsigned wave_size = 0;
  // A code object does not record it. Where it matters, the compiler has reserved registers for the
  // occupancy that it leaves, and reserved_vgprs stands for it.
  unsigned min_workgroup_size = 1;
  unsigned max_workgroup_size = 1024;
  bool wgp_mode = true;  // matters where a WGP has two CUs
};

Occupancy compute_occupancy(const OccupancyInput& input, const arch::ArchInfo& info);

}  // namespace hipwright::toolchain
