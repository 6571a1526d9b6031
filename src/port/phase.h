// SPDX-License-Identifier: MIT
// The phases of a port. The first digit of a code is its phase.
#pragma once

#include <string_view>

namespace hipwright::port {

enum class Phase {
  kEnvironment,
  kDetection,
  kSource,
  kWave,
  kBuild,
  kLibraries,
  kCompile,
  kGraphs,
  kVerify
};
constexpr int kPhaseCount = 9;
std::string_view to_string(Phase phase);  // "source translation"

// Of "HP202": kSource.
constexpr Phase phase_of(std::string_view code) {
  return static_cast<Phase>(code[2] - '0');
}

}  // namespace hipwright::port
