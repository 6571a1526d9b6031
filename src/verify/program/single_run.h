// SPDX-License-Identifier: MIT
// Runs a program once on one device, and collects what it printed and captured.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "verify/program/outcome.h"
#include "verify/program/run.h"

namespace hipwright::verify {

struct RunMode {
  std::string device;
  std::string schedule;  // of the software GPU: "random:1"; empty: the default order
  bool checks = false;   // with the software GPU's checks
  bool kernels = true;   // false: launches do nothing
};

Result<ProgramRun> run_once(const ProgramSpec& program, const std::vector<std::string>& arguments,
                            const std::filesystem::path& executable, const RunOptions& options,
                            const RunMode& how);

}  // namespace hipwright::verify
