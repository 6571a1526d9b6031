// SPDX-License-Identifier: MIT
// Which symbol of a fresh code object is the kernel that the caller named.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace hipwright::toolchain {

// The kernel called `name` in an AMD code object or a CUBIN: the one that the source named
// (name_expression.h), by mangled or source name, with or without its namespaces, or the only
// kernel there is. An error names the kernels that there are.
Result<std::string> kernel_symbol(std::string_view code_object, const std::string& name);

// Whether the symbol is a kernel of this name, with or without its namespaces; arguments of a
// template may be left out.
bool is_called(const std::string& symbol, const std::string& name);

// The same decision over a list of symbols.
Result<std::string> choose_symbol(const std::vector<std::string>& symbols, const std::string& name);

}  // namespace hipwright::toolchain
