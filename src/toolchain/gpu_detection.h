// SPDX-License-Identifier: MIT
// Which targets to build for on a machine: a pure decision over what its sources say.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arch/target.h"
#include "base/error.h"

namespace hipwright::toolchain {

// The variable that overrides detection.
constexpr const char* kArchesVariable = "HIPWRIGHT_HIP_ARCHES";

struct GpuSources {
  // Variables that override detection, the first that is not empty wins: name and value.
  std::vector<std::pair<std::string, std::string>> overrides;
  std::vector<std::string> runtime;  // gcnArchName of each device of the HIP runtime
  std::string rocminfo;              // its output
  std::string hipconfig;             // its output
  std::vector<std::string> kfd;      // from the kernel driver's topology
  std::string fallback;              // targets to use without a GPU; empty: none
};

struct DetectedTargets {
  std::vector<arch::Target> targets;  // sorted, each processor once
  std::string source;                 // "rocminfo", "HIPWRIGHT_HIP_ARCHES"
  bool is_fallback = false;           // no GPU was found
  std::vector<std::string> notes;     // GPUs that were omitted, and why
};

// Variables are taken as written; a bad word in one is an error, not a reason to go on. GPUs give
// processors without features: a build that names a processor both with and without them does not
// load.
Result<DetectedTargets> detect_targets(const GpuSources& sources);

// The values of --offload-arch in what hipconfig prints.
std::vector<std::string> targets_in_hipconfig(std::string_view output);

}  // namespace hipwright::toolchain
