// SPDX-License-Identifier: MIT
// Kernels × devices × seeds × schedules. Every result is a separate file, so that an interrupted
// sweep resumes where it stopped, and results of several machines are merged by merging folders.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/progress.h"
#include "verify/kernel/cell.h"
#include "verify/shard.h"
#include "verify/verdict.h"

namespace hipwright::verify {

struct SweepOptions {
  // Empty: the software GPU's gfx942, gfx90a, gfx1100 and gfx1201, and all GPUs of this machine.
  std::vector<std::string> devices;
  unsigned seeds = 1;      // starting with the spec's
  unsigned schedules = 2;  // random ones, on a device of each wave size
  Shard shard;
  std::filesystem::path results;      // folder; existing results are reused
  std::filesystem::path program;      // hipwright itself
  std::chrono::seconds timeout{300};  // for one cell
  ProgressOutput progress;
};

// The devices of a sweep that names none.
std::vector<std::string> devices_here();

// The combinations that a sweep cannot run, as checks that say why.
std::vector<Check> left_out(const std::vector<KernelSpec>& specs, const SweepOptions& options);

// All cells of a sweep, in an order that does not depend on the machine.
std::vector<Cell> cells_of(const std::vector<KernelSpec>& specs, const SweepOptions& options);

// Runs the cells of the shard that have no result yet, one per core at a time. A cell that lost its
// device is retried once.
Status run_sweep(const std::vector<KernelSpec>& specs, const std::vector<Cell>& cells,
                 const SweepOptions& options);

// Reads the results in `folders` and compares each device with the golden file, the reference and
// every other device, wave32 with wave64, and schedules with each other; checks the spec's
// invariants. Cells without a result become "not checked".
Result<std::vector<Check>> judge(const std::vector<KernelSpec>& specs,
                                 const std::vector<Cell>& cells,
                                 const std::vector<std::filesystem::path>& folders);

}  // namespace hipwright::verify
