// SPDX-License-Identifier: MIT
// Finds the symbol of the named kernel in a new code object.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace hipwright::toolchain {

// The kernel called `name` in an AMD code object or a CUBIN: by name expression
// (name_expression.h), by mangled or source name, with or without its namespaces, or the only
// kernel. The error lists the kernels of the code object.
Result<std::string> kernel_symbol(std::string_view code_object, const std::string& name);

// Whether the symbol is a kernel of this name, with or without its namespaces; template arguments
// may be omitted.
bool is_called(const std::string& symbol, const std::string& name);

// The same decision over a list of symbols.
Result<std::string> choose_symbol(const std::vector<std::string>& symbols, const std::string& name);

}  // namespace hipwright::toolchain
