// SPDX-License-Identifier: MIT
// Checks and reports, as the environment asks for them, plugged into the runtime.
#pragma once

#include <memory>
#include <mutex>

#include "soft/check/checks.h"
#include "soft/hip/config.h"

namespace hipwright::soft::hip {

class Instruments {
 public:
  explicit Instruments(const Config& config);

  bool active() const { return checks_ != nullptr; }
  WatchFactory watch();  // for Engine::watch; empty: nothing watches

  // Prints what checks have found since the last call.
  void after_launch();
  // At the end of the program: the summary and the report. True: checks found an error.
  bool finish();

 private:
  Json report_json() const;

  Config config_;
  std::unique_ptr<Checks> checks_;
  std::mutex mutex_;
  std::size_t printed_ = 0;
};

// One page with everything: findings, then what each kernel did.
std::string report_html(const std::string& program, const std::string& target, bool checked,
                        Findings& findings, Report& report);

}  // namespace hipwright::soft::hip
