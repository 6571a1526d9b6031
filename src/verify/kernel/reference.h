// SPDX-License-Identifier: MIT
// Runs a kernel's C++ reference on the CPU, for comparison with the GPUs.
#pragma once

#include <map>

#include "verify/kernel/spec.h"
#include "verify/numeric/values.h"

namespace hipwright::verify {

// Compiles spec.reference and calls the function named like the kernel with the values, in argument
// order; half and fp8 buffers arrive as integers of their size. Updates the outputs, and sets
// `compiler` to the compiler that was used.
Status run_reference(const KernelSpec& spec, std::map<std::string, Values>& values,
                     std::string& compiler);

}  // namespace hipwright::verify
