// SPDX-License-Identifier: MIT
// The tools that produced a code object.
#pragma once

#include <string>

#include "toolchain/code_object/code_object.h"

namespace hipwright::toolchain {

// The compiler, the linker and the compiler of the device libraries, as they identify themselves;
// empty if they do not.
std::string producer_of(const CodeObject& object);

}  // namespace hipwright::toolchain
