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
CiPart define_ci_check(App app);
CiPart define_ci_explain_log(App app);
CiPart define_ci_init(App app);
CiPart define_ci_update(App app);
CiPart define_ci_run(App app);
CiPart define_ci_wheel_check(App app);

}  // namespace hipwright::cli
