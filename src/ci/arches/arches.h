// SPDX-License-Identifier: MIT
// The targets to build for, in the form that each build system wants.
#pragma once

#include <string>
#include <string_view>

#include "arch/target.h"
#include "base/error.h"
#include "base/json_fwd.h"
#include "ci/host/facts.h"
#include "toolchain/gpu_detection.h"

namespace hipwright::ci {

// `variables`: further variables that override detection, after HIPWRIGHT_HIP_ARCHES.
toolchain::GpuSources sources_of(const HostFacts& facts, const std::vector<std::string>& variables,
                                 std::string fallback);

enum class ArchesFormat { kList, kCmake, kEnvironment, kSetupPy, kFlags, kGithub, kJson };
Result<ArchesFormat> parse_arches_format(std::string_view word);

// Has AMD a driver for Windows?
inline bool is_on_windows(const arch::Target& target) {
  return target.info->family >= arch::Family::kRdna1;
}

std::string arches_text(const toolchain::DetectedTargets& found, ArchesFormat format);

// Files for projects: they need neither hipwright nor a GPU where they are used.
std::string_view cmake_module();    // HipArches.cmake
std::string_view python_snippet();  // hip_arches.py

}  // namespace hipwright::ci
