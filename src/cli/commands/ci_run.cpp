// SPDX-License-Identifier: MIT
#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include "base/counted.h"
#include "base/file.h"
#include "base/table.h"
#include "ci/run/run.h"
#include "cli/ci.h"

namespace hipwright::cli {

namespace {

struct Options {
  ci::RunRequest request;
  std::vector<std::string> variables;
};

int run(Options& options) {
  for (const std::string& each : options.variables) {
    const std::size_t equals = each.find('=');
    if (equals == std::string::npos || equals == 0)
      return report({"invalid variable", each, "", "Write --var NAME=value."});
    options.request.variables.emplace_back(each.substr(0, equals), each.substr(equals + 1));
  }
  const auto scratch = TemporaryDirectory::create();
  if (!scratch) return report(scratch.error());
  options.request.scratch = scratch->path();
  options.request.print = [](const std::string& line) { print(line + "\n"); };
  const auto runs = ci::run_workflow(options.request);
  if (!runs) return report(runs.error());
  Table table({"job", "result", ">minutes", "why"});
  bool failed = false, skipped = false;
  for (const ci::JobRun& run : *runs) {
    table.add({run.job, std::string(to_string(run.result)), fmt::format("{:.1f}", run.seconds / 60),
               run.why});
    failed |= run.result == ci::JobResult::kFailure;
    skipped |= run.result == ci::JobResult::kNotExecuted;
  }
  print("\n" + table.text(globals().colour_out));
  return failed ? kFindings : skipped ? kNotChecked : kOk;
}

}  // namespace

CiPart define_ci_run(App ci) {
  auto options = std::make_shared<Options>();
  ci::RunRequest& request = options->request;
  request.repository = ".";
  App app = ci.add_subcommand("run", "Execute the jobs of a workflow on this machine");
  app.add_option("WORKFLOW", request.workflow, "The workflow").required();
  app.add_option("--job", request.jobs, "Execute this job and those that it needs")
      .type_name("JOB")
      .allow_extra_args(false);
  app.add_option("--root", request.repository, "The repository to check out (default: .)")
      .type_name("DIRECTORY");
  app.add_option("--var", options->variables, "A variable of the repository: vars.NAME")
      .type_name("NAME=VALUE")
      .allow_extra_args(false);
  app.add_option("--event", request.event, "The event (default: push)").type_name("EVENT");
  app.add_option("--ref", request.ref, "The ref (default: refs/heads/main)").type_name("REF");
  app.add_option("--step-limit", request.step_limit_s,
                 "Seconds that a step may take (default: 1800)")
      .type_name("SECONDS");
  return {app, [options] { return run(*options); }};
}

}  // namespace hipwright::cli
