// SPDX-License-Identifier: MIT
#include "port/python/rocm_modules.h"

#include <array>

namespace hipwright::port {

namespace {

// From the projects' own installation guides and AMD's documentation.
constexpr std::array kModules = std::to_array<RocmModule>({
    {"xformers", "PyTorch's index for ROCm has wheels"},
    {"flashinfer", "AMD maintains a port for gfx942 and gfx950"},
    {"transformer_engine", "AMD maintains a port in ROCm/TransformerEngine"},
    {"nvtx", "the package needs no NVIDIA driver"},
});

}  // namespace

const RocmModule* find_rocm_module(std::string_view module) {
  const std::string_view first = module.substr(0, module.find('.'));
  for (const RocmModule& each : kModules)
    if (each.name == first) return &each;
  return nullptr;
}

}  // namespace hipwright::port
