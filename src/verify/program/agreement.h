// SPDX-License-Identifier: MIT
// Whether the runs of a program agree: with golden results, and with each other.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "verify/program/outcome.h"
#include "verify/program/run.h"
#include "verify/program/workload.h"
#include "verify/verdict.h"

namespace hipwright::verify {

// Runs with the same arguments, in the default order of waves.
struct ProgramRuns {
  std::string subject;           // "program histogram 1000"
  std::filesystem::path golden;  // may be empty
  std::vector<ProgramRun> ran;
  std::vector<ProgramRun> checked;  // the same with the software GPU's checks
  std::vector<ProgramRun> idle;     // the same with kernels disabled
  bool ignores_kernels = false;     // its output is the same with kernels disabled
};

Check check_of(const std::string& subject, Level level, std::string question,
               const std::string& device);

// Withdraws a pass if the output does not depend on the kernels: such agreement proves nothing.
void discount(Check& check, const ProgramRuns& runs);

void compare_with_golden(const ProgramSpec& program, const ProgramRuns& runs,
                         const RunOptions& options, std::vector<Check>& checks);
void compare_devices(const ProgramRuns& runs, std::vector<Check>& checks);

}  // namespace hipwright::verify
