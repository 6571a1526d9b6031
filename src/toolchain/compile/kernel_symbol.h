// SPDX-License-Identifier: MIT
// Which symbol of a fresh code object is the kernel that the caller named.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace hipwright::toolchain {

// The kernel called `name` in an AMD code object or a CUBIN, by mangled or source name, or the
// only kernel there is; empty when several could be meant. Damaged input is an error.
Result<std::string> kernel_symbol(std::string_view code_object, std::string_view name);

// The same decision over a list of symbols.
std::string choose_symbol(const std::vector<std::string>& symbols, std::string_view name);

}  // namespace hipwright::toolchain
