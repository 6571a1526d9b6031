// SPDX-License-Identifier: MIT
// Settings of the software GPU, from the environment; `hipwright run` sets them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arch/target.h"
#include "base/error.h"
#include "soft/check/options.h"
#include "soft/launch/launch.h"

namespace hipwright::soft::hip {

struct Config {
  // HIPWRIGHT_SOFT_TARGET: "gfx942", "gfx942,gfx1100"; empty when it is not set
  std::vector<arch::Target> targets;
  // The variables of ROCm that hide devices have hidden all of them; which, as text.
  std::string hidden_by;
  Schedule schedule;             // HIPWRIGHT_SOFT_SCHEDULE, HIPWRIGHT_SOFT_THREADS
  std::uint64_t step_limit = 0;  // HIPWRIGHT_SOFT_STEP_LIMIT: instructions per wave; 0: no limit
  bool runs_kernels = true;      // HIPWRIGHT_SOFT_KERNELS: "none", and launches do nothing
  CheckOptions checks;           // HIPWRIGHT_SOFT_CHECK: "all", or names; none when it is not set
  std::string report;            // HIPWRIGHT_SOFT_REPORT: a .json or .html file
  bool counts = false;      // HIPWRIGHT_SOFT_COUNT: "1", and counters are kept without a report
  bool fails_exit = false;  // HIPWRIGHT_SOFT_STATUS: "1", and a failed launch fails the process
  bool check() const { return any_check(checks); }
};
// HIPWRIGHT_SOFT_EVENTS is not among them (base/device_event.h): errors in the others are reported
// there, too.

// An error names the variable, its value and what is allowed.
Result<Config> config_from_environment();

// The device for "gfx942" or a product name; an error lists the supported targets.
Result<arch::Target> parse_device(const std::string& text);

// The same for several, separated by commas.
Result<std::vector<arch::Target>> parse_devices(std::string_view text);

// What a list as in HIP_VISIBLE_DEVICES leaves of `count` devices: their numbers, up to the first
// entry that is none. Each counts once.
std::vector<int> visible_devices(std::string_view list, int count);

// The exit status of a program that succeeded although checks found something, or although a
// kernel failed.
constexpr int kFindingsStatus = 99;
constexpr int kFailedLaunchStatus = 98;

}  // namespace hipwright::soft::hip
