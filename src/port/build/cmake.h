// SPDX-License-Identifier: MIT
// CMake files: CMake's HIP language for its CUDA language, ROCm's packages for NVIDIA's.
#pragma once

#include "port/port.h"

namespace hipwright::port {

// The option that chooses, where both are kept.
constexpr std::string_view kCMakeSwitch = "USE_ROCM";

// `tree`: who builds for AMD in a folder above needs no other way.
void translate_cmake(PortedFile& file, const Tree& tree, Mode mode);

}  // namespace hipwright::port
