// SPDX-License-Identifier: MIT
// ROCM.md: how to install a Python project's dependencies next to ROCm's PyTorch.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "port/ported_file.h"
#include "port/python/layout.h"
#include "port/python/requirement.h"

namespace hipwright::port {

// A harmful requirement.
struct Trouble {
  Requirement requirement;
  Verdict verdict;
};

std::string install_page(const Ported& ported, const PythonLayout& layout,
                         const std::vector<Trouble>& troubles, bool refuses_pythons,
                         bool has_requirements);
constexpr std::string_view kPageMark = "<!-- Made by hipwright port";

}  // namespace hipwright::port
