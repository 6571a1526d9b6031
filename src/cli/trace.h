// SPDX-License-Identifier: MIT
// The parts of `hipwright trace`, each with options of its own.
#pragma once

#include <functional>

#include "cli/command.h"

namespace hipwright::cli {

struct TracePart {
  App app;
  std::function<int()> run;
};
TracePart define_trace_summary(App app);
TracePart define_trace_compare(App app);
TracePart define_trace_export(App app);
TracePart define_trace_record(App app);

}  // namespace hipwright::cli
