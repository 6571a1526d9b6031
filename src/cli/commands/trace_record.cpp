// SPDX-License-Identifier: MIT
#include <memory>

#include <fmt/format.h>

#include "cli/trace.h"
#include "trace/record/record.h"

namespace hipwright::cli {

namespace {

int run(const trace::RecordOptions& options) {
  const auto recorded = trace::record(options);
  if (!recorded) return report(recorded.error());
  for (const auto& path : recorded->traces)
    note(fmt::format("wrote {} with {}", path.string(), recorded->with));
  note(fmt::format("next: hipwright trace summary {}", recorded->traces.front().string()));
  return recorded->exit_code;
}

}  // namespace

TracePart define_trace_record(App app) {
  auto options = std::make_shared<trace::RecordOptions>();
  App own = app.add_subcommand(
      "record", "Run a program and record a trace of it, without changes to its source");
  own.add_option("COMMAND", options->command, "The program and its arguments, after --")
      .required()
      .type_name("COMMAND");
  own.positionals_at_end();
  own.add_option("--output,-o", options->output,
                 "The trace to write; ranks add .rank<N> to the name")
      .type_name("FILE")
      .capture_default_str();
  own.add_flag("--stacks", options->stacks,
               "Record Python's call stacks, which makes the trace large");
  own.add_flag("--memory", options->memory, "Record allocations");
  return {own, [options] { return run(*options); }};
}

}  // namespace hipwright::cli
