// SPDX-License-Identifier: MIT
// Variables that name directories or targets: whether these exist and agree.
#include <fmt/format.h>

#include "arch/target.h"
#include "ci/check.h"

namespace hipwright::ci::checks {

namespace {

void check_targets(Checkup& c, const char* name) {
  const std::string_view value = variable(c.facts, name);
  if (value.empty()) return;
  if (const auto targets = arch::parse_targets(value); !targets)
    c.need(fmt::format("{}={}: {}", name, value, targets.error().message()),
           fmt::format("Correct or unset {}", name));
  else
    c.pass(fmt::format("{}={}", name, value));
}

void run(Checkup& c) {
  const std::string_view rocm = variable(c.facts, "ROCM_PATH");
  const std::string_view home = variable(c.facts, "ROCM_HOME");
  if (!rocm.empty() && !home.empty() && rocm != home)
    c.warn(fmt::format("ROCM_PATH={} and ROCM_HOME={} differ", rocm, home),
           fmt::format("export ROCM_HOME={}", rocm));
  const std::string_view hip = variable(c.facts, "HIP_PATH");
  if (c.facts.os == "linux" && !hip.empty() && !c.facts.rocm_path.empty() &&
      !hip.starts_with(c.facts.rocm_path))
    c.warn(fmt::format("HIP_PATH={} is not in {}", hip, c.facts.rocm_path),
           fmt::format("export HIP_PATH={}", c.facts.rocm_path));
  for (const char* name : {"HIPWRIGHT_HIP_ARCHES", "PYTORCH_ROCM_ARCH", "AMDGPU_TARGETS",
                           "GPU_TARGETS", "HCC_AMDGPU_TARGET"})
    check_targets(c, name);
  if (!variable(c.facts, "HSA_ENABLE_SDMA").empty())
    c.warn("HSA_ENABLE_SDMA is set: copies may be slower",
           "unset HSA_ENABLE_SDMA unless a known bug needs it");
  if (!variable(c.facts, "HIP_LAUNCH_BLOCKING").empty() ||
      !variable(c.facts, "AMD_SERIALIZE_KERNEL").empty())
    c.warn("HIP_LAUNCH_BLOCKING or AMD_SERIALIZE_KERNEL is set: kernels run one by one",
           "unset HIP_LAUNCH_BLOCKING AMD_SERIALIZE_KERNEL for measurements");
}

}  // namespace

Check rocm_environment() {
  return {.name = "rocm-environment", .title = "ROCm variables", .run = run};
}

}  // namespace hipwright::ci::checks
