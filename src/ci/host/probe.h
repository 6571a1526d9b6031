// SPDX-License-Identifier: MIT
// Looks at this machine once. Every program it starts has a time limit: a hung GPU hangs them, not
// the probe.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ci/host/facts.h"

namespace hipwright::ci {

struct ProbeRequest {
  std::filesystem::path root = "/";  // of /dev, /proc, /sys and /etc
  std::filesystem::path hipwright;   // this tool, which asks the HIP runtime; empty: not asked
  bool torch = false;                // start Python to ask PyTorch: seconds
  std::vector<std::string> hosts;    // to reach over HTTPS; empty: none
};

HostFacts probe_host(const ProbeRequest& request);

// The parts that need programs or the network; the others read files only.
void probe_gpu_files(const std::filesystem::path& root, HostFacts& facts);
void probe_machine_files(const std::filesystem::path& root, HostFacts& facts);
void probe_runner_files(const std::filesystem::path& root, HostFacts& facts);

}  // namespace hipwright::ci
