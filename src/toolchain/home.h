// SPDX-License-Identifier: MIT
// Where hipwright is: the folder with bin/, lib/ and, in a tarball or wheel, llvm/ and amdgcn/.
#pragma once

#include <filesystem>

namespace hipwright::toolchain {

// The folder above the running executable's, or what set_home() named; empty if unknown.
std::filesystem::path home();

// For programs that hold the library and are not the tool, such as Python.
void set_home(std::filesystem::path folder);

}  // namespace hipwright::toolchain
