// SPDX-License-Identifier: MIT
// Writes workflows for a repository, and brings them up to date without touching what was edited by
// hand.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "arch/target.h"
#include "base/error.h"
#include "ci/init/model.h"

namespace hipwright::ci {

enum class Preset { kCpp, kTorchExtension, kPython, kMonorepo };
std::string_view to_string(Preset preset);
Result<Preset> parse_preset(std::string_view word);

// A directory with a build of its own.
struct Component {
  std::string path;  // below the repository; empty: the repository itself
  Preset kind = Preset::kCpp;
  bool has_ctest = false, has_pytest = false, uses_torch = false;
  std::vector<std::string> examples;  // Python programs to profile
};

// What the repository shows.
struct Repository {
  std::vector<Component> components;  // one, or those of a monorepo
  std::string default_branch = "main";

  Preset preset() const;
};

// `preset`: what it is to be, whatever its files suggest.
Result<Repository> look_at(const std::filesystem::path& root, std::optional<Preset> preset);

struct InitOptions {
  std::vector<arch::Target> targets;  // to compile for
  bool gpu_runners = true;            // jobs for self-hosted runners
  bool windows = true;                // jobs for Windows runners
  std::string url, sha256;            // hipwright's tarball, unless repository variables name it
};

// The checks of pushes and pull requests, and the release of a tag.
std::vector<NewWorkflow> plan_workflows(const Repository& repository, const InitOptions& options);

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
std::string workflow_path(const NewWorkflow& workflow);

// A whole file with a last line that says that nobody edited it.
std::string marked_file(std::string_view text, const std::string& path);
bool is_as_generated(std::string_view text);

}  // namespace hipwright::ci
