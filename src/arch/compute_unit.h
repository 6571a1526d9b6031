// SPDX-License-Identifier: MIT
// What the table says about the units that run workgroups.
#pragma once

#include "arch/arch.h"

namespace hipwright::arch {

// Two compute units form a work-group processor. The table describes the whole of it: the LDS of
// both.
inline bool has_wgps(const ArchInfo& info) {
  return info.resources.value.lds_bytes > info.lds_per_workgroup.value;
}

}  // namespace hipwright::arch
