// SPDX-License-Identifier: MIT
// Connects the checks and reports that the environment selects to the runtime.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "soft/check/checks.h"
#include "soft/hip/config.h"

namespace hipwright::soft::hip {

class Instruments {
 public:
  // With checks an unfinished report exists from the start: when the program dies, no reader can
  // mistake an old report for a good result.
  explicit Instruments(const Config& config);

  bool active() const { return checks_ != nullptr; }
  WatchFactory watch();         // for Engine::watch; empty: nothing watches
  StreamRaces* stream_races();  // nullptr: nobody looks for races

  // Names a device of the process, for the report.
  void add_device(const std::string& target);

  // Prints the findings since the last call and adds them to the report: a program may end without
  // notice.
  void after_launch();
  // The findings since the last call as JSON, for a caller that answers for them: they are neither
  // printed later nor part of the exit status, and found again when they occur again.
  std::string take_findings();
  // What each kernel did until now as JSON, as in the report.
  std::string kernels_json() const;
  // A kernel stopped: the run has failed, whatever the program makes of the error.
  void launch_failed(const std::string& message);
  // At the end of the program: the summary and the report. The exit status that the process
  // deserves: 0 when nothing failed.
  int finish();
  // The program is about to die of a signal: what was found until now.
  void finish_early();

 private:
  Json report_json() const;
  void write_report();
  const std::string& report_file();
  void summarize_checks();
  void summarize_failures();
  std::string targets() const;  // "gfx942, gfx1100"; under the lock

  Config config_;
  std::unique_ptr<Checks> checks_;
  mutable std::mutex mutex_;
  std::vector<std::string> devices_;
  std::size_t printed_ = 0;
  std::string report_file_;
  int report_process_ = 0;  // the process that owns it: a process may fork
  bool is_finished_ = false;
  std::uint64_t failed_launches_ = 0;
  std::string first_failure_;
};

// One page with everything: findings, then what each kernel did.
std::string report_html(const std::string& program, const std::string& target, bool checked,
                        Findings& findings, Report& report);

}  // namespace hipwright::soft::hip
