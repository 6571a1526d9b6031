// SPDX-License-Identifier: MIT
// One job with one row of its matrix.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ci/run/evaluate.h"
#include "ci/run/run.h"
#include "syntax/workflow/workflow.h"

namespace hipwright::ci {

struct FinishedJob {
  JobResult result = JobResult::kSuccess;
  Json outputs = Json::object();
};

// The rows of a job's matrix; the matrix may be an expression over earlier jobs.
Result<std::vector<Json>> rows_of(const RunRequest& request, const syntax::workflow::File& file,
                                  const syntax::workflow::Job& job,
                                  const std::map<std::string, FinishedJob>& finished);

class JobRunner {
 public:
  JobRunner(const RunRequest& request, const syntax::workflow::File& file,
            const syntax::workflow::Job& job, const Json& row,
            const std::map<std::string, FinishedJob>& finished);
  JobRun run();
  Json outputs() const { return outputs_; }

 private:
  using Node = syntax::workflow::Node;
  using Step = syntax::workflow::Step;
  using Pairs = std::vector<std::pair<std::string, std::string>>;

  std::string cannot_run() const;
  Status run_steps();
  Status run_step(const Step& step, std::size_t number);
  Result<bool> run_script(const Step& step, std::size_t number);
  Result<bool> use_action(const Step& step);
  Result<bool> make_python_environment();
  Result<bool> upload(const Json& with);
  Result<bool> download(const Json& with);
  Status read_step_files(const std::filesystem::path& folder, const Step& step);
  Result<Json> values(const Node* mapping);  // its values interpolated, as an object of texts
  Status add_environment(const Node* mapping);
  void say(const std::string& line) const;

  const RunRequest& request_;
  const syntax::workflow::File& file_;
  const syntax::workflow::Job& job_;
  std::string label_;
  Contexts contexts_;
  std::filesystem::path workspace_, temporary_, artifacts_;
  std::vector<std::string> path_;  // directories added by steps, the last first
  Json outputs_ = Json::object();
};

}  // namespace hipwright::ci
