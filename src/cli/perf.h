// SPDX-License-Identifier: MIT
// The parts of `hipwright perf`, each with options of its own.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "perf/compare/compare.h"
#include "perf/measure/measure.h"

namespace hipwright::cli {

// How often and how long to run: `perf run` and `perf bisect`.
struct PerfRuns {
  unsigned warmup = 1, runs = 10, max_runs = 60, timeout = 600, max_time = 300;
  double precision = 2;  // percent
  std::vector<std::string> devices;
  std::vector<std::filesystem::path> code;

  void define(App app);
  Result<perf::MeasureOptions> options() const;
};

// When a difference counts: `perf compare` and `perf bisect`.
struct PerfGate {
  double threshold = 3;  // percent
  std::vector<std::string> metrics, ignored;

  void define(App app);
  perf::CompareOptions options() const;
};

// A subcommand, and what to do when it was called.
struct PerfPart {
  App app;
  std::function<int()> run;
};
PerfPart define_perf_run(App app);
PerfPart define_perf_compare(App app);
PerfPart define_perf_baseline(App app);
PerfPart define_perf_history(App app);
PerfPart define_perf_bisect(App app);

// kFindings when something regressed or is missing, kNotChecked when something is undecided.
int gate_code(const perf::Comparison& comparison);

}  // namespace hipwright::cli
