// SPDX-License-Identifier: MIT
// Whether the runs of a program agree: with golden results, and with each other.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "verify/program/outcome.h"
#include "verify/program/project.h"
#include "verify/program/run.h"
#include "verify/verdict.h"

namespace hipwright::verify {

// With the same arguments, in the usual order of waves.
struct ProgramRuns {
  std::string subject;           // "program histogram 1000"
  std::filesystem::path golden;  // may be empty
  std::vector<Ran> ran;
  std::vector<Ran> checked;      // the same with the software GPU's checks
  std::vector<Ran> idle;         // the same with kernels that do nothing
  bool ignores_kernels = false;  // it prints and captures the same when they do nothing
};

Check check_of(const std::string& subject, Level level, std::string question,
               const std::string& device);

// Agreement that the kernels have no part in proves nothing.
void discount(Check& check, const ProgramRuns& runs);

void compare_with_golden(const ProgramSpec& program, const ProgramRuns& runs,
                         const RunOptions& options, std::vector<Check>& checks);
void compare_devices(const ProgramRuns& runs, std::vector<Check>& checks);

}  // namespace hipwright::verify
