// SPDX-License-Identifier: MIT
// Which jobs a component of each kind gets: a table.
#include <algorithm>

#include <fmt/format.h>

#include "ci/init/jobs.h"

namespace hipwright::ci {

namespace {

enum class In {
  kBoth,
  kChecks
};  // the workflow of pull requests and pushes only, or releases, too

bool always(const JobRequest&) {
  return true;
}
bool with_ctest(const JobRequest& request) {
  return request.component.has_ctest;
}
bool with_pytest(const JobRequest& request) {
  return request.component.has_pytest;
}
bool with_windows(const JobRequest& request) {
  return request.options.windows && has_windows_target(request.options);
}
bool with_gpu(const JobRequest& request) {
  return request.options.gpu_runners;
}
bool with_gpu_on_windows(const JobRequest& request) {
  return with_gpu(request) && with_windows(request);
}
bool with_ctest_on_gpu(const JobRequest& request) {
  return with_gpu(request) && with_ctest(request);
}
bool with_ctest_on_windows_gpu(const JobRequest& request) {
  return with_gpu_on_windows(request) && with_ctest(request);
}
bool with_pytest_on_gpu(const JobRequest& request) {
  return with_gpu(request) && with_pytest(request);
}
bool with_pytest_on_windows_gpu(const JobRequest& request) {
  return with_gpu(request) && request.options.windows && with_pytest(request);
}
bool with_extension_on_windows_gpu(const JobRequest& request) {
  return with_gpu_on_windows(request) && with_pytest(request);
}
bool with_any_windows_gpu(const JobRequest& request) {
  return with_gpu(request) && request.options.windows;
}

struct JobRow {
  Preset kind;
  In where;
  bool (*wanted)(const JobRequest&);
  NewJob (*make)(const JobRequest&);
};

constexpr JobRow kJobs[] = {
    {Preset::kCpp, In::kBoth, always, compile_job},
    {Preset::kCpp, In::kBoth, with_windows, compile_windows_job},
    {Preset::kCpp, In::kBoth, with_ctest, software_job},
    {Preset::kCpp, In::kChecks, always, build_kernels_job},
    {Preset::kCpp, In::kBoth, with_ctest_on_gpu, build_gpu_job},
    {Preset::kCpp, In::kBoth, with_ctest_on_windows_gpu, build_gpu_windows_job},
    {Preset::kCpp, In::kChecks, with_gpu, profile_job},

    {Preset::kTorchExtension, In::kBoth, always, wheel_linux_job},
    {Preset::kTorchExtension, In::kBoth, with_windows, wheel_windows_job},
    {Preset::kTorchExtension, In::kBoth, with_pytest, python_test_job},
    {Preset::kTorchExtension, In::kChecks, always, wheel_kernels_job},
    {Preset::kTorchExtension, In::kBoth, with_pytest_on_gpu, python_gpu_job},
    {Preset::kTorchExtension, In::kBoth, with_extension_on_windows_gpu, python_gpu_windows_job},
    {Preset::kTorchExtension, In::kChecks, with_gpu, profile_job},
    {Preset::kTorchExtension, In::kChecks, with_gpu_on_windows, profile_windows_job},

    {Preset::kPython, In::kBoth, always, wheel_job},
    {Preset::kPython, In::kBoth, with_pytest, python_test_job},
    {Preset::kPython, In::kBoth, with_pytest_on_gpu, python_gpu_job},
    {Preset::kPython, In::kBoth, with_pytest_on_windows_gpu, python_gpu_windows_job},
    {Preset::kPython, In::kChecks, with_gpu, profile_job},
    {Preset::kPython, In::kChecks, with_any_windows_gpu, profile_windows_job},
};

std::vector<NewJob> component_jobs(const Repository& repository, const InitOptions& options,
                                   bool is_release) {
  std::vector<NewJob> jobs;
  for (const Component& component : repository.components) {
    const JobRequest request{.component = component,
                             .options = options,
                             .is_monorepo = repository.preset() == Preset::kMonorepo,
                             .is_release = is_release};
    for (const JobRow& row : kJobs)
      if (row.kind == component.kind && (!is_release || row.where == In::kBoth) &&
          row.wanted(request))
        jobs.push_back(row.make(request));
  }
  return jobs;
}

Pairs download_of_hipwright(const InitOptions& options) {
  const auto value = [](const char* name, const std::string& given) {
    return given.empty() ? fmt::format("${{{{ vars.{} }}}}", name)
                         : fmt::format("${{{{ vars.{} || '{}' }}}}", name, given);
  };
  return {{"HIPWRIGHT_URL", value("HIPWRIGHT_URL", options.url)},
          {"HIPWRIGHT_SHA256", value("HIPWRIGHT_SHA256", options.sha256)}};
}

std::vector<std::string> ids_of(const std::vector<NewJob>& jobs) {
  std::vector<std::string> ids;
  for (const NewJob& job : jobs) ids.push_back(job.id);
  return ids;
}

NewWorkflow checks(const Repository& repository, const InitOptions& options) {
  NewWorkflow workflow{.name = "rocm", .env = download_of_hipwright(options)};
  workflow.head = fmt::format(
      "# Preset {}. Edit freely: `hipwright ci update` keeps parts that were edited by hand.\n"
      "on:\n  push:\n    branches: [{}]\n  pull_request:\n  workflow_dispatch:\n",
      to_string(repository.preset()), repository.default_branch);
  workflow.jobs = {configure_job(repository, options, false), lint_job()};
  const auto jobs = component_jobs(repository, options, false);
  workflow.jobs.insert(workflow.jobs.end(), jobs.begin(), jobs.end());
  workflow.jobs.push_back(summary_job(workflow.jobs));
  return workflow;
}

// Builds everything itself, without caches: nothing that a pull request wrote reaches a release.
NewWorkflow release(const Repository& repository, const InitOptions& options) {
  NewWorkflow workflow{
      .name = "rocm-release", .cancels = false, .env = download_of_hipwright(options)};
  workflow.head = fmt::format(
      "# Preset {}. Edit freely: `hipwright ci update` keeps parts that were edited by hand.\n"
      "on:\n  push:\n    tags: ['v*']\n",
      to_string(repository.preset()));
  workflow.jobs = {configure_job(repository, options, true)};
  const auto jobs = component_jobs(repository, options, true);
  workflow.jobs.insert(workflow.jobs.end(), jobs.begin(), jobs.end());
  workflow.jobs.push_back(release_job(ids_of(workflow.jobs), repository, options));
  const bool has_wheels = std::ranges::any_of(
      repository.components, [](const Component& each) { return each.kind != Preset::kCpp; });
  if (has_wheels) workflow.jobs.push_back(publish_job({"release"}));
  workflow.jobs.push_back(summary_job(workflow.jobs));
  return workflow;
}

}  // namespace

std::vector<NewWorkflow> plan_workflows(const Repository& repository, const InitOptions& options) {
  return {checks(repository, options), release(repository, options)};
}

}  // namespace hipwright::ci
