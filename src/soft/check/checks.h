// SPDX-License-Identifier: MIT
// All checks of a run. Assign watch_factory() to Engine::watch, run kernels, read the findings.
#pragma once

#include <memory>

#include "soft/check/findings.h"
#include "soft/check/options.h"
#include "soft/launch/launch.h"

namespace hipwright::soft {

class Report;
class StreamRaces;

class Checks {
 public:
  explicit Checks(CheckOptions options);
  ~Checks();
  Checks(const Checks&) = delete;
  Checks& operator=(const Checks&) = delete;

  // The factory and its watches use this object: it must outlive them.
  WatchFactory watch_factory();
  // A watch without a launch, for tests of single waves.
  std::unique_ptr<Watch> watch();

  Findings& findings();
  // nullptr: the options leave races out.
  StreamRaces* stream_races();
  // What ran: counts, bytes, conflicts and fidelity, by kernel. Empty unless options.report.
  Report& report();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hipwright::soft
