// SPDX-License-Identifier: MIT
#include "ci/run/job_run.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "base/file.h"
#include "base/process.h"
#include "base/words.h"
#include "ci/run/matrix.h"
#include "ci/run/step_files.h"
#include "project/glob.h"

namespace fs = std::filesystem;

namespace hipwright::ci {

namespace {

using syntax::workflow::File;
using syntax::workflow::Job;
using syntax::workflow::System;
using syntax::yaml::Kind;
using syntax::yaml::Style;
using Node = syntax::workflow::Node;

constexpr std::string_view kStandIns[] = {"actions/checkout", "actions/cache",
                                          "actions/upload-artifact", "actions/download-artifact",
                                          "actions/setup-python"};

Json scalar(const Node& node) {
  if (node.style != Style::kPlain) return node.value;
  if (node.value == "true" || node.value == "false") return node.value == "true";
  if (node.value.empty() || node.value == "null" || node.value == "~") return nullptr;
  return node.value;
}

constexpr std::size_t kMostValues = 100'000;

// Aliases may nest without end, and multiply: `left` values more.
Json plain_value(const File& file, const Node* node, std::size_t& left, unsigned depth = 0) {
  if (node == nullptr || depth > 20 || left == 0) return nullptr;
  --left;
  node = file.yaml().resolved(*node);
  if (node == nullptr || node->kind == Kind::kNull) return nullptr;
  if (node->kind == Kind::kSequence) {
    Json all = Json::array();
    for (const Node* item : file.items(node))
      all.push_back(plain_value(file, item, left, depth + 1));
    return all;
  }
  if (node->kind == Kind::kMapping) {
    Json all = Json::object();
    for (const auto& entry : node->entries)
      all[file.yaml().node(entry.key).value] =
          plain_value(file, &file.yaml().node(entry.value), left, depth + 1);
    return all;
  }
  return scalar(*node);
}

std::string_view condition_of(const Job& job) {
  return job.condition == nullptr ? std::string_view() : job.condition->value;
}

Json needs_of(const File& file, const Job& job,
              const std::map<std::string, FinishedJob>& finished) {
  Json needs = Json::object();
  for (const Node* need : file.needs(job))
    if (const auto at = finished.find(need->value); at != finished.end())
      needs[need->value] = {
          // A job that was not executed here has no result; those after it see it skipped.
          {"result",
           at->second.result == JobResult::kNotExecuted ? "skipped" : to_string(at->second.result)},
          {"outputs", at->second.outputs}};
  return needs;
}

Contexts first_contexts(const RunRequest& request, const File& file, const Job& job,
                        const std::map<std::string, FinishedJob>& finished) {
  Contexts contexts;
  Json& values = contexts.values;
  Json variables = Json::object();
  for (const auto& [name, value] : request.variables) variables[name] = value;
  values["github"] = {{"event_name", request.event},
                      {"ref", request.ref},
                      {"ref_name", request.ref.substr(request.ref.rfind('/') + 1)},
                      {"repository", "local/repository"},
                      {"repository_owner", "local"},
                      {"workflow", request.workflow.stem().string()},
                      {"sha", std::string(40, '0')},
                      {"run_id", "1"},
                      {"run_number", "1"},
                      {"actor", "local"},
                      {"event", Json::object()}};
  values["vars"] = std::move(variables);
  values["secrets"] = Json::object();
  values["inputs"] = Json::object();
  values["env"] = Json::object();
  values["steps"] = Json::object();
  values["matrix"] = Json::object();
  values["runner"] = {{"os", "Linux"}, {"arch", "X64"}, {"name", "local"}};
  values["needs"] = needs_of(file, job, finished);
  for (const auto& [name, need] : values["needs"].items())
    if (need["result"] != "success") contexts.state = JobState::kFailure;
  return contexts;
}

Status copy_tree(const fs::path& from, const fs::path& to) {
  std::error_code error;
  fs::create_directories(to, error);
  fs::copy(from, to,
           fs::copy_options::recursive | fs::copy_options::copy_symlinks |
               fs::copy_options::overwrite_existing,
           error);
  if (error) return fail("cannot copy", from.string(), error.message(), "");
  return {};
}

}  // namespace

Result<std::vector<Json>> rows_of(const RunRequest& request, const File& file, const Job& job,
                                  const std::map<std::string, FinishedJob>& finished) {
  std::vector<Json> one = {Json::object()};
  if (job.matrix == nullptr) return one;
  const Contexts contexts = first_contexts(request, file, job, finished);
  // A job that is skipped has no matrix: the outputs that it is made of may not exist.
  const auto runs = holds(condition_of(job), contexts);
  if (!runs || !*runs) return one;
  const auto expression = [&](const std::string& text) -> Result<Json> {
    const std::string_view inner = trimmed(text);
    if (!inner.starts_with("${{") || !inner.ends_with("}}")) return Json(text);
    return evaluate(inner.substr(3, inner.size() - 5), contexts);
  };
  std::size_t left = kMostValues;
  Json matrix = plain_value(file, job.matrix, left);
  if (left == 0)
    return fail("cannot expand the matrix", std::string(job.name),
                fmt::format("it has more than {} values", kMostValues), "");
  if (matrix.is_string()) {
    HW_TRY(matrix, expression(matrix.get<std::string>()));
  }
  if (matrix.is_object())
    for (auto& [key, value] : matrix.items())
      if (value.is_string()) {
        HW_TRY(value, expression(value.get<std::string>()));
      }
  return matrix_rows(matrix);
}

JobRunner::JobRunner(const RunRequest& request, const File& file, const Job& job, const Json& row,
                     const std::map<std::string, FinishedJob>& finished)
    : request_(request),
      file_(file),
      job_(job),
      label_(job.name),
      contexts_(first_contexts(request, file, job, finished)) {
  contexts_.values["matrix"] = row;
  std::string values;
  for (const auto& [key, value] : row.items())
    values += (values.empty() ? "" : ", ") + as_text(value);
  if (!values.empty()) label_ += " (" + values + ")";
  std::string folder = label_;
  std::ranges::replace_if(
      folder,
      [](char c) {
        return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'));
      },
      '_');
  workspace_ = request.scratch / "work" / folder / "repository";
  temporary_ = request.scratch / "work" / folder / "_temp";
  artifacts_ = request.scratch / "artifacts";
}

void JobRunner::say(const std::string& line) const {
  if (request_.print) request_.print(line);
}

// Empty, or why this machine is not what the job wants.
std::string JobRunner::cannot_run() const {
  if (job_.uses != nullptr) return "it calls another workflow";
  if (job_.runs_on == nullptr) return "it names no runner";
  for (const Node* label : file_.labels(job_)) {
    const auto text = interpolate(label->value, contexts_);
    if (!text) return text.error().message();
    if (syntax::workflow::same_name(*text, "self-hosted")) return "it needs a self-hosted runner";
    if (!text->starts_with("ubuntu")) return fmt::format("it runs on {}", *text);
  }
  if (job_.container != nullptr) return "it runs in a container";
  for (const Step& step : job_.steps)
    if (step.uses != nullptr && !is_any(step.action(), kStandIns))
      return fmt::format("there is no stand-in for {}", step.uses->value);
  return {};
}

JobRun JobRunner::run() {
  JobRun result{.job = label_};
  const auto finish = [&](JobResult how, std::string why) {
    result.result = how;
    result.why = std::move(why);
    return result;
  };
  const auto condition = holds(condition_of(job_), contexts_);
  if (!condition) return finish(JobResult::kFailure, condition.error().message());
  if (std::string why = cannot_run(); !why.empty()) return finish(JobResult::kNotExecuted, why);
  if (!*condition)
    return finish(JobResult::kSkipped, contexts_.state == JobState::kFailure
                                           ? "a job that it needs did not succeed"
                                           : "its condition is false");
  contexts_.state = JobState::kSuccess;
  const Status done = run_steps();
  // A hosted runner is gone after its job: what later jobs need is in artifacts.
  std::error_code error;
  fs::remove_all(workspace_.parent_path(), error);
  if (!done) return finish(JobResult::kFailure, done.error().message());
  if (contexts_.state == JobState::kFailure) return finish(JobResult::kFailure, "a step failed");
  auto outputs = values(job_.outputs);
  if (!outputs) return finish(JobResult::kFailure, outputs.error().message());
  outputs_ = *std::move(outputs);
  return finish(JobResult::kSuccess, "");
}

Result<Json> JobRunner::values(const Node* mapping) {
  Json all = Json::object();
  if (mapping == nullptr) return all;
  for (const auto& entry : mapping->entries) {
    const Node* value = file_.yaml().resolved(file_.yaml().node(entry.value));
    HW_TRY(all[file_.yaml().node(entry.key).value],
           interpolate(value == nullptr ? std::string_view() : value->value, contexts_));
  }
  return all;
}

Status JobRunner::add_environment(const Node* mapping) {
  HW_TRY(const Json added, values(mapping));
  contexts_.values["env"].update(added);
  return {};
}

Status JobRunner::run_steps() {
  HW_CHECK(make_directories(workspace_));
  HW_CHECK(make_directories(temporary_));
  HW_CHECK(add_environment(file_.get(&file_.root(), "env")));
  HW_CHECK(add_environment(job_.env));
  contexts_.values["github"]["workspace"] = workspace_.string();
  contexts_.values["runner"]["temp"] = temporary_.string();
  for (std::size_t i = 0; i < job_.steps.size(); ++i) HW_CHECK(run_step(job_.steps[i], i));
  return {};
}

Status JobRunner::run_step(const Step& step, std::size_t number) {
  HW_TRY(const bool wanted,
         holds(step.condition == nullptr ? std::string_view() : step.condition->value, contexts_));
  const std::string title = step.name != nullptr   ? step.name->value
                            : step.uses != nullptr ? step.uses->value
                                                   : "run";
  Json record = {{"outputs", Json::object()}, {"outcome", "skipped"}, {"conclusion", "skipped"}};
  if (step.id != nullptr) contexts_.values["steps"][step.id->value] = record;
  if (!wanted) return {};
  say(fmt::format("{}: {}", label_, title));
  const Json outer = contexts_.values["env"];
  HW_CHECK(add_environment(step.env));
  HW_TRY(const bool ok, step.uses != nullptr ? use_action(step) : run_script(step, number));
  // Variables of the step end with it; those that it wrote to GITHUB_ENV stay.
  Json env = outer;
  env.update(contexts_.values.value("exported", Json::object()));
  contexts_.values["env"] = std::move(env);
  const Node* tolerant = file_.get(step.node, "continue-on-error");
  const bool fails = !ok && (tolerant == nullptr || tolerant->value != "true");
  if (step.id != nullptr) {
    Json& kept = contexts_.values["steps"][step.id->value];
    kept["outcome"] = ok ? "success" : "failure";
    kept["conclusion"] = fails ? "failure" : "success";
  }
  if (fails) contexts_.state = JobState::kFailure;
  return {};
}

Result<bool> JobRunner::run_script(const Step& step, std::size_t number) {
  const std::string shell = file_.shell(job_, step);
  const bool is_named = file_.run_setting(job_, step, "shell") != nullptr;
  if (!is_any(shell, {"bash", "sh", "python"}))
    return fail("cannot run a step of", label_, fmt::format("its shell is '{}'", shell), "");
  HW_TRY(const std::string script, interpolate(step.run->value, contexts_));
  const fs::path folder = temporary_ / fmt::format("step{}", number);
  HW_CHECK(make_directories(folder));
  HW_CHECK(write_file_atomic(folder / "script", script));
  for (const char* name : {"env", "output", "path", "summary", "state"})
    HW_CHECK(write_file_atomic(folder / name, ""));
  ProcessCommand command{.directory = workspace_,
                         .timeout = std::chrono::seconds(request_.step_limit_s)};
  const std::string file = (folder / "script").string();
  // Only a shell that the workflow names has pipefail.
  if (shell == "bash" && is_named)
    command.argv = {"bash", "--noprofile", "--norc", "-eo", "pipefail", file};
  else if (shell == "bash")
    command.argv = {"bash", "-e", file};
  else if (shell == "sh")
    command.argv = {"sh", "-e", file};
  else
    command.argv = {"python3", file};
  if (const Node* directory = file_.run_setting(job_, step, "working-directory")) {
    HW_TRY(const std::string inner, interpolate(directory->value, contexts_));
    command.directory = workspace_ / inner;
  }
  for (const auto& [name, value] : contexts_.values["env"].items())
    command.environment.emplace_back(name, as_text(value));
  std::string path;
  for (const std::string& each : path_) path += each + ":";
  const char* inherited = std::getenv("PATH");
  command.environment.emplace_back("PATH", path + (inherited == nullptr ? "" : inherited));
  const Json& github = contexts_.values["github"];
  for (const auto& [name, value] : Pairs{{"CI", "true"},
                                         {"GITHUB_ACTIONS", "true"},
                                         {"GITHUB_WORKSPACE", workspace_.string()},
                                         {"GITHUB_EVENT_NAME", as_text(github["event_name"])},
                                         {"GITHUB_REF", as_text(github["ref"])},
                                         {"GITHUB_REF_NAME", as_text(github["ref_name"])},
                                         {"GITHUB_SHA", as_text(github["sha"])},
                                         {"GITHUB_ENV", (folder / "env").string()},
                                         {"GITHUB_OUTPUT", (folder / "output").string()},
                                         {"GITHUB_PATH", (folder / "path").string()},
                                         {"GITHUB_STEP_SUMMARY", (folder / "summary").string()},
                                         {"GITHUB_STATE", (folder / "state").string()},
                                         {"RUNNER_OS", "Linux"},
                                         {"RUNNER_TEMP", temporary_.string()}})
    command.environment.emplace_back(name, value);
  HW_TRY(const Finished finished, hipwright::run(command));
  for (const std::string& line : read_lines(finished.out + finished.err)) say("  " + line);
  if (finished.timed_out) say(fmt::format("  ended after {} s", request_.step_limit_s));
  if (!finished.ok()) say(fmt::format("  exit code {}", finished.exit_code));
  HW_CHECK(read_step_files(folder, step));
  return finished.ok();
}

Status JobRunner::read_step_files(const fs::path& folder, const Step& step) {
  HW_TRY(const std::string env, read_file(folder / "env"));
  HW_TRY(const auto variables, read_assignments(env, "GITHUB_ENV"));
  for (const auto& [name, value] : variables) contexts_.values["exported"][name] = value;
  HW_TRY(const std::string output, read_file(folder / "output"));
  HW_TRY(const auto outputs, read_assignments(output, "GITHUB_OUTPUT"));
  if (step.id != nullptr)
    for (const auto& [name, value] : outputs)
      contexts_.values["steps"][step.id->value]["outputs"][name] = value;
  HW_TRY(const std::string paths, read_file(folder / "path"));
  for (const std::string& line : read_lines(paths))
    if (!line.empty()) path_.insert(path_.begin(), line);
  return {};
}

Result<bool> JobRunner::use_action(const Step& step) {
  HW_TRY(const Json with, values(step.with));
  const std::string_view action = step.action();
  if (action == "actions/checkout") {
    HW_CHECK(copy_tree(request_.repository, workspace_ / with.value("path", std::string(""))));
    return true;
  }
  if (action == "actions/upload-artifact") return upload(with);
  if (action == "actions/download-artifact") return download(with);
  if (action == "actions/setup-python") return make_python_environment();
  say(fmt::format("  {}: nothing to do here", action));
  return true;
}

// Packages that steps install stay out of this machine's Python.
Result<bool> JobRunner::make_python_environment() {
  const fs::path folder = temporary_ / "python";
  HW_TRY(const Finished made, hipwright::run({.argv = {"python3", "-m", "venv", folder.string()},
                                              .timeout = std::chrono::minutes(2)}));
  for (const std::string& line : read_lines(made.out + made.err)) say("  " + line);
  if (!made.ok()) return false;
  say("  this machine's python3, in an environment of its own");
  path_.insert(path_.begin(), (folder / "bin").string());
  return true;
}

Result<bool> JobRunner::upload(const Json& with) {
  const fs::path target = artifacts_ / with.value("name", std::string("artifact"));
  bool any = false;
  for (const std::string& line : read_lines(with.value("path", std::string()))) {
    const std::string_view name = trimmed(line);
    if (name.empty()) continue;
    if (name.find('*') != name.npos)
      return fail("cannot upload", std::string(name), "patterns are not supported here", "");
    const fs::path from = workspace_ / name;
    std::error_code error;
    if (!fs::exists(from, error)) continue;
    any = true;
    if (fs::is_directory(from, error)) {
      HW_CHECK(copy_tree(from, target));
    } else {
      HW_CHECK(make_directories(target));
      fs::copy_file(from, target / from.filename(), fs::copy_options::overwrite_existing, error);
      if (error) return fail("cannot upload", from.string(), error.message(), "");
    }
  }
  if (!any) say("  no files to upload");
  return any || with.value("if-no-files-found", std::string("warn")) != "error";
}

Result<bool> JobRunner::download(const Json& with) {
  const std::string name = with.value("name", std::string());
  const std::string pattern = with.value("pattern", std::string("*"));
  const fs::path target = workspace_ / with.value("path", std::string("."));
  std::error_code error;
  if (!name.empty()) {
    if (!fs::is_directory(artifacts_ / name, error)) {
      say(fmt::format("  there is no artifact '{}'", name));
      return false;
    }
    HW_CHECK(copy_tree(artifacts_ / name, target));
    return true;
  }
  const bool merges = with.value("merge-multiple", std::string()) == "true";
  std::vector<fs::path> found;
  for (auto at = fs::directory_iterator(artifacts_, error);
       !error && at != fs::directory_iterator(); at.increment(error))
    if (project::glob_matches(pattern, at->path().filename().string())) found.push_back(*at);
  std::ranges::sort(found);
  for (const fs::path& each : found)
    HW_CHECK(copy_tree(each, merges ? target : target / each.filename()));
  if (found.empty()) say(fmt::format("  no artifact matches '{}'", pattern));
  return true;
}

}  // namespace hipwright::ci
