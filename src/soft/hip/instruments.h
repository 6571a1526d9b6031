// SPDX-License-Identifier: MIT
// Checks and reports, as the environment asks for them, plugged into the runtime.
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
  // With checks the report is there from the start, as one that is not finished: it must not be
  // taken for a good one when the program dies.
  explicit Instruments(const Config& config);

  bool active() const { return checks_ != nullptr; }
  WatchFactory watch();  // for Engine::watch; empty: nothing watches

  // Names a device of the process, for the report.
  void add_device(const std::string& target);

  // Prints what checks have found since the last call; the report has it too, since a program may
  // end without a word.
  void after_launch();
  // At the end of the program: the summary and the report. True: checks found an error.
  bool finish();

 private:
  Json report_json() const;
  void write_report();
  const std::string& report_file();
  std::string targets() const;  // "gfx942, gfx1100"; under the lock

  Config config_;
  std::unique_ptr<Checks> checks_;
  mutable std::mutex mutex_;
  std::vector<std::string> devices_;
  std::size_t printed_ = 0;
  std::string report_file_;
  int report_process_ = 0;  // whose it is: a process may fork
  bool is_finished_ = false;
};

// One page with everything: findings, then what each kernel did.
std::string report_html(const std::string& program, const std::string& target, bool checked,
                        Findings& findings, Report& report);

}  // namespace hipwright::soft::hip
