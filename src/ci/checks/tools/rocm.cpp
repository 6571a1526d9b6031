// SPDX-License-Identifier: MIT
// The ROCm installation: present, complete, and the one that the variables name.
#include <fmt/format.h>

#include "ci/check.h"

namespace hipwright::ci::checks {

namespace {

constexpr const char* kInstall =
    "Install ROCm: https://rocm.docs.amd.com/projects/install-on-linux, then: sudo amdgpu-install "
    "--usecase=rocm (or hiplibsdk,rocm without the graphics stack)";

void run(Checkup& c) {
  const HostFacts& facts = c.facts;
  const std::string_view chosen = variable(facts, "ROCM_PATH");
  if (facts.rocm_path.empty()) {
    if (!chosen.empty())
      return c.need(fmt::format("ROCM_PATH={}, and there is no ROCm (bin/hipcc, "
                                "include/hip/hip_runtime.h)",
                                chosen),
                    "unset ROCM_PATH, or set it to the installation");
    return c.need("ROCm is not installed (no /opt/rocm/bin/hipcc)", kInstall);
  }
  if (facts.rocm_version.empty())
    return c.unknown(facts.rocm_path + " does not say its version (.info/version)",
                     "hipconfig --version");
  const auto version = version_numbers(facts.rocm_version);
  if (!version.empty() && version.front() < 6)
    return c.warn(fmt::format("ROCm {} is older than 6.0", facts.rocm_version), kInstall);
  if (!facts.programs.contains("hipcc"))
    return c.need(fmt::format("hipcc of {} is not in PATH", facts.rocm_path),
                  fmt::format("export PATH={}/bin:$PATH; in a workflow: echo \"{}/bin\" >> "
                              "\"$GITHUB_PATH\"",
                              facts.rocm_path, facts.rocm_path));
  c.pass(fmt::format("ROCm {} in {}", facts.rocm_version, facts.rocm_path));
}

}  // namespace

Check rocm() {
  return {.name = "rocm", .title = "ROCm installed", .os = "linux", .run = run};
}

}  // namespace hipwright::ci::checks
