// SPDX-License-Identifier: MIT
#include "toolchain/code_object/occupancy.h"

#include <algorithm>

#include "arch/compute_unit.h"

namespace hipwright::toolchain {

namespace {

constexpr unsigned div_ceil(unsigned a, unsigned b) {
  return a / b + (a % b != 0);
}

// What the waves of one workgroup share: a CU, or a WGP in WGP mode.
struct Block {
  unsigned simds;
  unsigned wave_slots;
  unsigned lds_bytes;
  unsigned barriers;
};

Block block_of(const arch::ArchInfo& info, bool wgp_mode) {
  const arch::Resources& resources = info.resources.value;
  // The table describes a whole WGP where there is one: the LDS of both its CUs, of which a
  // workgroup can address one.
  const bool has_wgp = arch::has_wgps(info);
  Block block{.simds = resources.simds, .lds_bytes = resources.lds_bytes, .barriers = 16};
  if (has_wgp && wgp_mode) block.barriers = 32;
  if (has_wgp && !wgp_mode) {
    block.simds /= 2;
    block.lds_bytes = info.lds_per_workgroup.value;
  }
  block.wave_slots = block.simds * resources.max_waves_per_simd;
  return block;
}

// Workgroups of `waves` waves that one block holds at a time, LDS aside.
unsigned groups_of(unsigned waves, const Block& block) {
  // A workgroup of one wave needs no barrier.
  return waves == 1 ? block.wave_slots : std::min(block.wave_slots / waves, block.barriers);
}

// The most waves per SIMD, as the compiler bounds it: from the largest workgroup, or from as many
// workgroups as the smallest size allows, each grown to fill the block.
unsigned waves_by_workgroups(const OccupancyInput& input, const Block& block, unsigned lds_bytes,
                             unsigned max_waves) {
  const unsigned groups_by_lds = block.lds_bytes / std::max(lds_bytes, 1u);
  if (groups_by_lds == 0) return 1;  // more LDS than there is: as with registers, one wave
  const unsigned fewest = std::max(div_ceil(input.min_workgroup_size, input.wave_size), 1u);
  const unsigned most = std::max(div_ceil(input.max_workgroup_size, input.wave_size), fewest);
  if (fewest > block.wave_slots) return 1;
  const unsigned groups = std::min(groups_of(fewest, block), groups_by_lds);
  const unsigned of_largest =
      most > block.wave_slots ? 0 : most * std::min(groups_of(most, block), groups_by_lds);
  const unsigned waves = of_largest >= groups * fewest
                             ? of_largest
                             : groups * std::min(block.wave_slots / groups, most);
  return std::clamp(div_ceil(waves, block.simds), 1u, max_waves);
}

}  // namespace

std::string_view to_string(OccupancyLimit limit) {
  switch (limit) {
    case OccupancyLimit::kVgprs:
      return "VGPRs";
    case OccupancyLimit::kSgprs:
      return "SGPRs";
    case OccupancyLimit::kLds:
      return "LDS";
    case OccupancyLimit::kWorkgroup:
      return "workgroup";
  }
  return {};
}

Occupancy compute_occupancy(const OccupancyInput& input, const arch::ArchInfo& info) {
  const arch::Resources& resources = info.resources.value;
  const Block block = block_of(info, input.wgp_mode);
  Occupancy result;
  const unsigned slots = result.max_waves_per_simd = resources.max_waves_per_simd;
  result.by_vgprs = arch::waves_by_vgprs(info, input.vgprs, input.wave_size);
  // The compiler does not round SGPRs up to their allocation granule, nor LDS below.
  result.by_sgprs =
      resources.sgprs_per_simd == 0
          ? slots
          : std::clamp(resources.sgprs_per_simd / std::max(input.sgprs, 1u), 1u, slots);
  result.by_workgroup = waves_by_workgroups(input, block, 0, slots);
  // A kernel that can only run at a lower occupancy has registers reserved to match. Where nothing
  // else explains the reservation, the smallest workgroup does, which is recorded nowhere else.
  const unsigned by_lds = waves_by_workgroups(input, block, input.lds_bytes, slots);
  result.by_lds = input.lds_bytes == 0 || by_lds == result.by_workgroup ? slots : by_lds;
  if (input.reserved_vgprs != 0) {
    const unsigned reserved = arch::waves_by_vgprs(info, input.reserved_vgprs, input.wave_size);
    if (reserved < std::min({result.by_vgprs, result.by_lds, result.by_workgroup}))
      result.by_workgroup = reserved;
  }
  result.waves_per_simd =
      std::min({result.by_vgprs, result.by_sgprs, result.by_lds, result.by_workgroup});
  if (result.waves_per_simd == slots) return result;
  const auto note = [&](unsigned waves, OccupancyLimit limit) {
    if (waves == result.waves_per_simd) result.limits.push_back(limit);
  };
  note(result.by_vgprs, OccupancyLimit::kVgprs);
  note(result.by_sgprs, OccupancyLimit::kSgprs);
  note(result.by_lds, OccupancyLimit::kLds);
  note(result.by_workgroup, OccupancyLimit::kWorkgroup);
  return result;
}

}  // namespace hipwright::toolchain
