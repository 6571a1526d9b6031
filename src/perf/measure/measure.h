// SPDX-License-Identifier: MIT
// Runs benchmarks: warm-up, then rounds. With two sides every round runs both, one after the other
// in turns, so that what else the machine does affects both.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/process.h"
#include "base/progress.h"
#include "perf/measure/benchmark_list.h"
#include "perf/record/record.h"

namespace hipwright::perf {

// One version of what is measured.
struct Side {
  std::filesystem::path directory;  // where the commands run; empty: the current one
  std::string label;
};

struct MeasureOptions {
  unsigned warmup = 1;     // runs that are not recorded
  unsigned runs = 10;      // the fewest that are
  unsigned max_runs = 60;  // the most, unless the results are precise before
  // Precise: the 95% interval of each median (of the ratio, with two sides) is no further than this
  // from it. Only the width decides, so that measuring on cannot favour a verdict.
  double precision = 0.02;
  std::chrono::seconds timeout{600};        // of one run
  std::chrono::seconds max_time{300};       // of one benchmark, after the fewest runs
  std::vector<std::string> devices;         // software GPUs to count on: "soft:gfx942"
  std::vector<std::filesystem::path> code;  // files with kernels, besides the commands' programs
  std::filesystem::path program;            // hipwright itself, for the software GPU
  std::optional<ProgressOutput> progress;
};

// One record for each side. What fails is a benchmark with a status, not an error. After a request
// to stop, what was not measured is skipped.
Result<std::vector<Record>> measure(const std::vector<Item>& items, const std::vector<Side>& sides,
                                    const MeasureOptions& options);

// The exit code by which a benchmark says that it does not apply here, as in Automake's tests.
constexpr int kSkipExitCode = 77;

}  // namespace hipwright::perf
