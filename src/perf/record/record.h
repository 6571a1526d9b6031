// SPDX-License-Identifier: MIT
// What was measured, with every raw sample and the machine that measured it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/json_fwd.h"
#include "perf/statistics/samples.h"

namespace hipwright::perf {

enum class RunStatus { kSuccess, kError, kMissing, kSkipped };
std::string_view to_string(RunStatus status);
std::optional<RunStatus> parse_status(std::string_view text);

enum class Better { kLower, kHigher };

// A quantity with noise: seconds, megabytes, tokens per second.
struct Measurement {
  std::string name;  // "duration_s"
  std::string unit;  // "s"; may be empty
  Better better = Better::kLower;
  std::vector<Sample> samples;  // positive numbers
};

// Quantities of one kernel without noise. `source` decides what they depend on besides the kernel.
struct KernelCounts {
  std::string kernel;  // demangled
  std::string target;
  std::string source;    // kCodeObject or kSoftwareGpu
  std::string producer;  // the compiler, as it identifies itself; may be empty
  std::map<std::string, std::uint64_t, std::less<>> counts;
  std::vector<std::string> unstable;  // counts that differed between two runs
};
constexpr std::string_view kCodeObject = "code object";
constexpr std::string_view kSoftwareGpu = "software GPU";

// Which of the counts are better when they are larger.
Better better_of(std::string_view count);

struct Benchmark {
  std::string name;
  std::vector<std::string> command;
  RunStatus status = RunStatus::kSuccess;
  std::string error;  // why it was not measured; empty with kSuccess
  std::optional<int> exit_code;
  std::vector<Measurement> measurements;
  std::vector<KernelCounts> kernels;

  const Measurement* measurement(std::string_view metric) const;
};

// Facts of a machine that results depend on, by name: "host_cpu", "gpu0", "rocm". Unknown facts
// are there as "unknown".
using Machine = std::map<std::string, std::string, std::less<>>;

struct Record {
  std::string tool;   // the version of hipwright, or what else wrote it
  std::string made;   // "2026-03-01T12:00:00Z"
  std::string label;  // what was measured: a commit, a branch; may be empty
  // Records with one session were measured together, round by round. Empty: unknown.
  std::string session;
  Machine machine;
  std::vector<Benchmark> benchmarks;

  const Benchmark* benchmark(std::string_view name) const;
};

// Names of measurements that `perf run` makes itself.
constexpr std::string_view kDuration = "duration_s";
constexpr std::string_view kCpuTime = "cpu_s";
constexpr std::string_view kHostMemory = "peak_host_memory_mb";
constexpr std::string_view kDeviceMemory = "peak_device_memory_mb";

Json record_json(const Record& record);
// `origin` names the text in errors.
Result<Record> parse_record(std::string_view text, const std::string& origin);

// A record, or a rocm_profile.json (rocm_profile.h): told apart by their content.
Result<Record> read_record(const std::filesystem::path& file);

}  // namespace hipwright::perf
