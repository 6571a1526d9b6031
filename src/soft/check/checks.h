// SPDX-License-Identifier: MIT
// All checks of a run. Plug watch_factory() into Engine::watch, run kernels, ask for the findings.
#pragma once

#include <memory>

#include "soft/check/findings.h"
#include "soft/check/options.h"
#include "soft/exec/launch.h"

namespace hipwright::soft {

class Report;

class Checks {
 public:
  explicit Checks(CheckOptions options);
  ~Checks();
  Checks(const Checks&) = delete;
  Checks& operator=(const Checks&) = delete;

  // The factory and its watches use this object: it must outlive them.
  WatchFactory watch_factory();
  // A watch that belongs to no launch, for a wave on the bench.
  std::unique_ptr<Watch> watch();

  Findings& findings();
  // What ran: counts, bytes, conflicts and fidelity, by kernel. Empty unless options.report.
  Report& report();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hipwright::soft
