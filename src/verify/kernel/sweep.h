// SPDX-License-Identifier: MIT
// Kernels × devices × seeds × schedules. Every result is a file of its own: what was interrupted
// goes on where it stopped, and what several machines did is put together by merging folders.
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
  // Empty: the software GPU's gfx942, gfx90a, gfx1100 and gfx1201, and all GPUs that are there.
  std::vector<std::string> devices;
  unsigned seeds = 1;      // from the spec's on
  unsigned schedules = 2;  // random ones, on a device of each wave size
  Shard shard;
  std::filesystem::path results;      // folder; what it has already is not done again
  std::filesystem::path program;      // hipwright itself
  std::chrono::seconds timeout{300};  // for one cell
  ProgressOutput progress;
};

// What a sweep without a list of devices is for.
std::vector<std::string> devices_here();

// What a sweep cannot do on the devices that it is for, as checks that say why.
std::vector<Check> left_out(const std::vector<KernelSpec>& specs, const SweepOptions& options);

// All of a sweep, in an order that does not depend on the machine.
std::vector<Cell> cells_of(const std::vector<KernelSpec>& specs, const SweepOptions& options);

// Runs those of the shard that have no result yet, as many at a time as there are cores. A device
// that was lost is tried once more.
Status run_sweep(const std::vector<KernelSpec>& specs, const std::vector<Cell>& cells,
                 const SweepOptions& options);

// Looks for the results in `folders` and compares: each device with the golden file, the reference
// and every other device; wave32 with wave64; schedules with each other; the spec's invariants.
// Cells without a result are not checked.
Result<std::vector<Check>> judge(const std::vector<KernelSpec>& specs,
                                 const std::vector<Cell>& cells,
                                 const std::vector<std::filesystem::path>& folders);

}  // namespace hipwright::verify
