// SPDX-License-Identifier: MIT
// Every translation unit for every target, and the programs that are made of them.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/progress.h"
#include "toolchain/compile/unit_compiler.h"
#include "verify/program/workload.h"
#include "verify/verdict.h"

namespace hipwright::verify {

struct BuildOptions {
  std::vector<std::string> archs;
  std::filesystem::path scratch;  // programs
  toolchain::UnitCompiler* compiler = nullptr;
  ProgressOutput progress;
};

struct Built {
  std::vector<Check> checks;
  std::map<std::string, std::filesystem::path> programs;  // by name: those that were linked
};

Result<Built> build(const Workload& workload, const BuildOptions& options);

}  // namespace hipwright::verify
