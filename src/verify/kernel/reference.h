// SPDX-License-Identifier: MIT
// A kernel's work done by C++ on the CPU: what the GPUs are compared with.
#pragma once

#include <map>

#include "verify/kernel/spec.h"
#include "verify/numeric/values.h"

namespace hipwright::verify {

// Compiles spec.reference and calls the function of the kernel's name with the values, in the order
// of the arguments; half and fp8 buffers arrive as integers of their size. Changes the outputs.
// `compiler` becomes what compiled it.
Status run_reference(const KernelSpec& spec, std::map<std::string, Values>& values,
                     std::string& compiler);

}  // namespace hipwright::verify
