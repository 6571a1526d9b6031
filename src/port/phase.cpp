// SPDX-License-Identifier: MIT
#include "port/phase.h"

#include <array>

namespace hipwright::port {

std::string_view to_string(Phase phase) {
  constexpr std::array<std::string_view, kPhaseCount> kNames = {
      "environment",   "detection",     "source translation",
      "wave size",     "build systems", "library replacement",
      "torch.compile", "graph capture", "compile and repair"};
  return kNames[static_cast<std::size_t>(phase)];
}

}  // namespace hipwright::port
