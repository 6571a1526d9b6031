// SPDX-License-Identifier: MIT
// One run of a program on one device: what it printed and left.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "verify/program/outcome.h"
#include "verify/program/run.h"

namespace hipwright::verify {

struct HowToRun {
  std::string device;
  std::string schedule;  // of the software GPU: "random:1"; empty: the usual one
  bool checks = false;   // those of the software GPU
  bool kernels = true;   // false: launches do nothing
};

Result<Ran> run_once(const ProgramSpec& program, const std::vector<std::string>& arguments,
                     const std::filesystem::path& executable, const RunOptions& options,
                     const HowToRun& how);

}  // namespace hipwright::verify
