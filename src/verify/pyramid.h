// SPDX-License-Identifier: MIT
// The four levels over a tree, from what costs nothing to what proves most.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/progress.h"
#include "verify/kernel/sweep.h"
#include "verify/verdict.h"

namespace hipwright::verify {

struct PyramidOptions {
  std::filesystem::path path;
  // What it is a port of: golden results must be of these sources. Empty: not known.
  std::filesystem::path original;
  Level up_to = Level::kNumerical;
  std::vector<std::string> archs = {"gfx942", "gfx90a", "gfx1100", "gfx1201"};
  // Of programs; empty: the software GPU's gfx942 and gfx1100, and AMD's GPUs that are there.
  std::vector<std::string> devices;
  // Random orders of waves, on a software GPU of each wave size; of programs and kernels.
  unsigned schedules = 2;
  std::chrono::seconds timeout{120};  // for one run of a program
  // Of programs, instead of those that were found.
  std::optional<std::vector<std::string>> arguments;
  SweepOptions sweep;             // of kernels that have a spec
  std::filesystem::path program;  // hipwright itself
  ProgressOutput progress;
};

Result<Pyramid> verify_tree(const PyramidOptions& options);

}  // namespace hipwright::verify
