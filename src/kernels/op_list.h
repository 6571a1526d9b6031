// SPDX-License-Identifier: MIT
// The lists that cmake/HipwrightKernels.cmake generates from the folders of operations.
#pragma once

#include "kernels/cpu_function.h"
#include "kernels/op.h"

namespace hipwright::kernels {

struct OpEntry {
  Op (*row)();
  // By SIMD level, in the order of kSimdLevels; nullptr: not compiled for it, as all but the first
  // on machines that are not x86-64.
  CpuFunctions (*functions[3])();
};
constexpr const char* kSimdLevels[] = {"generic", "avx2", "avx512"};
extern const OpEntry kOpEntries[];
extern const unsigned kOpEntryCount;

}  // namespace hipwright::kernels
