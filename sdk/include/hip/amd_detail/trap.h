// SPDX-License-Identifier: MIT
// A trap that is safe to use among other code.
#pragma once

#include <hip/amd_detail/host_defines.h>

#if defined(__clang__) && defined(__HIP__)

namespace __hip_detail {

// clang 22 has to simulate the trap on gfx1100 to gfx1103 and then forgets to finish instruction
// selection in the rest of the function ("Unsupported instruction" when it encodes it), so there
// the trap gets a function of its own.
#if defined(__GFX11__)
__device__ __attribute__((noinline, cold, noreturn)) inline void trap() {
  __builtin_trap();
}
#else
__device__ __attribute__((always_inline, noreturn)) inline void trap() {
  __builtin_trap();
}
#endif

}  // namespace __hip_detail

#endif
