// SPDX-License-Identifier: MIT
#include "soft/load/residency.h"

#include <algorithm>

#include "arch/compute_unit.h"
#include "toolchain/code_object/occupancy.h"

namespace hipwright::soft {

Residency residency(const LoadedKernel& kernel, const arch::ArchInfo& target, std::uint64_t threads,
                    std::uint64_t dynamic_lds) {
  const toolchain::Kernel& info = *kernel.info;
  const arch::Resources& resources = target.resources.value;
  const bool wgp = arch::has_wgps(target);
  Residency result{.threads = static_cast<unsigned>(threads),
                   .simds = resources.simds,
                   .max_per_simd = resources.max_waves_per_simd,
                   .unit = wgp ? "WGP" : "CU"};
  if (threads == 0 || threads > std::max(info.max_workgroup_size, 1U)) return result;
  const std::uint64_t lds = info.lds_bytes + dynamic_lds;
  if (lds > target.lds_per_workgroup.value) return result;
  const auto waves = static_cast<unsigned>((threads + kernel.wave_size - 1) / kernel.wave_size);
  const toolchain::Occupancy occupancy =
      toolchain::compute_occupancy({.vgprs = info.vgprs,
                                    .sgprs = info.sgprs,
                                    .lds_bytes = 0,
                                    .wave_size = kernel.wave_size,
                                    .min_workgroup_size = result.threads,
                                    .max_workgroup_size = result.threads},
                                   target);
  const unsigned slots = resources.simds * resources.max_waves_per_simd;
  struct Bound {
    std::string_view name;
    unsigned workgroups;
  };
  std::vector<Bound> bounds;
  const auto add_registers = [&](std::string_view name, unsigned per_simd) {
    if (per_simd < resources.max_waves_per_simd)
      bounds.push_back({name, per_simd * resources.simds / waves});
  };
  add_registers("VGPRs", occupancy.by_vgprs);
  add_registers("SGPRs", occupancy.by_sgprs);
  if (lds > 0) {
    const std::uint64_t granule = std::max(resources.lds_granule, 1U);
    const std::uint64_t taken = (lds + granule - 1) / granule * granule;
    bounds.push_back({"LDS", static_cast<unsigned>(resources.lds_bytes / taken)});
  }
  bounds.push_back({"workgroup", slots / waves});
  result.workgroups = std::ranges::min_element(bounds, {}, &Bound::workgroups)->workgroups;
  result.waves = result.workgroups * waves;
  if (result.waves == slots) return result;
  for (const Bound& bound : bounds)
    if (bound.workgroups == result.workgroups) result.limits.push_back(bound.name);
  return result;
}

}  // namespace hipwright::soft
