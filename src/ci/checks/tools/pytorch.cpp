// SPDX-License-Identifier: MIT
// PyTorch, as the job's Python sees it: a ROCm build that finds the GPU.
#include <fmt/format.h>

#include "base/counted.h"
#include "ci/check.h"

namespace hipwright::ci::checks {

namespace {

void not_available(Checkup& c, const Torch& torch) {
  const bool has_gpu = !gpus_of(c.facts).empty();
  if (!has_gpu)
    return c.warn(fmt::format("PyTorch {} for HIP {} finds no GPU; none was found otherwise",
                              torch.version, torch.hip),
                  "See the results for gpu-targets and gpu-access");
  c.need(fmt::format("torch.cuda.is_available() is False although there is a GPU (PyTorch {}, HIP "
                     "{})",
                     torch.version, torch.hip),
         "See gpu-access and visible-devices; on Windows update AMD Software and reboot");
}

void run(Checkup& c) {
  if (!c.facts.torch) return c.unknown("PyTorch was not probed", "hipwright doctor --torch");
  const Torch& torch = *c.facts.torch;
  if (!torch.found)
    return c.warn("PyTorch is not installed" + (torch.error.empty() ? "" : ": " + torch.error),
                  "pip install torch --index-url https://download.pytorch.org/whl/rocm6.4 (the "
                  "index must match the driver)");
  if (torch.hip.empty())
    return c.need(fmt::format("PyTorch {} is {}", torch.version,
                              torch.cuda.empty() ? "a CPU build" : "built for CUDA " + torch.cuda),
                  "pip install --force-reinstall torch --index-url "
                  "https://download.pytorch.org/whl/rocm6.4");
  const auto hip = version_numbers(torch.hip), rocm = version_numbers(c.facts.rocm_version);
  if (!hip.empty() && !rocm.empty() && hip.front() != rocm.front())
    c.warn(fmt::format("PyTorch is built for HIP {}, and ROCm {} is installed", torch.hip,
                       c.facts.rocm_version),
           fmt::format("Extensions built here will not load: install the wheel of "
                       "https://download.pytorch.org/whl/rocm{}.{}, or ROCm {}",
                       rocm[0], rocm.size() > 1 ? rocm[1] : 0, hip.front()));
  if (torch.is_available == false) return not_available(c, torch);
  if (!torch.is_available)
    return c.unknown("torch.cuda.is_available() gave no answer: " + torch.error,
                     "python3 -c 'import torch; print(torch.cuda.is_available())'");
  c.pass(fmt::format("PyTorch {}, HIP {}, {} (first: {})", torch.version, torch.hip,
                     counted(torch.device_count, "GPU"), torch.device_name));
}

}  // namespace

Check pytorch() {
  return {.name = "pytorch", .title = "PyTorch for ROCm", .run = run};
}

}  // namespace hipwright::ci::checks
