// SPDX-License-Identifier: MIT
// One kernel, one device, one seed: the smallest thing that a sweep does. Each runs in a process of
// its own: a device that is lost takes nothing else with it, and the software GPU's checks and
// schedules are a process's.
#pragma once

#include <map>
#include <string>

#include "verify/kernel/spec.h"
#include "verify/numeric/values.h"

namespace hipwright::verify {

struct CellRequest {
  std::string device;    // "soft:gfx942", "cuda", "hip:0", "cpu"
  std::uint64_t seed = 1;
  std::string schedule;  // of the software GPU: "", "deterministic", "random:7"
};

struct CellResult {
  std::map<std::string, Values> outputs;
  std::string device;    // as it calls itself, with its architecture
  std::string compiler;  // with the device libraries' version
  unsigned wave_size = 0, block_size = 0;
  double seconds = 0;
  // Of the software GPU: what its checks found, as text; empty: nothing.
  std::string findings;
};

// In this process.
Result<CellResult> run_cell(const KernelSpec& spec, const CellRequest& request);

}  // namespace hipwright::verify
