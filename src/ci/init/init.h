// SPDX-License-Identifier: MIT
// Writes workflows for a repository, and brings them up to date without touching what was edited by
// hand.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "arch/target.h"
#include "base/error.h"
#include "ci/init/model.h"

namespace hipwright::ci {

enum class Preset { kCpp, kTorchExtension, kPython };
std::string_view to_string(Preset preset);
Result<Preset> parse_preset(std::string_view word);

// What the repository shows.
struct Repository {
  Preset preset = Preset::kCpp;
  bool has_cmake = false, has_setup_py = false, has_pyproject = false, has_ctest = false,
       has_pytest = false;
  std::string default_branch = "main";
};
Result<Repository> look_at(const std::filesystem::path& root);

struct InitOptions {
  std::vector<arch::Target> targets;  // to compile for; the first with each wave size is run
  bool gpu_runners = true;            // jobs for self-hosted runners
};

NewWorkflow plan_workflow(const Repository& repository, const InitOptions& options);

// All files by their path in the repository.
std::map<std::string, std::string> init_files(const Repository& repository,
                                              const InitOptions& options);

struct Updated {
  std::string text;
  std::vector<std::string> kept;  // "job compile: edited by hand"
};
// The new text of a workflow in place of an old one. A part that still is as it was generated is
// replaced; one that was edited, or added by hand, is kept.
Result<Updated> update_workflow(std::string_view old_text, const NewWorkflow& workflow,
                                const std::string& path);
std::string workflow_text(const NewWorkflow& workflow);

}  // namespace hipwright::ci
