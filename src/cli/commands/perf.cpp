// SPDX-License-Identifier: MIT
#include "cli/perf.h"

#include <fmt/format.h>

#include "cli/verify.h"

namespace hipwright::cli {

namespace {

const Command::Registration registration({
    .name = "perf",
    .summary = "Measure programs, and tell regressions from noise",
    .define = [](App app) -> std::function<int()> {
      const std::vector<PerfPart> parts{define_perf_run(app), define_perf_compare(app),
                                        define_perf_baseline(app), define_perf_history(app),
                                        define_perf_bisect(app)};
      app.require_subcommand();
      return [parts] {
        for (const PerfPart& part : parts)
          if (part.app.parsed()) return part.run();
        return kUsage;
      };
    },
});

}  // namespace

void PerfRuns::define(App app) {
  app.add_option("--runs", runs, "Minimum number of measured runs of each side")
      .type_name("N")
      .range(1U, 100000U)
      .capture_default_str();
  app.add_option("--max-runs", max_runs,
                 "Maximum number of runs; fewer if the results are precise enough")
      .type_name("N")
      .range(1U, 100000U)
      .capture_default_str();
  app.add_option("--precision", precision,
                 "Stop when the 95% intervals are no wider than this many percent to each side")
      .type_name("PERCENT")
      .range(0.01, 100.0)
      .capture_default_str();
  app.add_option("--warmup", warmup, "Number of warm-up runs, which are not measured")
      .type_name("N")
      .range(0U, 1000U)
      .capture_default_str();
  app.add_option("--timeout", timeout, "Time limit for one run")
      .type_name("SECONDS")
      .range(1U, 1000000U)
      .capture_default_str();
  app.add_option("--max-time", max_time, "Time for one benchmark after the fewest runs")
      .type_name("SECONDS")
      .range(0U, 1000000U)
      .capture_default_str();
  app.add_option("--device", devices,
                 "Count on a software GPU instead of measuring: soft:gfx942; several with commas")
      .type_name("DEVICES")
      .delimiter(',')
      .allow_extra_args(false);
  app.add_option("--code", code,
                 "Files with kernels whose registers, spills and code size count, besides the "
                 "program itself; separated by commas")
      .type_name("FILES")
      .delimiter(',')
      .allow_extra_args(false);
}

Result<perf::MeasureOptions> PerfRuns::options() const {
  perf::MeasureOptions options{.warmup = warmup,
                               .runs = runs,
                               .max_runs = max_runs,
                               .precision = precision / 100,
                               .timeout = std::chrono::seconds(timeout),
                               .max_time = std::chrono::seconds(max_time),
                               .devices = devices,
                               .code = code,
                               .program = own_program()};
  for (const std::string& device : devices)
    if (!device.starts_with("soft:"))
      return fail("cannot count on", device, "not a software GPU",
                  "Use soft:TARGET, for example soft:gfx942. Without --device, the program runs on "
                  "the device it chooses itself.");
  options.progress = standard_progress_output(globals().quiet);
  return options;
}

void PerfGate::define(App app) {
  app.add_option("--threshold", threshold, "Smallest relative change to report")
      .type_name("PERCENT")
      .range(0.0, 1000.0)
      .capture_default_str();
  app.add_option("--metric", metrics, "Compare these metrics only, separated by commas")
      .type_name("METRICS")
      .delimiter(',')
      .allow_extra_args(false);
  app.add_option("--ignore", ignored,
                 "Machine properties that may differ, separated by commas: os_kernel, compiler")
      .type_name("FACTS")
      .delimiter(',')
      .allow_extra_args(false);
}

perf::CompareOptions PerfGate::options() const {
  perf::CompareOptions options{.threshold = threshold / 100};
  options.metrics.insert(metrics.begin(), metrics.end());
  options.ignored.insert(ignored.begin(), ignored.end());
  return options;
}

int gate_code(const perf::Comparison& comparison) {
  if (comparison.failed()) return kFindings;
  return comparison.is_decided() && !comparison.rows.empty() ? kOk : kNotChecked;
}

}  // namespace hipwright::cli
