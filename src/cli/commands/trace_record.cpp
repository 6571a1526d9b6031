// SPDX-License-Identifier: MIT
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/process.h"
#include "cli/trace.h"
#include "trace/record/record.h"

namespace hipwright::cli {

namespace {

int run(const trace::RecordOptions& options) {
  const auto recorded = trace::record(options);
  if (!recorded) return report(recorded.error());
  for (const auto& path : recorded->traces)
    note(fmt::format("wrote {} with {}", path.string(), recorded->with));
  std::vector<std::string> traces;
  for (const auto& path : recorded->traces) traces.push_back(path.string());
  note("next: hipwright trace " + (traces.size() == 1
                                       ? "summary " + traces.front()
                                       : "export --perfetto merged.json " + shell_quoted(traces)));
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
  own.add_flag("--stacks", options->stacks, "Record Python call stacks, which makes traces large");
  own.add_flag("--memory", options->memory, "Record allocations");
  return {own, [options] { return run(*options); }};
}

}  // namespace hipwright::cli
