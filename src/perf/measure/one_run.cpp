// SPDX-License-Identifier: MIT
#include "perf/measure/one_run.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/file.h"
#include "base/stop.h"
#include "base/words.h"
#include "perf/measure/device_memory.h"
#include "perf/measure/kernel_counts.h"
#include "perf/measure/program_metrics.h"
#include "perf/record/json_input.h"

namespace hipwright::perf {

namespace {

namespace fs = std::filesystem;

// Enough for the message that explains a failure.
constexpr std::size_t kOutputLimit = 1 << 16;

std::string last_line(std::string_view text) {
  text = trimmed(text);
  const std::size_t at = text.find_last_of('\n');
  std::string line(trimmed(at == text.npos ? text : text.substr(at + 1)));
  constexpr std::size_t kLongest = 300;
  if (line.size() > kLongest) line.resize(kLongest);
  return line;
}

OneRun failed(RunStatus status, std::string error, std::optional<int> exit_code = {}) {
  return {.status = status, .error = std::move(error), .exit_code = exit_code};
}

// Why the run does not count; nothing if it does.
std::optional<OneRun> failure(const Result<Finished>& finished, const MeasureOptions& options) {
  if (stop_requested()) return failed(RunStatus::kSkipped, "stopped");
  if (!finished) return failed(RunStatus::kMissing, finished.error().message());
  if (finished->timed_out)
    return failed(RunStatus::kError, fmt::format("timed out after {} s", options.timeout.count()));
  if (finished->exit_code == kSkipExitCode)
    return failed(RunStatus::kSkipped, last_line(finished->out + finished->err), kSkipExitCode);
  if (finished->exit_code == 0) return std::nullopt;
  const std::string said = last_line(finished->err.empty() ? finished->out : finished->err);
  return failed(
      RunStatus::kError,
      finished->signal != 0
          ? fmt::format("ended by signal {}{}{}", finished->signal, said.empty() ? "" : ": ", said)
          : fmt::format("exit code {}{}{}", finished->exit_code, said.empty() ? "" : ": ", said),
      finished->exit_code);
}

constexpr double kMegabyte = 1024 * 1024;

std::vector<Measurement> measurements_of(const Finished& finished,
                                         std::optional<std::uint64_t> device_bytes,
                                         unsigned round) {
  std::vector<Measurement> all;
  const auto add = [&](std::string_view name, const char* unit, double value) {
    // A clock that did not move has nothing to compare.
    if (value > 0)
      all.push_back({.name = std::string(name), .unit = unit, .samples = {{value, round}}});
  };
  add(kDuration, "s", finished.seconds);
  add(kCpuTime, "s", finished.cpu_seconds);
  add(kHostMemory, "MB", static_cast<double>(finished.peak_resident_bytes) / kMegabyte);
  if (device_bytes) add(kDeviceMemory, "MB", static_cast<double>(*device_bytes) / kMegabyte);
  return all;
}

// The reason as a failed run, if they cannot be read.
std::optional<OneRun> add_program_metrics(const fs::path& file, unsigned round, OneRun& run) {
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return std::nullopt;
  const auto text = read_bounded_file(file);
  if (!text) return failed(RunStatus::kError, text.error().message());
  auto metrics = parse_metrics(*text, round, "the program's metrics,");
  if (!metrics) return failed(RunStatus::kError, metrics.error().message());
  // What the program knows better replaces what was seen from outside.
  for (const Measurement& each : *metrics)
    std::erase_if(run.measurements,
                  [&](const Measurement& known) { return known.name == each.name; });
  for (Measurement& each : *metrics) run.measurements.push_back(std::move(each));
  return std::nullopt;
}

// The reports of all processes of one run.
Result<std::vector<KernelCounts>> read_reports(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<KernelCounts> all;
  for (const fs::path& file : files) {
    HW_TRY(const std::string text, read_bounded_file(file));
    HW_TRY(const auto counts, parse_run_report(text, file.filename().string()));
    add_counts(all, counts);
  }
  return all;
}

OneRun count_once(const std::string& device, const Item& item, const Side& side,
                  const MeasureOptions& options, std::vector<KernelCounts>& counts) {
  const auto scratch = TemporaryDirectory::create();
  if (!scratch) return failed(RunStatus::kError, scratch.error().message());
  ProcessCommand command{
      .directory = side.directory, .timeout = options.timeout, .output_limit = kOutputLimit};
  command.argv = {options.program.string(),
                  "run",
                  "--device",
                  device,
                  "--schedule",
                  "deterministic",
                  "--report",
                  (scratch->path() / "report.json").string(),
                  "--"};
  command.argv.insert(command.argv.end(), item.argv.begin(), item.argv.end());
  const auto finished = run(command);
  if (auto bad = failure(finished, options)) return *std::move(bad);
  auto read = read_reports(scratch->path());
  if (!read) return failed(RunStatus::kError, read.error().message());
  if (read->empty()) return failed(RunStatus::kError, fmt::format("no kernel ran on {}", device));
  counts = *std::move(read);
  return {.exit_code = 0};
}

}  // namespace

std::optional<fs::path> program_of(const Item& item, const Side& side) {
  const std::string& name = item.argv.front();
  if (name.find('/') == name.npos) return find_program(name);
  const fs::path path = side.directory / name;
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return std::nullopt;
  return path;
}

OneRun run_once(const Item& item, const Side& side, const MeasureOptions& options, unsigned round) {
  const auto scratch = TemporaryDirectory::create();
  if (!scratch) return failed(RunStatus::kError, scratch.error().message());
  const fs::path metrics = scratch->path() / "metrics.jsonl";
  DeviceMemoryWatch memory;
  ProcessCommand command{.argv = item.argv,
                         .directory = side.directory,
                         .environment = {{kMetricsVariable, metrics.string()}},
                         .timeout = options.timeout,
                         .output_limit = kOutputLimit,
                         .started = [&](int process) { memory.start(process); }};
  // A relative program is the side's own.
  if (const auto program = program_of(item, side);
      program && item.argv.front().find('/') != std::string::npos)
    command.argv.front() = fs::absolute(*program).string();
  const auto finished = run(command);
  const auto device_bytes = memory.stop();
  if (auto bad = failure(finished, options)) return *std::move(bad);
  OneRun result{.exit_code = 0, .measurements = measurements_of(*finished, device_bytes, round)};
  if (auto bad = add_program_metrics(metrics, round, result)) return *std::move(bad);
  return result;
}

OneRun count_on(const std::string& device, const Item& item, const Side& side,
                const MeasureOptions& options, std::vector<KernelCounts>& counts) {
  std::vector<KernelCounts> first, second;
  OneRun result = count_once(device, item, side, options, first);
  if (result.status != RunStatus::kSuccess) return result;
  result = count_once(device, item, side, options, second);
  if (result.status != RunStatus::kSuccess) return result;
  mark_unstable(first, second);
  for (KernelCounts& each : first) counts.push_back(std::move(each));
  return result;
}

}  // namespace hipwright::perf
