// SPDX-License-Identifier: MIT
#include "verify/program/single_run.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/process.h"
#include "verify/devices.h"
#include "verify/golden/golden.h"

namespace hipwright::verify {

namespace fs = std::filesystem;

Result<ProgramRun> run_once(const ProgramSpec& program, const std::vector<std::string>& arguments,
                            const fs::path& executable, const RunOptions& options,
                            const RunMode& how) {
  const auto& [device, schedule, checks, kernels] = how;
  ProgramRun ran{.device = device, .schedule = schedule};
  std::string folder = fmt::format("{}-{}-{}", program.name, device, schedule);
  std::replace_if(
      folder.begin(), folder.end(), [](char c) { return c == '/' || c == ':' || c == '#'; }, '-');
  const fs::path captures = options.scratch / "captures" / folder;
  const fs::path report = options.scratch / "checks.json";
  const fs::path events = options.scratch / "events.jsonl";
  std::error_code error;
  fs::remove(report, error);
  fs::remove(events, error);
  fs::remove_all(captures, error);
  fs::create_directories(captures, error);
  if (error) return fail("cannot capture to", captures.string(), error.message());
  ProcessCommand command;
  // The folder of its data files.
  command.directory = options.root / program.folder;
  if (is_soft(device)) {
    command.argv = {options.program.string(), "run", "--device", device};
    if (checks) command.argv.insert(command.argv.end(), {"--check", "--report", report.string()});
    if (!kernels) command.argv.emplace_back("--no-kernels");
    if (!schedule.empty()) command.argv.insert(command.argv.end(), {"--schedule", schedule});
    command.argv.emplace_back("--");
    command.environment.emplace_back(kEventsVariable, events.string());
  } else {
    // The program uses the first visible device.
    command.environment.emplace_back("HIP_VISIBLE_DEVICES", device.substr(device.find(':') + 1));
  }
  command.argv.push_back(executable.string());
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  command.environment.emplace_back("HIPWRIGHT_GOLDEN", captures.string());
  command.timeout = options.timeout;
  HW_TRY(ran.finished, hipwright::run(command));
  ran.events = read_events(events);
  if (checks) {
    HW_TRY(ran.checks, take_report(report));
  }
  // A program that captures nothing is compared by its output.
  if (!fs::is_empty(captures, error)) {
    HW_TRY(ran.captures, read_captures(captures));
  }
  return ran;
}

}  // namespace hipwright::verify
