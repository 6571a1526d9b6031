// SPDX-License-Identifier: MIT
// The runtime's view of the GPUs against the kernel driver's.
#include <fmt/format.h>

#include "base/counted.h"
#include "base/words.h"
#include "ci/check.h"
#include "toolchain/rocminfo.h"

namespace hipwright::ci::checks {

namespace {

void explain(Checkup& c, const std::string& problem) {
  if (has_any(problem, {"NOT loaded"}))
    return c.need("rocminfo: " + problem, "sudo modprobe amdgpu");
  if (has_any(problem, {"ermission denied", "member of", "Unable to open /dev/kfd"}))
    return c.need("rocminfo: " + problem,
                  c.facts.container.inside
                      ? "Add to docker run: --device=/dev/kfd --device=/dev/dri --group-add GID"
                      : "See the result for gpu-access");
  if (has_any(problem, {"OUT_OF_RESOURCES"}))
    return c.need("rocminfo: " + problem,
                  "The runtime got no queue or memory: see gpu-access, gpu-processes and the "
                  "container's limits");
  c.need("rocminfo: " + problem, "Check `dmesg | grep -iE 'amdgpu|kfd'`");
}

void run(Checkup& c) {
  const CommandOutput& output = c.facts.rocminfo;
  if (output.timed_out)
    return c.fail("rocminfo did not finish in time", "A GPU may hang: see the result for gpu-hang");
  if (!output.exit_code)
    return c.need("rocminfo is not installed",
                  "sudo apt-get install rocminfo, and add /opt/rocm/bin to PATH");
  const toolchain::Rocminfo seen = toolchain::read_rocminfo(output.out);
  if (seen.gpus.empty())
    return explain(c, seen.problems.empty()
                          ? fmt::format("exit code {}, no GPU agent", *output.exit_code)
                          : seen.problems.front());
  if (!c.facts.kfd.empty() && seen.gpus.size() < c.facts.kfd.size() &&
      variable(c.facts, "ROCR_VISIBLE_DEVICES").empty())
    return c.warn(fmt::format("rocminfo lists {} of the driver's {}", seen.gpus.size(),
                              counted(c.facts.kfd.size(), "GPU")),
                  "Open all render nodes to this account: see gpu-access");
  c.pass(fmt::format("rocminfo lists {}", counted(seen.gpus.size(), "GPU")));
}

}  // namespace

Check rocminfo() {
  return {.name = "rocminfo", .title = "rocminfo sees the GPUs", .os = "linux", .run = run};
}

}  // namespace hipwright::ci::checks
