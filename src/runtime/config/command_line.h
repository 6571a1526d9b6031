// SPDX-License-Identifier: MIT
// Settings from the command line, and their output.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "hipwright/config.h"

namespace hipwright::runtime {

struct SettingsOptions {
  std::string preset;  // empty: none
  std::vector<std::filesystem::path> files;
  std::vector<std::string> settings;  // "device_id=1"; they win over files
};

// What holds on `architecture` (AMDConfig::effective) with these settings. Throws
// AMDConfigurationError with the problems of all of them and of the environment.
EffectiveConfig effective_from(const SettingsOptions& options, const std::string& architecture);

std::string effective_text(const EffectiveConfig& config, bool colour);
Json effective_json(const EffectiveConfig& config);

std::string fields_text(bool colour);
Json fields_json();

std::string presets_text(bool colour);
Json presets_json();

}  // namespace hipwright::runtime
