// SPDX-License-Identifier: MIT
// Python modules that began as NVIDIA's and have builds for ROCm.
#pragma once

#include <string_view>

namespace hipwright::port {

struct RocmModule {
  std::string_view name;    // "xformers"
  std::string_view source;  // where the ROCm build comes from
};

// The entry of a module, by the first part of its dotted name; nullptr if no ROCm build is known.
const RocmModule* find_rocm_module(std::string_view module);

}  // namespace hipwright::port
