// SPDX-License-Identifier: MIT
#include "runtime/config/presets.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "runtime/config/fields.h"

namespace hipwright {

std::string_view to_string(Preset preset) {
  switch (preset) {
    case Preset::kLlmTraining:
      return "llm-training";
    case Preset::kGeneralTraining:
      return "general-training";
    case Preset::kInference:
      return "inference";
    case Preset::kDevelopment:
      return "development";
  }
  return "?";  // not a value of the enumeration
}

namespace runtime {

namespace {

constexpr std::array kLlmTraining = {
    PresetValue{"memory_pool_size_gb", "16",
                "the guide's pool for MI300X: activations are allocated and freed "
                "in the same sizes every step"},
    PresetValue{"max_memory_fraction", "0.95",
                "the job has the whole GPU; the rest is for the runtime and RCCL"},
    PresetValue{"hip_compiler_cache_size", "500",
                "many shapes and types; a kernel is never compiled twice in a run"},
    PresetValue{"enable_oom_protection", "true", "a long run should survive a memory shortage"},
};

constexpr std::array kGeneralTraining = {
    PresetValue{"memory_pool_size_gb", "8", "the guide's default: an eighth of an MI210"},
    PresetValue{"max_memory_fraction", "0.9", "the guide's default"},
    PresetValue{"hip_compiler_cache_size", "200", "more kernels than inference, fewer than an LLM"},
    PresetValue{"enable_oom_protection", "true", "a run should survive a memory shortage"},
};

constexpr std::array kInference = {
    PresetValue{"memory_pool_size_gb", "4",
                "weights stay allocated; temporaries are small, and the rest serves other models"},
    PresetValue{"max_memory_fraction", "0.8",
                "the guide's advice against full memory; several servers may share the GPU"},
    PresetValue{"enable_profiling", "false", "no overhead besides the inference itself"},
    PresetValue{"enable_oom_protection", "true", "a server survives to serve the next request"},
};

constexpr std::array kDevelopment = {
    PresetValue{"memory_pool_size_gb", "1",
                "a desktop GPU has few GiB and also drives the display"},
    PresetValue{"max_memory_fraction", "0.5", "half of it is for the desktop"},
    PresetValue{"enable_profiling", "true", "the guide: profile before you optimize"},
    PresetValue{"enable_strict_validation", "false",
                "strict validation would forbid the CPU, a common device for development"},
    PresetValue{"enable_oom_protection", "true", "the display shares the memory"},
};

constexpr std::array kPresets = {
    PresetInfo{Preset::kLlmTraining, "LLM training", "CDNA3", AMDArchitecture::CDNA3, kLlmTraining},
    PresetInfo{Preset::kGeneralTraining, "general training", "CDNA2", AMDArchitecture::CDNA2,
               kGeneralTraining},
    PresetInfo{Preset::kInference, "inference", "CDNA2, CDNA3", AMDArchitecture::AUTO, kInference},
    PresetInfo{Preset::kDevelopment, "development", "RDNA3, CPU", AMDArchitecture::AUTO,
               kDevelopment},
};

}  // namespace

std::span<const PresetInfo> presets() {
  return kPresets;
}

const PresetInfo* find_preset(Preset preset) {
  const auto found = std::ranges::find(kPresets, preset, &PresetInfo::preset);
  return found == kPresets.end() ? nullptr : found;
}

const PresetInfo* find_preset(std::string_view name) {
  const auto found = std::ranges::find(
      kPresets, name, [](const PresetInfo& info) { return to_string(info.preset); });
  return found == kPresets.end() ? nullptr : found;
}

AMDConfig settings_of(const PresetInfo& preset) {
  AMDConfig settings;
  for (const PresetValue& value : preset.values) {
    const Field* field = find_field(value.field);
    HW_ASSERT(field != nullptr && !set_field_from_text(*field, settings, value.value));
  }
  return settings;
}

}  // namespace runtime

}  // namespace hipwright
