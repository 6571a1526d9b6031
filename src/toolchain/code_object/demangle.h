// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace hipwright::toolchain {

// "axpy<float>(float*, int)" for "_Z4axpyIfEvPT_i" (the return type, which kernels have as void,
// is omitted). A name that is not mangled, or that could grow without bound, is returned unchanged.
std::string demangle(std::string_view name);

}  // namespace hipwright::toolchain
