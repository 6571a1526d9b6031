// SPDX-License-Identifier: MIT
// Queries of lint rules for a Python file, for passes.
#pragma once

#include <string_view>
#include <vector>

#include "lint/rule.h"
#include "port/python/context.h"

namespace hipwright::port {

// The findings of a rule in the file. Rules report less in tests, which are ported like everything
// else unless they test the very number or type.
enum class Tests { kAreCode, kAreTests };
std::vector<lint::Reported> findings(const PythonContext& context, std::string_view rule,
                                     Tests tests = Tests::kAreCode);

}  // namespace hipwright::port
