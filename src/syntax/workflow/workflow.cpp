// SPDX-License-Identifier: MIT
#include "syntax/workflow/workflow.h"

#include <algorithm>

#include "base/words.h"

namespace hipwright::syntax::workflow {

namespace {

using yaml::Kind;

System system_of(std::string_view label) {
  const std::string word = lowered(label);
  if (word.starts_with("ubuntu") || word == "linux") return System::kLinux;
  if (word.starts_with("windows")) return System::kWindows;
  if (word.starts_with("macos")) return System::kMac;
  return System::kUnknown;
}

}  // namespace

bool is_workflow(std::string_view path) {
  constexpr std::string_view kFolder = ".github/workflows/";
  const std::size_t at = path.rfind(kFolder);
  if (at == path.npos || (at > 0 && path[at - 1] != '/')) return false;
  const std::string_view name = path.substr(at + kFolder.size());
  return name.find('/') == name.npos && (name.ends_with(".yml") || name.ends_with(".yaml"));
}

Span source_span(const Node& node, Span value) {
  const std::size_t begin = yaml::source_of(node, value.begin);
  const std::size_t last =
      value.end > value.begin ? yaml::source_of(node, value.end - 1) + 1 : begin;
  return {begin, std::max(begin, last)};
}

std::string_view Step::action() const {
  if (uses == nullptr) return {};
  const std::string_view text = uses->value;
  if (text.starts_with("./") || text.starts_with("docker://")) return {};
  return text.substr(0, text.find('@'));
}

std::string_view Step::with_value(const yaml::File& file, std::string_view input) const {
  if (with == nullptr) return {};
  for (const yaml::Entry& entry : with->entries)
    if (same_name(file.node(entry.key).value, input))
      if (const Node* value = file.resolved(file.node(entry.value))) return value->value;
  return {};
}

File::File(std::string_view text) : yaml_(text) {
  read_jobs();
  find_expressions();
}

const Node* File::get(const Node* mapping, std::string_view key) const {
  if (mapping == nullptr) return nullptr;
  const Node* found = yaml_.get(*mapping, key);
  if (found != nullptr) found = yaml_.resolved(*found);
  return found == nullptr || found->kind == Kind::kNull ? nullptr : found;
}

std::vector<const Node*> File::items(const Node* sequence) const {
  std::vector<const Node*> found;
  if (sequence == nullptr) return found;
  for (const yaml::NodeIndex item : sequence->items)
    if (const Node* node = yaml_.resolved(yaml_.node(item));
        node != nullptr && node->kind != Kind::kNull)
      found.push_back(node);
  return found;
}

Step File::read_step(const Node& node) const {
  Step step{.node = &node};
  step.id = get(&node, "id");
  step.name = get(&node, "name");
  step.uses = get(&node, "uses");
  step.run = get(&node, "run");
  step.shell = get(&node, "shell");
  step.condition = get(&node, "if");
  step.with = get(&node, "with");
  step.env = get(&node, "env");
  step.directory = get(&node, "working-directory");
  return step;
}

Job File::read_job(const Node& key, const Node& node) const {
  Job job{.name = key.value, .key = &key, .node = &node};
  job.runs_on = get(&node, "runs-on");
  job.needs = get(&node, "needs");
  job.condition = get(&node, "if");
  job.permissions = get(&node, "permissions");
  job.strategy = get(&node, "strategy");
  job.matrix = get(job.strategy, "matrix");
  job.container = get(&node, "container");
  job.env = get(&node, "env");
  job.uses = get(&node, "uses");
  job.outputs = get(&node, "outputs");
  job.timeout = get(&node, "timeout-minutes");
  job.defaults = get(get(&node, "defaults"), "run");
  for (const Node* step : items(get(&node, "steps"))) job.steps.push_back(read_step(*step));
  return job;
}

void File::read_jobs() {
  const Node* jobs = get(&root(), "jobs");
  if (jobs == nullptr) return;
  // Each alias is a copy: many of one large job would be many times its size.
  constexpr std::size_t kMost = 1000;
  for (const yaml::Entry& entry : jobs->entries) {
    const Node* node = yaml_.resolved(yaml_.node(entry.value));
    if (node != nullptr && node->kind == Kind::kMapping && jobs_.size() < kMost)
      jobs_.push_back(read_job(yaml_.node(entry.key), *node));
  }
}

const Job* File::job(std::string_view name) const {
  for (const Job& job : jobs_)
    if (job.name == name) return &job;
  return nullptr;
}

bool File::has_event(std::string_view name) const {
  const Node* on = get(&root(), "on");
  if (on == nullptr) return false;
  if (on->kind == Kind::kScalar) return on->value == name;
  if (on->kind == Kind::kMapping) return yaml_.key(*on, name) != nullptr;
  return std::ranges::any_of(items(on), [&](const Node* item) { return item->value == name; });
}

std::vector<const Node*> File::labels(const Job& job) const {
  if (job.runs_on == nullptr) return {};
  const Node* labels =
      job.runs_on->kind == Kind::kMapping ? get(job.runs_on, "labels") : job.runs_on;
  if (labels == nullptr) return {};
  if (labels->kind == Kind::kScalar) return {labels};
  return items(labels);
}

bool File::is_self_hosted(const Job& job) const {
  return std::ranges::any_of(
      labels(job), [](const Node* label) { return same_name(label->value, "self-hosted"); });
}

System File::system(const Job& job) const {
  for (const Node* label : labels(job))
    if (const System system = system_of(label->value); system != System::kUnknown) return system;
  return System::kUnknown;
}

const Node* File::run_setting(const Job& job, const Step& step, std::string_view key) const {
  for (const Node* settings : {step.node, job.defaults, get(get(&root(), "defaults"), "run")})
    if (const Node* chosen = get(settings, key)) return chosen;
  return nullptr;
}

std::string File::shell(const Job& job, const Step& step) const {
  const Node* chosen = run_setting(job, step, "shell");
  if (chosen != nullptr)
    return chosen->value.find("${{") != std::string::npos
               ? std::string()
               : chosen->value.substr(0, chosen->value.find(' '));
  const System of_job = system(job);
  return of_job == System::kWindows                           ? "pwsh"
         : of_job == System::kLinux || of_job == System::kMac ? "bash"
                                                              : "";
}

std::vector<const Node*> File::needs(const Job& job) const {
  if (job.needs == nullptr) return {};
  if (job.needs->kind == Kind::kScalar) return {job.needs};
  return items(job.needs);
}

const Node* File::variable(const Job& job, const Step& step, std::string_view name) const {
  for (const Node* env : {step.env, job.env, get(&root(), "env")})
    if (const Node* value = get(env, name)) return value;
  return nullptr;
}

// Every ${{ … }} of the scalars below a node.
void File::visit(const Node* node, Site site, const Job* job, const Step* step) {
  constexpr std::size_t kMost = 500'000;  // aliases can make a small file visit much
  constexpr unsigned kMaxDepth = 200;     // an anchor may contain its own alias
  if (node == nullptr || ++visited_ > kMost || depth_ > kMaxDepth) return;
  node = yaml_.resolved(*node);
  if (node == nullptr) return;
  ++depth_;
  for (const yaml::Entry& entry : node->entries) {
    visit(&yaml_.node(entry.key), site, job, step);
    visit(&yaml_.node(entry.value), site, job, step);
  }
  for (const yaml::NodeIndex item : node->items) visit(&yaml_.node(item), site, job, step);
  --depth_;
  if (node->kind != Kind::kScalar) return;
  const std::string_view value = node->value;
  for (std::size_t at = value.find("${{"); at != value.npos; at = value.find("${{", at)) {
    // Strings may hold braces.
    std::size_t end = at + 3;
    bool in_string = false;
    while (end < value.size() && (in_string || value.substr(end, 2) != "}}")) {
      in_string ^= value[end] == '\'';
      ++end;
    }
    const bool is_closed = end < value.size();
    if (!is_closed) end = std::min(value.find('\n', at), value.size());
    Placed placed{.node = node,
                  .site = site,
                  .span = {at + 3, end},
                  .is_closed = is_closed,
                  .job = job,
                  .step = step};
    placed.text = value.substr(at + 3, end - at - 3);
    placed.parsed = parse_expression(placed.text);
    expressions_.push_back(std::move(placed));
    at = end;
  }
}

// A condition is an expression with or without ${{ }}.
void File::condition(const Node* node, Site site, const Job* job, const Step* step) {
  if (node == nullptr || node->kind != Kind::kScalar) return;
  if (node->value.find("${{") != std::string::npos) return visit(node, site, job, step);
  Placed placed{
      .node = node, .site = site, .span = {0, node->value.size()}, .job = job, .step = step};
  placed.text = node->value;
  placed.parsed = parse_expression(placed.text);
  expressions_.push_back(std::move(placed));
}

void File::find_expressions() {
  const Node& top = root();
  visit(get(&top, "name"), Site::kNowhere, nullptr, nullptr);
  visit(get(&top, "run-name"), Site::kRunName, nullptr, nullptr);
  visit(get(&top, "concurrency"), Site::kConcurrency, nullptr, nullptr);
  visit(get(&top, "env"), Site::kEnv, nullptr, nullptr);
  visit(get(&top, "defaults"), Site::kNowhere, nullptr, nullptr);
  visit(get(&top, "permissions"), Site::kNowhere, nullptr, nullptr);
  const Node* call = get(get(&top, "on"), "workflow_call");
  visit(get(call, "inputs"), Site::kCallDefault, nullptr, nullptr);
  visit(get(call, "outputs"), Site::kCallOutput, nullptr, nullptr);
  for (const Job& job : jobs_) visit_job(job);
}

void File::visit_job(const Job& job) {
  struct Place {
    const char* key;
    Site site;
  };
  constexpr Place kPlaces[] = {{"name", Site::kJobValue},
                               {"runs-on", Site::kJobValue},
                               {"timeout-minutes", Site::kJobValue},
                               {"continue-on-error", Site::kJobValue},
                               {"concurrency", Site::kJobConcurrency},
                               {"env", Site::kJobEnv},
                               {"outputs", Site::kJobOutputs},
                               {"secrets", Site::kJobSecrets},
                               {"strategy", Site::kJobStrategy},
                               {"with", Site::kJobWith},
                               {"defaults", Site::kJobDefaults},
                               {"needs", Site::kNowhere},
                               {"permissions", Site::kNowhere}};
  for (const Place& place : kPlaces) visit(get(job.node, place.key), place.site, &job, nullptr);
  const Node* environment = get(job.node, "environment");
  if (environment == nullptr || environment->kind != Kind::kMapping)
    visit(environment, Site::kJobValue, &job, nullptr);
  else
    for (const yaml::Entry& entry : environment->entries)
      visit(&yaml_.node(entry.value),
            yaml_.node(entry.key).value == "url" ? Site::kJobEnvironmentUrl : Site::kJobValue, &job,
            nullptr);
  condition(job.condition, Site::kJobIf, &job, nullptr);
  const auto container = [&](const Node* node) {
    if (node == nullptr || node->kind != Kind::kMapping)
      return visit(node, Site::kJobContainer, &job, nullptr);
    for (const yaml::Entry& entry : node->entries) {
      const std::string& key = yaml_.node(entry.key).value;
      visit(&yaml_.node(entry.value),
            key == "env"           ? Site::kJobContainerEnv
            : key == "credentials" ? Site::kJobCredentials
                                   : Site::kJobContainer,
            &job, nullptr);
    }
  };
  container(job.container);
  if (const Node* services = get(job.node, "services"))
    for (const yaml::Entry& entry : services->entries)
      container(yaml_.resolved(yaml_.node(entry.value)));
  for (const Step& step : job.steps) visit_step(job, step);
}

void File::visit_step(const Job& job, const Step& step) {
  condition(step.condition, Site::kStepIf, &job, &step);
  for (const yaml::Entry& entry : step.node->entries) {
    const std::string& key = yaml_.node(entry.key).value;
    if (key == "if") continue;
    visit(&yaml_.node(entry.value), key == "uses" || key == "id" ? Site::kNowhere : Site::kStep,
          &job, &step);
  }
}

}  // namespace hipwright::syntax::workflow
