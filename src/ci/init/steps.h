// SPDX-License-Identifier: MIT
// Steps and values that several jobs use.
#pragma once

#include <string>
#include <string_view>

#include "ci/init/init.h"

namespace hipwright::ci {

// Where generated scripts stand in the repository.
constexpr std::string_view kScripts = ".github/rocm";

constexpr const char* kLinux = "ubuntu-24.04";
constexpr const char* kWindows = "windows-2022";
constexpr const char* kLinuxGpu = "[self-hosted, Linux, ROCm]";
constexpr const char* kWindowsGpu = "[self-hosted, Windows, ROCm]";

// What a job is written for.
struct JobRequest {
  const Component& component;
  const InitOptions& options;
  bool is_monorepo = false, is_release = false;

  // "compile" or, in a monorepo, "compile-core".
  std::string id(std::string_view job) const;
  std::string title(std::string_view text) const;
  // A path of the component from the repository's root.
  std::string path(std::string_view inner) const;
  // The condition under which a job runs, beyond those that it needs: changed files, forks.
  std::string condition(bool is_self_hosted, std::string_view further = "") const;
  NewJob job(std::string_view name, std::string_view text, const char* runs_on, unsigned minutes,
             bool is_self_hosted = false) const;
};

// "core" of "libs/core".
std::string slug(std::string_view path);

NewStep checkout(bool with_history = false);
NewStep install();
// A generated script: `bash` on Linux, PowerShell on Windows.
std::string script(std::string_view name, std::string_view arguments = "");
std::string windows_script(std::string_view name, std::string_view arguments = "");
NewStep use_rocm(const char* kind);             // sdk, release or runner
NewStep use_rocm_on_windows(const char* kind);  // sdk or runner
NewStep set_up_python(bool with_cache);
NewStep cache(std::string name, std::string path, std::string key);
NewStep upload(std::string step, std::string name, std::string path);
NewStep upload_logs(const JobRequest& request, std::string_view name);
NewStep download(std::string name, std::string path);
NewStep check_runner();
NewStep clean_gpu();
NewStep diagnostics();
NewStep count_tests(bool on_windows, std::string_view file);

// The target of self-hosted runners, whose build they download.
std::string runner_gfx(const InitOptions& options, bool on_windows);
bool has_windows_target(const InitOptions& options);

}  // namespace hipwright::ci
