// SPDX-License-Identifier: MIT
// Phases 0, 1, 5, 6 and 7: what a Python project needs to run on ROCm's PyTorch. Every change is
// gated by is_rocm, in both modes: what NVIDIA runs stays as it was.
#pragma once

#include "port/port.h"
#include "port/python/context.h"

namespace hipwright::port {

// The changes of one Python file, and what they need of added modules.
PythonNeeds port_python(const Options& options, const Tree& tree, const PythonLayout& layout,
                        PortedFile& file);

// The modules that the changed files import. `needs`: of each file of `ported`.
void add_python_modules(Ported& ported, const PythonLayout& layout,
                        const std::vector<PythonNeeds>& needs);

}  // namespace hipwright::port
