// SPDX-License-Identifier: MIT
// Programs, run on several devices: do they end well, and do the devices agree?
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/progress.h"
#include "verify/program/project.h"
#include "verify/verdict.h"

namespace hipwright::verify {

struct RunOptions {
  std::filesystem::path root;      // of the tree: each program runs in its main source's folder
  std::filesystem::path original;  // what it is a port of; may be empty
  std::vector<std::string> devices;
  std::vector<std::string> archs;  // what the programs were compiled for
  unsigned schedules = 2;          // random ones, on a software GPU of each wave size
  std::filesystem::path scratch;
  std::filesystem::path program;      // hipwright itself
  std::chrono::seconds timeout{120};  // for one run
  bool compares = true;               // captures, not only whether it runs
  ProgressOutput progress;
};

// `executables`: by the programs' names.
Result<std::vector<Check>> run_programs(
    const std::vector<ProgramSpec>& programs,
    const std::map<std::string, std::filesystem::path>& executables, const RunOptions& options);

// What a program says of itself: a line with fail, failed, mismatch, incorrect or the like as a
// word, in whichever case, unless it counts none of them. Empty: nothing of the kind.
std::string complaint_in(std::string_view output);

}  // namespace hipwright::verify
