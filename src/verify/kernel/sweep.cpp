// SPDX-License-Identifier: MIT
#include "verify/kernel/sweep.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <mutex>

#include <fmt/format.h>

#include "arch/processors.h"
#include "base/file.h"
#include "base/process.h"
#include "base/thread_pool.h"
#include "toolchain/cache/kernel_cache.h"
#include "verify/check_report.h"
#include "verify/device_events.h"
#include "verify/devices.h"
#include "verify/kernel/results.h"

namespace hipwright::verify {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kHardware[] = {"hip", "cuda"};

const KernelSpec& spec_of(const std::vector<KernelSpec>& specs, const Cell& cell) {
  return *std::find_if(specs.begin(), specs.end(),
                       [&](const KernelSpec& each) { return each.label == cell.label; });
}

// NVIDIA compilers accept only CUDA sources.
bool is_without_source(const KernelSpec& spec, std::string_view device) {
  return device.starts_with("cuda") && spec.cuda.empty();
}

class Runner {
 public:
  Runner(const std::vector<KernelSpec>& specs, const SweepOptions& options)
      : specs_(specs), options_(options) {}

  Status run(const Cell& cell) {
    const KernelSpec& spec = spec_of(specs_, cell);
    const std::string id = cell_id(spec, cell);
    HW_TRY(const auto known, read_result(options_.results, id));
    // A result of another compiler proves nothing about this one.
    if (known && known->is_whole && is_final(known->stage) && known->made_with == compiler_of(cell))
      return {};
    HW_CHECK(attempt(spec, cell, id));
    HW_TRY(const auto first, read_result(options_.results, id));
    return first && first->stage == Stage::kLost ? attempt(spec, cell, id) : Status{};
  }

 private:
  // A lost device, a timeout or a crash may not recur.
  static bool is_final(Stage stage) {
    return stage != Stage::kLost && stage != Stage::kUnknown && stage != Stage::kTimedOut &&
           stage != Stage::kUnsupported;
  }

  Status attempt(const KernelSpec& spec, const Cell& cell, const std::string& id) {
    const fs::path report = options_.results / (id + ".checks.json");
    const fs::path events_file = options_.results / (id + ".events.jsonl");
    ProcessCommand command;
    command.argv = {options_.program.string(),
                    "verify",
                    "cell",
                    spec.file.string(),
                    cell.label,
                    "--device",
                    cell.device,
                    "--seed",
                    std::to_string(cell.seed),
                    "--results",
                    options_.results.string()};
    if (!cell.schedule.empty()) {
      command.argv.insert(command.argv.end(), {"--schedule", cell.schedule});
      command.environment.emplace_back("HIPWRIGHT_SOFT_SCHEDULE", cell.schedule);
    }
    if (is_soft(cell.device)) {
      command.environment.emplace_back("HIPWRIGHT_SOFT_CHECK", "all");
      command.environment.emplace_back("HIPWRIGHT_SOFT_REPORT", report.string());
      command.environment.emplace_back(kEventsVariable, events_file.string());
    }
    command.timeout = options_.timeout;
    std::error_code ignored;
    fs::remove(options_.results / (id + ".json"), ignored);  // of an earlier attempt
    fs::remove(report, ignored);
    fs::remove(events_file, ignored);
    HW_TRY(const Finished finished, hipwright::run(command));
    pass_on_warning(finished.err);
    HW_TRY(auto result, read_result(options_.results, id));
    if (!result) {
      result.emplace();
      result->device = cell.device;
      result->seconds = finished.seconds;
      result->stage = finished.timed_out ? Stage::kTimedOut : Stage::kUnknown;
      result->error = finished.timed_out ? std::string()
                      : finished.signal != 0
                          ? fmt::format("killed by signal {}: {}", finished.signal, finished.err)
                          : finished.err;
    }
    if (is_soft(cell.device)) {
      apply_events(read_events(events_file), *result);
      fs::remove(events_file, ignored);
      HW_TRY(CheckReport checks, take_report(report));
      result->findings = std::move(checks.findings);
      // Without the findings of the checks, results prove nothing.
      if (result->stage == Stage::kDone && !checks.is_finished) {
        result->stage = Stage::kUnknown;
        result->error = "the run ended before its checks reported: " + finished.err;
      }
    }
    result->is_whole = true;
    return write_result(options_.results, id, cell, *result);
  }

  // What a cell says of the kernel cache concerns all of them: once.
  void pass_on_warning(std::string_view err) {
    const std::size_t begin = err.find(toolchain::kCacheWarning);
    if (begin == std::string_view::npos || has_warned_.exchange(true)) return;
    const std::string line(err.substr(begin, err.find('\n', begin) - begin));
    std::fprintf(stderr, "%s\n", line.c_str());
  }

  // Which instruction failed, and why. What the software GPU lacks is no failure of the kernel.
  static void apply_events(const DeviceEvents& events, CellResult& result) {
    if (result.stage == Stage::kBuild || result.stage == Stage::kOtherTarget ||
        result.stage == Stage::kTimedOut)
      return;
    const Ending ending = ending_of(events);
    if (ending.verdict == Verdict::kNotChecked) {
      result.stage = Stage::kUnsupported;
      result.error = ending.evidence;
    } else if (ending.verdict == Verdict::kFail) {
      if (result.stage == Stage::kDone) result.stage = Stage::kRun;
      result.error += (result.error.empty() ? "" : "\n") + ending.evidence;
    } else if (result.stage == Stage::kDone && !events.has_start()) {
      result.stage = Stage::kUnknown;
      result.error = "the records of the software GPU are missing";
    } else if (result.stage == Stage::kUnknown) {
      result.error += text_of(events);
    }
  }

  const std::vector<KernelSpec>& specs_;
  const SweepOptions& options_;
  std::atomic<bool> has_warned_ = false;
};

}  // namespace

std::vector<std::string> devices_here() {
  std::vector<std::string> devices;
  for (const std::string_view target : arch::kProofTargets)
    devices.push_back(fmt::format("soft:{}", target));
  for (std::string& each : hardware_here(kHardware)) devices.push_back(std::move(each));
  return devices;
}

std::vector<Cell> cells_of(const std::vector<KernelSpec>& specs, const SweepOptions& options) {
  const std::vector<std::string> devices =
      options.devices.empty() ? devices_here() : options.devices;
  std::vector<Cell> cells;
  for (const KernelSpec& spec : specs)
    for (unsigned seed = 0; seed < options.seeds; ++seed) {
      const auto add = [&](const std::string& device, std::string schedule) {
        cells.push_back({spec.label, device, spec.seed + seed, std::move(schedule)});
      };
      if (!spec.reference.empty()) add(std::string(kReference), "");
      std::vector<unsigned> waves;  // whose schedules are covered
      for (const std::string& device : devices) {
        if (is_without_source(spec, device)) continue;
        add(device, is_soft(device) ? "deterministic" : "");
        if (!is_soft(device)) continue;
        const unsigned wave = wave_of(device);
        if (std::find(waves.begin(), waves.end(), wave) != waves.end()) continue;
        waves.push_back(wave);
        for (unsigned i = 1; i <= options.schedules; ++i) add(device, fmt::format("random:{}", i));
      }
    }
  return cells;
}

std::vector<Check> left_out(const std::vector<KernelSpec>& specs, const SweepOptions& options) {
  std::vector<Check> checks;
  for (const KernelSpec& spec : specs)
    for (const std::string& device : options.devices.empty() ? devices_here() : options.devices)
      if (is_without_source(spec, device))
        checks.push_back({.level = Level::kFunctional,
                          .subject = "kernel " + spec.label,
                          .question = "runs on " + device,
                          .evidence = "the spec has no CUDA source; add cuda = \"kernel.cu\"",
                          .setting = {device, "", "cuda"},
                          .is_declined = options.devices.empty()});
  return checks;
}

Status run_sweep(const std::vector<KernelSpec>& specs, const std::vector<Cell>& cells,
                 const SweepOptions& options) {
  std::error_code error;
  fs::create_directories(options.results, error);
  if (error) return fail("cannot write results to", options.results.string(), error.message());
  std::vector<const Cell*> mine;
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (options.shard.has(i)) mine.push_back(&cells[i]);
  Runner runner(specs, options);
  Progress progress("verifying", mine.size(), "runs", options.progress);
  std::mutex mutex;
  Status first;
  ThreadPool pool;
  pool.parallel_for(mine.size(), [&](std::size_t i) {
    const Status ran = runner.run(*mine[i]);
    const std::lock_guard lock(mutex);
    progress.advance(1, mine[i]->text());
    if (!ran && first) first = ran;
  });
  return first;
}

}  // namespace hipwright::verify
