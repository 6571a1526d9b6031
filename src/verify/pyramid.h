// SPDX-License-Identifier: MIT
// The four levels of verification of a tree, from the cheapest to the most conclusive.
#pragma once

#include <chrono>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "arch/processors.h"
#include "base/error.h"
#include "base/progress.h"
#include "project/rules.h"
#include "toolchain/compile/unit_compiler.h"
#include "verify/kernel/sweep.h"
#include "verify/verdict.h"

namespace hipwright::verify {

struct PyramidOptions {
  std::filesystem::path path;
  // The sources it is a port of, which golden results must belong to. Empty: unknown.
  std::filesystem::path original;
  // The project's rules; empty: those of its hipwright-port.toml.
  std::optional<project::Rules> rules;
  Level up_to = Level::kNumerical;
  std::vector<std::string> archs = {std::begin(arch::kProofTargets), std::end(arch::kProofTargets)};
  // For programs; empty: software GPUs of arch::kProofTargetsOfPrograms, and the AMD GPUs of this
  // machine.
  std::vector<std::string> devices;
  // Random orders of waves, on a software GPU of each wave size, for programs and kernels.
  unsigned schedules = 2;
  std::chrono::seconds timeout{120};  // for one run of a program
  // For programs, instead of those that were found.
  std::optional<std::vector<std::string>> arguments;
  SweepOptions sweep;             // of kernels that have a spec
  std::filesystem::path program;  // hipwright itself
  // With objects of an earlier call; nullptr: one of its own.
  toolchain::UnitCompiler* compiler = nullptr;
  ProgressOutput progress;
};

Result<Pyramid> verify_tree(const PyramidOptions& options);

}  // namespace hipwright::verify
