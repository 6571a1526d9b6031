// SPDX-License-Identifier: MIT
// Phase 0: what pip must not do to a machine that has ROCm's PyTorch.
#pragma once

#include "port/port.h"
#include "port/python/layout.h"
#include "port/python/requirement.h"

namespace hipwright::port {

struct Trouble {
  Requirement requirement;
  Verdict verdict;
};

// Says which requirements do harm. In --mode hip they are changed; in --mode dual the files stay,
// and requirements-rocm.txt is added. ROCM.md, which is added too, says how to install.
void port_dependencies(const Options& options, Ported& ported, const PythonLayout& layout);

// The text of ROCM.md.
std::string install_page(const Ported& ported, const PythonLayout& layout,
                         const std::vector<Trouble>& troubles, bool refuses_pythons,
                         bool has_requirements);
constexpr std::string_view kPageMark = "<!-- Made by hipwright port";

}  // namespace hipwright::port
