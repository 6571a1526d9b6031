// SPDX-License-Identifier: MIT
// Structure that GitHub rejects.
//
// ## What it finds
//
// Unknown keys of the workflow, its events, jobs and steps, missing `on`, `jobs`, `runs-on` or
// `steps`, a step with both or neither of `run` and `uses`, a `shell` without `run`, and step ids
// that are used twice.
//
// ## Why it matters
//
// GitHub rejects the whole file. A misspelt key such as `run-on` is otherwise silent until the
// first push.
//
// ## Example
//
// ```yaml
// jobs:
//   build:
//     run-on: ubuntu-24.04
// ```
//
// ## Use instead
//
// ```yaml
// jobs:
//   build:
//     runs-on: ubuntu-24.04
// ```
//
// ## When it is not a bug
//
// - A key that GitHub added after this rule was written: report it.
#include <vector>

#include <fmt/format.h>

#include "base/edit_distance.h"
#include "base/words.h"
#include "lint/workflow/report.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::workflow;

constexpr std::string_view kTop[] = {"name", "description", "run-name",    "on",  "permissions",
                                     "env",  "defaults",    "concurrency", "jobs"};
constexpr std::string_view kJob[] = {"name",
                                     "needs",
                                     "permissions",
                                     "if",
                                     "runs-on",
                                     "environment",
                                     "concurrency",
                                     "outputs",
                                     "env",
                                     "defaults",
                                     "steps",
                                     "uses",
                                     "with",
                                     "secrets",
                                     "strategy",
                                     "timeout-minutes",
                                     "container",
                                     "services",
                                     "continue-on-error",
                                     "snapshot"};
constexpr std::string_view kStep[] = {"id",
                                      "if",
                                      "name",
                                      "uses",
                                      "run",
                                      "working-directory",
                                      "shell",
                                      "with",
                                      "env",
                                      "continue-on-error",
                                      "timeout-minutes"};

template <std::size_t N>
void known_keys(WorkflowCheck& check, const Node& mapping, const std::string_view (&known)[N],
                std::string_view where) {
  for (const auto& entry : mapping.entries) {
    const Node& key = check.file.yaml().node(entry.key);
    if (is_any(key.value, known)) continue;
    std::string near;
    for (const std::string_view each : known)
      if (key.value.size() < 30 && edit_distance(key.value, each) <= 2)
        near = fmt::format(" (did you mean {}?)", each);
    report(check, key, Confidence::kHigh,
           fmt::format("unknown key '{}' in {}{}", key.value.substr(0, 40), where, near));
  }
}

// Events with keys of their own; the others are not judged.
constexpr std::string_view kPush[] = {"branches",    "branches-ignore", "tags",
                                      "tags-ignore", "paths",           "paths-ignore"};
constexpr std::string_view kPullRequest[] = {"types", "branches", "branches-ignore", "paths",
                                             "paths-ignore"};
constexpr std::string_view kWorkflowRun[] = {"workflows", "types", "branches", "branches-ignore"};
constexpr std::string_view kDispatch[] = {"inputs"};
constexpr std::string_view kCall[] = {"inputs", "outputs", "secrets"};

void check_events(WorkflowCheck& check, const Node* events) {
  const auto filters = [&](const char* event, const auto& known) {
    if (const Node* found = check.file.get(events, event)) known_keys(check, *found, known, event);
  };
  filters("push", kPush);
  filters("pull_request", kPullRequest);
  filters("pull_request_target", kPullRequest);
  filters("workflow_run", kWorkflowRun);
  filters("workflow_dispatch", kDispatch);
  filters("workflow_call", kCall);
}

void check_step(WorkflowCheck& check, const Step& step) {
  known_keys(check, *step.node, kStep, "a step");
  const bool is_run = check.file.yaml().key(*step.node, "run") != nullptr;
  const bool is_use = check.file.yaml().key(*step.node, "uses") != nullptr;
  if (is_run == is_use)
    report(check, *step.node, Confidence::kHigh,
           is_run ? "a step has run or uses, not both" : "a step needs run or uses");
  if (step.shell != nullptr && !is_run)
    report(check, *step.shell, Confidence::kHigh, "shell needs run");
}

void check_job(WorkflowCheck& check, const Job& job) {
  known_keys(check, *job.node, kJob, "a job");
  if (job.uses == nullptr) {
    if (job.runs_on == nullptr)
      report(check, *job.key, Confidence::kHigh, fmt::format("job '{}' needs runs-on", job.name));
    if (job.steps.empty())
      report(check, *job.key, Confidence::kHigh, fmt::format("job '{}' has no steps", job.name));
  }
  std::vector<std::string> ids;
  for (const Step& step : job.steps) {
    if (step.node->kind != syntax::yaml::Kind::kMapping) {
      report(check, *step.node, Confidence::kHigh, "a step is a mapping: - name: …");
      continue;
    }
    check_step(check, step);
    if (step.id == nullptr) continue;
    const std::string id = lowered(step.id->value);
    if (is_any(id, ids))
      report(check, *step.id, Confidence::kHigh,
             fmt::format("step id '{}' is used twice in this job", step.id->value));
    ids.push_back(id);
  }
}

void find(WorkflowCheck& check) {
  const File& file = check.file;
  const Node& root = file.root();
  if (!file.yaml().problems().empty() && file.jobs().empty()) return;
  if (root.kind != syntax::yaml::Kind::kMapping)
    return check.report({0, 0}, Confidence::kHigh, "a workflow is a mapping with on and jobs");
  known_keys(check, root, kTop, "a workflow");
  const Node* events = file.get(&root, "on");
  if (events != nullptr) check_events(check, events);
  if (events == nullptr)
    report(check, file.yaml().node(root.entries.front().key), Confidence::kHigh,
           "the workflow has no on: nothing starts it");
  if (file.jobs().empty())
    report(check, file.yaml().node(root.entries.front().key), Confidence::kHigh,
           "the workflow has no jobs");
  for (const Job& job : file.jobs()) check_job(check, job);
}

}  // namespace

Rule workflow_structure() {
  return {.code = "HC102",
          .name = "workflow-structure",
          .summary = "structure that GitHub rejects",
          .severity = Severity::kError,
          .workflow = find};
}

}  // namespace hipwright::lint::rules
