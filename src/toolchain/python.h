// SPDX-License-Identifier: MIT
// The Python that runs the parts of hipwright that are Python.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "base/error.h"

namespace hipwright::toolchain {

// $HIPWRIGHT_PYTHON, which the Python package sets when it starts this program, or python3. An
// error, which begins with `what`, if it lacks one of the packages.
Result<std::string> python_with(std::string_view what,
                                std::initializer_list<std::string_view> packages);

}  // namespace hipwright::toolchain
