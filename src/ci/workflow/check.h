// SPDX-License-Identifier: MIT
// Checks workflows with the linter's rules, and with other validators where they are installed.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "lint/engine.h"

namespace hipwright::ci {

// The workflows of a repository: .github/workflows/*.yml and *.yaml.
std::vector<std::filesystem::path> workflows_in(const std::filesystem::path& root);

// gfx names in Markdown pages and build files below `root`, and where: "docs/ci.md:12".
Result<std::map<std::string, std::string>> documented_targets(const std::filesystem::path& root);

// What another validator said.
struct ValidatorResult {
  std::string name;     // "actionlint"
  bool ran = false;     // otherwise `output` says why
  bool accepts = true;  // it found nothing
  std::string output;
};
// actionlint (which calls shellcheck where that is installed) and zizmor.
std::vector<ValidatorResult> other_validators(const std::vector<std::filesystem::path>& files);

}  // namespace hipwright::ci
