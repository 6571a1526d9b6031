// SPDX-License-Identifier: MIT
// One run of one benchmark on one side.
#pragma once

#include <filesystem>
#include <vector>

#include "base/error.h"
#include "perf/measure/measure.h"
#include "perf/record/record.h"

namespace hipwright::perf {

// What a run gave: measurements, or why there are none.
struct OneRun {
  RunStatus status = RunStatus::kSuccess;
  std::string error;
  std::optional<int> exit_code;
  std::vector<Measurement> measurements;
};

OneRun run_once(const Item& item, const Side& side, const MeasureOptions& options, unsigned round);

// Counts on a software GPU; two runs, because a count that changes from run to run cannot gate.
OneRun count_on(const std::string& device, const Item& item, const Side& side,
                const MeasureOptions& options, std::vector<KernelCounts>& counts);

// The program that runs: argv[0] as found from the side's directory.
std::optional<std::filesystem::path> program_of(const Item& item, const Side& side);

}  // namespace hipwright::perf
