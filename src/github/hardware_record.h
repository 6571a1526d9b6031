// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "base/json_fwd.h"

namespace hipwright::github {

// What a record of `verify` or `perf` says about a run, for a description.
struct HardwareRecord {
  std::string file;           // the record
  std::string test;           // "program histogram", "bench.sh"
  std::string gpu;            // an AMD GPU; empty: it did not run on one
  std::string rocm, pytorch;  // empty: the record does not say
  std::string result;         // "passed: …", "duration_s 12.3 ms"
  bool has_failed = false;

  bool is_on_amd() const { return !gpu.empty(); }
};

// Of `verify --json`: what its checklist says about hardware.
HardwareRecord record_of_verify(const Json& report, const std::string& file);

}  // namespace hipwright::github
