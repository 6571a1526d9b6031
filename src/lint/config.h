// SPDX-License-Identifier: MIT
// The [lint] table of hipwright.toml. Other tables of the file belong to others.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "lint/engine.h"

namespace hipwright::lint {

struct Config {
  std::filesystem::path folder;  // of the file: where the project begins
  std::vector<std::string> select, ignore, exclude;
  std::vector<arch::Target> targets;
  std::optional<Confidence> min_confidence;
  std::vector<PerFileIgnore> per_file_ignores;
  std::optional<std::filesystem::path> baseline;  // absolute, or from the folder
};

// Errors name `origin` and the line. An unknown key is an error.
Result<Config> parse_config(std::string_view text, const std::filesystem::path& origin);
Result<Config> read_config(const std::filesystem::path& file);

Result<Confidence> parse_confidence(std::string_view word);

// Options take precedence over the file; ignores, excludes and per-file ignores are combined.
void apply(const Config& config, Options& options);

}  // namespace hipwright::lint
