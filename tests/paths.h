// SPDX-License-Identifier: MIT
// Paths of this checkout, in functions rather than macros: only paths.cpp is compiled with them, so
// that ccache shares the tests' objects between checkouts.
#pragma once

#include <filesystem>
#include <string>

namespace hipwright {

// The folder tests/.
std::filesystem::path tests_folder();

// The built command-line tool.
std::string built_tool();

}  // namespace hipwright
