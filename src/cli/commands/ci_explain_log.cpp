// SPDX-License-Identifier: MIT
#include <memory>

#include "base/file.h"
#include "base/json.h"
#include "ci/log/explain.h"
#include "cli/ci.h"

namespace hipwright::cli {

namespace {

int explain(const std::string& path, bool json) {
  const bool is_input = path == "-";
  const auto log = read_input(path);
  if (!log) return report(log.error());
  if (log->empty())
    return report({"cannot explain the log", path, "it is empty",
                   "Download a job's log with: gh run view --log-failed --job JOB"});
  const auto found = ci::explain_log(*log);
  if (!found) {
    if (json) print("null\n");
    note("no known cause in " + (is_input ? "standard input" : path));
    return kFindings;
  }
  print(json ? json_text(ci::explanation_json(*found))
             : ci::explanation_text(*found, is_input ? "standard input" : path));
  return kOk;
}

}  // namespace

CiPart define_ci_explain_log(App ci) {
  auto path = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  App app = ci.add_subcommand("explain-log", "Find the cause in the log of a failed job");
  app.add_option("LOG", *path, "The log; - reads standard input").required();
  app.add_flag("--json", *json, "Print JSON");
  return {app, [path, json] { return explain(*path, *json); }};
}

}  // namespace hipwright::cli
