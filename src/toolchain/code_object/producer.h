// SPDX-License-Identifier: MIT
// Who made a code object.
#pragma once

#include <string>

#include "toolchain/code_object/code_object.h"

namespace hipwright::toolchain {

// The compiler, the linker and the compiler of the device libraries, as they name themselves;
// empty: they do not.
std::string producer_of(const CodeObject& object);

}  // namespace hipwright::toolchain
