// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace hipwright::toolchain {

// "axpy<float>(float*, int)" for "_Z4axpyIfEvPT_i" (the return type, which kernels have as void,
// is left out). A name that is not mangled, or that could grow without bound, comes back as it is.
std::string demangle(std::string_view name);

}  // namespace hipwright::toolchain
