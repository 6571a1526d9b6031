// SPDX-License-Identifier: MIT
// The settings of the guide's use cases, and the reasons.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "hipwright/config.h"

namespace hipwright::runtime {

struct PresetValue {
  std::string_view field;
  std::string_view value;  // as text
  std::string_view why;
};

struct PresetInfo {
  Preset preset;
  std::string_view use_case;
  std::string_view made_for;  // the guide's architectures
  // Used if no device is known; AUTO if the guide names several.
  AMDArchitecture architecture;
  std::span<const PresetValue> values;
};

std::span<const PresetInfo> presets();
const PresetInfo* find_preset(Preset preset);          // nullptr for an invalid value
const PresetInfo* find_preset(std::string_view name);  // "inference"; nullptr when unknown

// The preset's values as settings.
AMDConfig settings_of(const PresetInfo& preset);

}  // namespace hipwright::runtime
