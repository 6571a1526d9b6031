// SPDX-License-Identifier: MIT
// Runs programs on several devices: do they succeed, and do the devices agree?
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/progress.h"
#include "verify/program/workload.h"
#include "verify/verdict.h"

namespace hipwright::verify {

struct RunOptions {
  std::filesystem::path root;      // each program runs in the folder of its main source
  std::filesystem::path original;  // the sources it is a port of; may be empty
  std::vector<std::string> devices;
  bool names_devices = false;      // the user named them
  std::vector<std::string> archs;  // that the programs were compiled for
  unsigned schedules = 2;          // random ones, on a software GPU of each wave size
  std::filesystem::path scratch;
  std::filesystem::path program;      // hipwright itself
  std::chrono::seconds timeout{120};  // for one run
  bool compares = true;               // results, not only whether it runs
  ProgressOutput progress;
};

// `executables`: by program name.
Result<std::vector<Check>> run_programs(
    const std::vector<ProgramSpec>& programs,
    const std::map<std::string, std::filesystem::path>& executables, const RunOptions& options);

// The line in which a program reports its own failure: it has fail, failed, mismatch, incorrect or
// the like as a word, in any case, and does not count zero of them. Empty: no such line.
std::string reported_failure(std::string_view output);

}  // namespace hipwright::verify
