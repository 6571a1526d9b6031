// SPDX-License-Identifier: MIT
// The parts of `hipwright ci`, each with options of its own.
#pragma once

#include <functional>

#include "cli/command.h"

namespace hipwright::cli {

// A subcommand, and what to do when it was called.
struct CiPart {
  App app;
  std::function<int()> run;
};
CiPart define_ci_arches(App app);

}  // namespace hipwright::cli
