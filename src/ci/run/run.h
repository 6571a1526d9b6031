// SPDX-License-Identifier: MIT
// Executes the `run:` blocks of a workflow's jobs on this machine, as a Linux runner would. Only
// these actions have stand-ins: checkout, cache, upload- and download-artifact, setup-python. A job
// that needs another action, or another kind of runner, is not executed, and says why.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/json_fwd.h"

namespace hipwright::ci {

struct RunRequest {
  std::filesystem::path workflow;
  std::filesystem::path repository;  // what checkout copies
  std::filesystem::path scratch;     // empty directory: workspaces, artifacts
  std::vector<std::string> jobs;     // with what they need; empty: all
  std::string event = "push", ref = "refs/heads/main";
  std::vector<std::pair<std::string, std::string>> variables;  // of the repository: vars.NAME
  unsigned step_limit_s = 1800;
  std::function<void(const std::string& line)> print;  // progress and output
};

enum class JobResult { kSuccess, kFailure, kSkipped, kNotExecuted };
std::string_view to_string(JobResult result);

struct JobRun {
  std::string job;  // "compile (gfx942)"
  JobResult result = JobResult::kSuccess;
  std::string why;  // of a failure, or why it was not executed
  double seconds = 0;
};

// An error: the workflow cannot be read, or a job of the request does not exist.
Result<std::vector<JobRun>> run_workflow(const RunRequest& request);

}  // namespace hipwright::ci
