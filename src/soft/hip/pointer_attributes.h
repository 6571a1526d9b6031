// SPDX-License-Identifier: MIT
#pragma once

#include "soft/exec/memory.h"

namespace hipwright::soft::hip {

// HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS: calls that copy it wait for the copy.
bool waits_for_copies(const Allocation& allocation);

}  // namespace hipwright::soft::hip
