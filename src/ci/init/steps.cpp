// SPDX-License-Identifier: MIT
#include "ci/init/steps.h"

#include <algorithm>

#include <fmt/format.h>

#include "ci/arches/arches.h"

namespace hipwright::ci {

namespace {

constexpr Action kCheckout{"actions/checkout", "08c6903cd8c0fde910a37f88322edcfb5dd907a8",
                           "v5.0.0"};
constexpr Action kUpload{"actions/upload-artifact", "ea165f8d65b6e75b540449e92b4886f43607fa02",
                         "v4.6.2"};
constexpr Action kDownload{"actions/download-artifact", "634f93cb2916e3fdff6788551b99b062d0335ce0",
                           "v5.0.0"};
constexpr Action kPython{"actions/setup-python", "a26af69be951a213d495a4c3e4e4022e16d87065",
                         "v5.6.0"};
constexpr Action kCache{"actions/cache", "0057852bfaa89a56745cba8c7296529d2fc39830", "v4.3.0"};

// Code of forks never runs on machines of the project.
constexpr std::string_view kTrusted =
    "(github.event_name != 'pull_request' || "
    "github.event.pull_request.head.repo.full_name == github.repository)";

}  // namespace

std::string slug(std::string_view path) {
  std::string name;
  for (const char c : path.substr(path.rfind('/') + 1)) {
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    name += (lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9') ? lower : '-';
  }
  if (name.empty() || name.front() < 'a') name = "c" + name;
  return name;
}

std::string JobRequest::id(std::string_view job) const {
  return is_monorepo ? fmt::format("{}-{}", job, slug(component.path)) : std::string(job);
}

std::string JobRequest::title(std::string_view text) const {
  return is_monorepo ? fmt::format("{}: {}", component.path, text) : std::string(text);
}

std::string JobRequest::path(std::string_view inner) const {
  return component.path.empty() ? std::string(inner) : fmt::format("{}/{}", component.path, inner);
}

std::string JobRequest::condition(bool is_self_hosted, std::string_view further) const {
  std::string text;
  const auto add = [&](std::string_view part) {
    if (!part.empty()) text += fmt::format("{}{}", text.empty() ? "" : " && ", part);
  };
  if (is_monorepo && !is_release)
    add(fmt::format("needs.configure.outputs.changed-{} == 'true'", slug(component.path)));
  add(further);
  if (is_self_hosted) add(kTrusted);
  return text;
}

NewJob JobRequest::job(std::string_view name, std::string_view text, const char* runs_on,
                       unsigned minutes, bool is_self_hosted) const {
  return {.id = id(name),
          .name = title(text),
          .needs = {"configure"},
          .condition = condition(is_self_hosted),
          .runs_on = runs_on,
          .timeout_minutes = minutes,
          .directory = component.path};
}

NewStep checkout(bool with_history) {
  NewStep step{.name = "Check out", .uses = &kCheckout, .with = {{"persist-credentials", "false"}}};
  if (with_history) step.with.emplace_back("fetch-depth", "0");
  return step;
}

std::string script(std::string_view name, std::string_view arguments) {
  const std::string_view runner = name.ends_with(".py") ? "python3" : "bash";
  return fmt::format("{} \"$GITHUB_WORKSPACE/{}/{}\"{}{}\n", runner, kScripts, name,
                     arguments.empty() ? "" : " ", arguments);
}

std::string windows_script(std::string_view name, std::string_view arguments) {
  return fmt::format("{} \"$env:GITHUB_WORKSPACE/{}/{}\"{}{}\n",
                     name.ends_with(".py") ? "python" : "&", kScripts, name,
                     arguments.empty() ? "" : " ", arguments);
}

NewStep install() {
  return {.name = "Install hipwright", .run = script("install-hipwright.sh")};
}

NewStep use_rocm(const char* kind) {
  const bool is_runner = std::string_view(kind) == "runner";
  NewStep step{.name = "Prepare ROCm", .run = script("use-rocm.sh", kind)};
  step.env = {{"ROCM_PATH", is_runner ? "${{ vars.ROCM_PATH }}" : "${{ vars.ROCM_PATH_HOSTED }}"},
              {"ROCM_EXTRA_BIN_DIRS", "${{ vars.ROCM_EXTRA_BIN_DIRS }}"},
              {"ROCM_EXTRA_LIB_DIRS", "${{ vars.ROCM_EXTRA_LIB_DIRS }}"}};
  if (std::string_view(kind) == "release")
    step.env.emplace_back("ROCM_VERSION", "${{ vars.ROCM_VERSION || '6.4.3' }}");
  return step;
}

NewStep use_rocm_on_windows(const char* kind) {
  NewStep step{.name = "Prepare HIP", .run = windows_script("use-rocm.ps1", kind)};
  step.env = {
      {"ROCM_PATH", std::string_view(kind) == "runner" ? "${{ vars.ROCM_PATH_WINDOWS }}"
                                                       : "${{ vars.ROCM_PATH_WINDOWS_HOSTED }}"},
      {"ROCM_EXTRA_BIN_DIRS", "${{ vars.ROCM_EXTRA_BIN_DIRS_WINDOWS }}"},
      {"ROCM_EXTRA_LIB_DIRS", "${{ vars.ROCM_EXTRA_LIB_DIRS_WINDOWS }}"}};
  if (std::string_view(kind) == "sdk")
    step.env.emplace_back("HIP_SDK_URL",
                          "${{ vars.HIP_SDK_URL || "
                          "'https://download.amd.com/developer/eula/rocm-hub/"
                          "AMD-Software-PRO-Edition-25.Q3-WinSvr2022-For-HIP.exe' }}");
  return step;
}

NewStep set_up_python(bool with_cache) {
  NewStep step{.name = "Set up Python", .uses = &kPython, .with = {{"python-version", "3.11"}}};
  if (with_cache) {
    step.with.emplace_back("cache", "pip");
    step.with.emplace_back("cache-dependency-path", "**/pyproject.toml\n**/setup.py\n");
  }
  return step;
}

NewStep cache(std::string name, std::string path, std::string key) {
  return {.name = std::move(name),
          .uses = &kCache,
          .with = {{"path", std::move(path)},
                   {"key", key + "-${{ github.sha }}"},
                   {"restore-keys", key + "-"}}};
}

NewStep upload(std::string step, std::string name, std::string path) {
  return {
      .name = std::move(step),
      .uses = &kUpload,
      .with = {
          {"name", std::move(name)}, {"path", std::move(path)}, {"if-no-files-found", "error"}}};
}

NewStep upload_logs(const JobRequest& request, std::string_view name) {
  return {.name = "Upload logs",
          .uses = &kUpload,
          .condition = "always()",
          .with = {{"name", "logs-" + request.id(name)},
                   {"path", request.path("logs")},
                   {"if-no-files-found", "ignore"}}};
}

NewStep download(std::string name, std::string path) {
  return {.name = "Download the build",
          .uses = &kDownload,
          .with = {{"name", std::move(name)}, {"path", std::move(path)}}};
}

// Exit code 3: something could not be found out, which is no failure of the runner.
NewStep check_runner() {
  return {.name = "Check the runner",
          .run = "hipwright doctor --profile linux-runner --no-network || [ $? = 3 ]\n"};
}

NewStep clean_gpu() {
  return {.name = "End leftover GPU processes",
          .condition = "always()",
          .run = script("job-completed.sh")};
}

NewStep diagnostics() {
  return {.name = "Collect diagnostics", .condition = "failure()", .run = script("diagnostics.sh")};
}

NewStep count_tests(bool on_windows, std::string_view file) {
  return {
      .name = "Fail if no test ran",
      .condition = "always()",
      .run = on_windows ? windows_script("count-tests.py", file) : script("count-tests.py", file)};
}

bool has_windows_target(const InitOptions& options) {
  return std::ranges::any_of(options.targets,
                             [](const arch::Target& target) { return is_on_windows(target); });
}

std::string runner_gfx(const InitOptions& options, bool on_windows) {
  const auto target = std::ranges::find_if(options.targets, [&](const arch::Target& each) {
    return !on_windows || is_on_windows(each);
  });
  return fmt::format("${{{{ vars.{} || '{}' }}}}",
                     on_windows ? "GPU_RUNNER_GFX_WINDOWS" : "GPU_RUNNER_GFX",
                     target == options.targets.end() ? "" : target->id());
}

}  // namespace hipwright::ci
