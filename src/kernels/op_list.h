// SPDX-License-Identifier: MIT
// The lists that cmake/HipwrightKernels.cmake generates from the folders of operations.
#pragma once

#include "kernels/cpu_function.h"
#include "kernels/op.h"

namespace hipwright::kernels {

struct OpEntry {
  Op (*row)();
  // At each SIMD level; the second is nullptr on machines that are not x86-64.
  CpuFunctions (*generic)();
  CpuFunctions (*avx2)();
};
extern const OpEntry kOpEntries[];
extern const unsigned kOpEntryCount;

}  // namespace hipwright::kernels
