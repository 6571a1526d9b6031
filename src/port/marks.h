// SPDX-License-Identifier: MIT
// What a port writes, and a later one recognises: it is not the project's own support for AMD.
#pragma once

#include <string_view>

namespace hipwright::port {

// CUDA's names for AMD, as a header of the ported tree.
constexpr std::string_view kNamesName = "hip_names.h";
// Platform macros: HIP compilers define the first for HIP sources, ROCm's build systems the second
// for all sources.
constexpr std::string_view kGate = "defined(__HIP__) || defined(__HIP_PLATFORM_AMD__)";
// The option that chooses, in CMake files that build for both.
constexpr std::string_view kCMakeSwitch = "USE_ROCM";
constexpr std::string_view kCMakeSwitchText = "Build for AMD GPUs";

}  // namespace hipwright::port
