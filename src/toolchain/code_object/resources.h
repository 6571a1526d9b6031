// SPDX-License-Identifier: MIT
// The hardware resources of each kernel of a code object, and how they limit its occupancy.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "toolchain/code_object/code_object.h"
#include "toolchain/code_object/occupancy.h"

namespace hipwright::toolchain {

struct KernelResources {
  std::string name;  // demangled
  std::string mangled;
  std::string target;  // "gfx942:xnack-"
  unsigned vgprs = 0;  // without AGPRs
  unsigned agprs = 0;
  unsigned sgprs = 0;
  unsigned vgpr_spills = 0, sgpr_spills = 0;
  std::uint32_t lds_bytes = 0;      // static; launch-time LDS is additional
  std::uint32_t scratch_bytes = 0;  // per lane
  bool dynamic_stack = false;       // scratch_bytes is then a lower bound
  unsigned wave_size = 0;
  std::uint32_t max_workgroup_size = 0;
  std::optional<std::uint64_t> code_bytes;
  // Empty for a target that the arch table lacks. For a generic target, the lowest among the known
  // members.
  std::optional<Occupancy> occupancy;
};

// `dynamic_lds`: what launches add to the static LDS; it counts towards lds_bytes and occupancy.
std::vector<KernelResources> kernel_resources(const CodeObject& object,
                                              std::uint32_t dynamic_lds = 0);

// One line per kernel. Names longer than `name_width` are shortened at the end.
std::string resources_table(std::span<const KernelResources> kernels, bool colour,
                            std::size_t name_width = 60);
Json resources_json(std::span<const KernelResources> kernels);

}  // namespace hipwright::toolchain
