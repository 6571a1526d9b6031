// SPDX-License-Identifier: MIT
// Finds the root of a project.
#pragma once

#include <filesystem>
#include <vector>

namespace hipwright::project {

// The project's settings for lint and verify.
constexpr const char* kConfigName = "hipwright.toml";

// The root of the project of these paths: the repository of the first one, or the folder itself if
// it is outside the working directory. Empty for the working directory.
std::filesystem::path project_of(const std::vector<std::filesystem::path>& paths);

// The nearest folder at or above `path` that contains `name`; empty if there is none.
std::filesystem::path find_upward(std::filesystem::path path, const char* name);

}  // namespace hipwright::project
