// SPDX-License-Identifier: MIT
#include "cli/trace.h"

namespace hipwright::cli {

namespace {

const Command::Registration registration({
    .name = "trace",
    .summary = "Analyse a GPU profiler's trace and advise what to do next",
    .define = [](App app) -> std::function<int()> {
      const std::vector<TracePart> parts{define_trace_summary(app), define_trace_compare(app),
                                         define_trace_export(app), define_trace_record(app)};
      app.require_subcommand();
      return [parts] {
        for (const TracePart& part : parts)
          if (part.app.parsed()) return part.run();
        return kUsage;
      };
    },
});

}  // namespace

}  // namespace hipwright::cli
