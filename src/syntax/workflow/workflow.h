// SPDX-License-Identifier: MIT
// A workflow of GitHub Actions as a typed view of its YAML. Nothing is required: broken files give
// as much as can be read.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "syntax/workflow/expression.h"
#include "syntax/yaml/yaml.h"

namespace hipwright::syntax::workflow {

using yaml::Node;

struct Step {
  const Node* node = nullptr;
  const Node *id = nullptr, *name = nullptr, *uses = nullptr, *run = nullptr, *shell = nullptr,
             *condition = nullptr, *with = nullptr, *env = nullptr, *directory = nullptr;
  // "actions/checkout" of "actions/checkout@v4"; empty: no action of a repository.
  std::string_view action() const;
  std::string_view with_value(const yaml::File& file, std::string_view input) const;
};

struct Job {
  std::string_view name;
  const Node* key = nullptr;   // its name's node
  const Node* node = nullptr;  // the mapping
  const Node *runs_on = nullptr, *needs = nullptr, *condition = nullptr, *permissions = nullptr,
             *strategy = nullptr, *matrix = nullptr, *container = nullptr, *env = nullptr,
             *uses = nullptr, *outputs = nullptr, *timeout = nullptr, *defaults = nullptr;
  std::vector<Step> steps;
};

enum class System { kUnknown, kLinux, kWindows, kMac };

// Where an expression stands decides which contexts it may use.
enum class Site {
  kRunName,
  kConcurrency,
  kEnv,
  kJobConcurrency,
  kJobContainer,
  kJobContainerEnv,
  kJobCredentials,
  kJobValue,  // runs-on, name, environment, timeout-minutes, continue-on-error
  kJobDefaults,
  kJobEnv,
  kJobEnvironmentUrl,  // evaluated after the steps
  kJobIf,
  kJobOutputs,
  kJobSecrets,
  kJobStrategy,
  kJobWith,
  kStep,
  kStepIf,
  kCallDefault,
  kCallOutput,
  kNowhere,  // expressions are not evaluated here
};

struct Placed {
  const Node* node = nullptr;
  Site site = Site::kNowhere;
  Span span;              // of the expression's text in the value
  std::string_view text;  // between ${{ and }}, or a whole condition
  bool is_closed = true;
  const Job* job = nullptr;
  const Step* step = nullptr;
  Expression parsed;
};

class File {
 public:
  explicit File(std::string_view text);
  File(const File&) = delete;
  File(File&&) = delete;

  const yaml::File& yaml() const { return yaml_; }
  std::string_view text() const { return yaml_.text(); }
  const Node& root() const { return yaml_.root(); }
  const std::vector<Job>& jobs() const { return jobs_; }
  const std::vector<Placed>& expressions() const { return expressions_; }
  const Job* job(std::string_view name) const;  // as GitHub does, with case

  bool has_event(std::string_view name) const;
  // The labels of a job's runners, without expressions.
  std::vector<const Node*> labels(const Job& job) const;
  bool is_self_hosted(const Job& job) const;
  System system(const Job& job) const;
  // What runs a step's script: "bash", "pwsh", "sh"; empty where it is not known.
  std::string shell(const Job& job, const Step& step) const;
  // "shell" or "working-directory" of the step, its job's defaults or the workflow's; nullptr:
  // none.
  const Node* run_setting(const Job& job, const Step& step, std::string_view key) const;
  // The names of jobs that it needs, as nodes.
  std::vector<const Node*> needs(const Job& job) const;
  // A variable of the step, its job or the workflow, nearest first.
  const Node* variable(const Job& job, const Step& step, std::string_view name) const;

  // An alias's target; null nodes and unknown anchors are nullptr.
  const Node* get(const Node* mapping, std::string_view key) const;
  std::vector<const Node*> items(const Node* sequence) const;

 private:
  void read_jobs();
  Job read_job(const Node& key, const Node& node) const;
  Step read_step(const Node& node) const;
  void find_expressions();
  void visit(const Node* node, Site site, const Job* job, const Step* step);
  void condition(const Node* node, Site site, const Job* job, const Step* step);
  void visit_job(const Job& job);
  void visit_step(const Job& job, const Step& step);

  yaml::File yaml_;
  std::vector<Job> jobs_;
  std::vector<Placed> expressions_;
  std::size_t visited_ = 0;
  unsigned depth_ = 0;
};

// The part of the file's text that a part of a node's value stands in.
Span source_span(const Node& node, Span value);

bool is_workflow(std::string_view path);  // .github/workflows/*.yml

}  // namespace hipwright::syntax::workflow
