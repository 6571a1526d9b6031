// SPDX-License-Identifier: MIT
#pragma once

#include "soft/hip/module.h"

namespace hipwright::soft::hip {

// Workgroups of `threads` that one compute unit (one WGP where two form one) holds; 0: not one.
unsigned blocks_per_multiprocessor(const Runtime& runtime, const Function& function,
                                   std::uint64_t threads, std::uint64_t dynamic_lds);
// Whether the hardware could run all blocks of a grid at the same time.
bool fits_at_once(const Runtime& runtime, const Function& function, std::uint64_t blocks,
                  std::uint64_t threads, std::uint64_t dynamic_lds);

}  // namespace hipwright::soft::hip
