// SPDX-License-Identifier: MIT
#include "ci/run/run.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>

#include <fmt/format.h>

#include "base/file.h"
#include "base/process.h"
#include "base/words.h"
#include "ci/run/job_run.h"
#include "ci/run/matrix.h"
#include "syntax/workflow/workflow.h"

namespace fs = std::filesystem;

namespace hipwright::ci {

namespace {

using syntax::workflow::File;
using syntax::workflow::Job;

// Jobs in an order in which each comes after those that it needs.
void add_with_needs(const File& file, const Job& job, std::vector<const Job*>& order) {
  if (std::ranges::find(order, &job) != order.end() || order.size() > file.jobs().size()) return;
  for (const auto* need : file.needs(job))
    if (const Job* needed = file.job(need->value); needed != nullptr && needed != &job)
      add_with_needs(file, *needed, order);
  if (std::ranges::find(order, &job) == order.end()) order.push_back(&job);
}

// Needs may form a cycle in a file that was never checked.
Status check_graph(const File& file) {
  std::vector<std::string_view> done;
  for (bool moved = true; moved;) {
    moved = false;
    for (const Job& job : file.jobs()) {
      const auto needs = file.needs(job);
      if (is_any(job.name, done) ||
          !std::ranges::all_of(needs, [&](const auto* need) { return is_any(need->value, done); }))
        continue;
      done.push_back(job.name);
      moved = true;
    }
  }
  if (done.size() == file.jobs().size()) return {};
  return fail("cannot run the workflow", "", "a job needs itself, or one that does not exist",
              "See: hipwright ci check");
}

Result<std::vector<const Job*>> chosen(const File& file, const std::vector<std::string>& names) {
  std::vector<const Job*> order;
  if (names.empty())
    for (const Job& job : file.jobs()) add_with_needs(file, job, order);
  for (const std::string& name : names) {
    const Job* job = file.job(name);
    if (job == nullptr)
      return fail("unknown job", name, "the workflow has no job of that name", "");
    add_with_needs(file, *job, order);
  }
  return order;
}

JobResult worst(JobResult a, JobResult b) {
  return std::max(a, b, [](JobResult x, JobResult y) {
    const auto rank = [](JobResult each) {
      return each == JobResult::kFailure       ? 3
             : each == JobResult::kNotExecuted ? 2
             : each == JobResult::kSkipped     ? 0
                                               : 1;
    };
    return rank(x) < rank(y);
  });
}

}  // namespace

std::string_view to_string(JobResult result) {
  switch (result) {
    case JobResult::kSuccess:
      return "success";
    case JobResult::kFailure:
      return "failure";
    case JobResult::kSkipped:
      return "skipped";
    case JobResult::kNotExecuted:
      return "not executed";
  }
  bug("job result out of range", __FILE__, __LINE__);
}

Result<std::vector<JobRun>> run_workflow(const RunRequest& request) {
  HW_TRY(const std::string text, read_file(request.workflow));
  const File file(text);
  if (!file.yaml().problems().empty())
    return fail("cannot run", request.workflow.string(), file.yaml().problems().front().what,
                "See: hipwright ci check");
  if (file.jobs().empty())
    return fail("cannot run", request.workflow.string(), "it has no jobs",
                "See: hipwright ci check");
  HW_CHECK(check_graph(file));
  HW_TRY(const auto order, chosen(file, request.jobs));
  std::vector<JobRun> runs;
  std::map<std::string, FinishedJob> finished;
  for (const Job* job : order) {
    FinishedJob all{.result = JobResult::kSkipped};
    HW_TRY(const auto rows, rows_of(request, file, *job, finished));
    for (const Json& row : rows) {
      const auto begin = std::chrono::steady_clock::now();
      JobRunner runner(request, file, *job, row, finished);
      JobRun run = runner.run();
      run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      all.result = worst(all.result, run.result);
      all.outputs.update(runner.outputs());
      runs.push_back(std::move(run));
    }
    finished[std::string(job->name)] = std::move(all);
  }
  return runs;
}

}  // namespace hipwright::ci
