// SPDX-License-Identifier: MIT
#include "perf/measure/measure.h"

#include <algorithm>
#include <ctime>
#include <random>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "base/file.h"
#include "base/stop.h"
#include "perf/measure/kernel_counts.h"
#include "perf/measure/machine.h"
#include "perf/measure/one_run.h"
#include "perf/measure/program_metrics.h"
#include "perf/statistics/ratio.h"

namespace hipwright::perf {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

std::string now_text() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

std::string random_id() {
  std::random_device device;
  return fmt::format("{:08x}{:08x}", device(), device());
}

// A run that failed ends the measuring of its benchmark: all samples of a record are of runs that
// did what they should.
bool take(OneRun run, Benchmark& into) {
  // The run that was stopped is no sample; those before it are.
  if (stop_requested() && !into.measurements.empty()) return false;
  if (run.status == RunStatus::kSuccess) {
    into.exit_code = run.exit_code;
    if (auto added = add_measurements(into.measurements, std::move(run.measurements)); added)
      return true;
    else
      run = {.status = RunStatus::kError, .error = added.error().message()};
  }
  into.status = run.status;
  into.error = std::move(run.error);
  into.exit_code = run.exit_code;
  into.measurements.clear();
  into.kernels.clear();
  return false;
}

bool is_narrow(const Interval& interval, double centre, double precision) {
  return interval.high <= centre * (1 + precision) && interval.low >= centre / (1 + precision);
}

// Of the times and memory, as far as all sides have them.
bool is_precise(const std::vector<Benchmark*>& sides, double precision) {
  for (const Measurement& base : sides.front()->measurements) {
    if (sides.size() == 1) {
      if (!is_narrow(median_interval(base.samples), 1, precision)) return false;
      continue;
    }
    const Measurement* head = sides.back()->measurement(base.name);
    if (head == nullptr) continue;
    const double ratio = median(values_of(head->samples)) / median(values_of(base.samples));
    const Interval interval = ratio_interval({base.samples, head->samples, true});
    if (!is_narrow(interval, ratio, precision)) return false;
  }
  return true;
}

class Measuring {
 public:
  Measuring(const Item& item, const std::vector<Side>& sides, const MeasureOptions& options)
      : item_(item), sides_(sides), options_(options) {}

  // Into one benchmark for each side.
  void run(const std::vector<Benchmark*>& into) {
    if (options_.devices.empty()) {
      for (unsigned i = 0; i < options_.warmup; ++i)
        if (!warm_up(into)) return;
      rounds(into);
    }
    for (std::size_t side = 0; side < sides_.size(); ++side) count(sides_[side], *into[side]);
  }

 private:
  bool warm_up(const std::vector<Benchmark*>& into) {
    bool all = true;
    for (std::size_t side = 0; side < sides_.size(); ++side) {
      OneRun run = run_once(item_, sides_[side], options_, 0);
      run.measurements.clear();
      all = take(std::move(run), *into[side]) && all;
    }
    return all;
  }

  // Until the results are precise, or the limits are reached. In turns: base first, then head
  // first.
  void rounds(const std::vector<Benchmark*>& into) {
    const auto started = Clock::now();
    unsigned next_look = options_.runs;
    for (unsigned round = 0; round < std::max(options_.runs, options_.max_runs); ++round) {
      for (std::size_t i = 0; i < sides_.size(); ++i) {
        const std::size_t side = round % 2 == 0 ? i : sides_.size() - 1 - i;
        if (!take(run_once(item_, sides_[side], options_, round), *into[side])) return;
      }
      const unsigned done = round + 1;
      if (done < options_.runs) continue;
      if (Clock::now() - started >= options_.max_time) return;
      // Few looks, far apart: each costs thousands of resamples.
      if (done < next_look) continue;
      if (is_precise(into, options_.precision)) return;
      next_look = done + std::max(done / 4, 1U);
    }
  }

  void count(const Side& side, Benchmark& into) {
    if (into.status != RunStatus::kSuccess) return;
    for (const std::string& device : options_.devices)
      if (!take(count_on(device, item_, side, options_, into.kernels), into)) return;
    add_code(side, into);
  }

  // Kernels of the program itself and of the files that were named.
  void add_code(const Side& side, Benchmark& into) {
    std::vector<fs::path> files;
    if (const auto program = program_of(item_, side); program && has_kernels(*program))
      files.push_back(*program);
    for (const fs::path& each : options_.code) files.push_back(side.directory / each);
    for (const fs::path& file : files) {
      auto counts = file_counts(file);
      if (!counts) {
        take({.status = RunStatus::kError, .error = counts.error().message()}, into);
        return;
      }
      for (KernelCounts& each : *counts) into.kernels.push_back(std::move(each));
    }
    number_namesakes(into.kernels);
  }

  const Item& item_;
  const std::vector<Side>& sides_;
  const MeasureOptions& options_;
};

}  // namespace

Result<std::vector<Record>> measure(const std::vector<Item>& items, const std::vector<Side>& sides,
                                    const MeasureOptions& options) {
  Record record{.tool = HIPWRIGHT_VERSION, .made = now_text()};
  if (sides.size() > 1) record.session = random_id();
  record.machine = probe_machine();
  for (const Item& each : items)
    record.benchmarks.push_back({.name = each.name, .command = each.argv});
  std::vector<Record> records(sides.size(), record);
  for (std::size_t side = 0; side < sides.size(); ++side) {
    std::error_code ignored;
    if (!sides[side].directory.empty() && !fs::is_directory(sides[side].directory, ignored))
      return fail("cannot measure", sides[side].directory.string(), "not a directory");
    records[side].label = sides[side].label;
  }
  std::optional<Progress> progress;
  if (options.progress)
    progress.emplace("measuring", items.size(), items.size() == 1 ? "benchmark" : "benchmarks",
                     *options.progress);
  for (std::size_t i = 0; i < items.size(); ++i) {
    std::vector<Benchmark*> into;
    for (Record& each : records) into.push_back(&each.benchmarks[i]);
    if (stop_requested()) {
      for (Benchmark* each : into) {
        each->status = RunStatus::kSkipped;
        each->error = "stopped";
      }
      continue;
    }
    Measuring(items[i], sides, options).run(into);
    if (progress) progress->advance(1, items[i].name);
  }
  return records;
}

}  // namespace hipwright::perf
