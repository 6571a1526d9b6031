// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstdlib>

#include <fmt/format.h>

#include "arch/target.h"
#include "runtime/config/architecture.h"
#include "runtime/config/fields.h"
#include "runtime/config/presets.h"
#include "runtime/config/problems.h"

namespace hipwright {

using namespace runtime;

namespace {

// An empty variable counts as unset: scripts cannot always unset one.
const char* environment_value(const std::string& variable) {
  const char* value = std::getenv(variable.c_str());
  return value != nullptr && *value != '\0' ? value : nullptr;
}

AMDConfig read_environment(Problems& problems) {
  AMDConfig config;
  for (const Field& field : fields()) {
    const std::string variable = field.environment_variable();
    const char* value = environment_value(variable);
    if (value == nullptr) continue;
    if (Refused refused = set_field_from_text(field, config, value))
      problems.add(std::string(field.name), shown(value), *std::move(refused), variable);
  }
  for (const std::string_view name : fields_not_supported_yet()) {
    const std::string variable = Field{.name = name}.environment_variable();
    if (const char* value = environment_value(variable))
      problems.add(std::string(name), shown(value), unknown_field(name), variable);
  }
  return config;
}

// The device that the settings are for.
struct TargetDevice {
  std::string name;                      // empty: none known
  const arch::ArchInfo* info = nullptr;  // of an AMD GPU

  AMDArchitecture architecture() const {
    return info != nullptr ? architecture_of(info->family) : AMDArchitecture::AUTO;
  }
};

TargetDevice find_device(std::string_view text, Problems& problems) {
  if (text.empty()) return {};
  if (text == "cpu" || text.starts_with("sm_")) return {.name = std::string(text)};
  const auto target = arch::parse_target(text);
  if (target) return {.name = std::string(target->info->gfx), .info = target->info};
  problems.add("architecture", shown(text),
               fmt::format("a gfx target or a product name ({}. {})", target.error().why,
                           target.error().fix),
               "device");
  return {};
}

// A pool that leaves seven eighths of the memory of the target's smallest product.
AMDConfig architecture_defaults(const arch::ArchInfo* info) {
  AMDConfig config;
  if (info == nullptr) return config;
  std::optional<double> smallest;
  for (const arch::Product& product : info->products)
    if (product.memory_gib && (!smallest || product.memory_gib->value < *smallest))
      smallest = product.memory_gib->value;
  if (smallest) config.memory_pool_size_gb = *smallest / 8;
  return config;
}

// The architecture set by environment, code or a file; AUTO if none.
AMDArchitecture asked_architecture(const AMDConfig& settings, const AMDConfig& environment) {
  return environment.architecture.value_or(settings.architecture.value_or(AMDArchitecture::AUTO));
}

EffectiveConfig::Row& row_of(EffectiveConfig& config, std::string_view field) {
  return *std::ranges::find(config.rows, field, &EffectiveConfig::Row::field);
}

// The device's architecture decides; a requested one must agree with it.
void settle_architecture(EffectiveConfig& config, AMDArchitecture asked, const TargetDevice& device,
                         const PresetInfo* preset, Problems& problems) {
  EffectiveConfig::Row& row = row_of(config, "architecture");
  const auto settle = [&](AMDArchitecture architecture, std::string origin) {
    config.architecture = architecture;
    row.value = to_string(architecture);
    row.origin = std::move(origin);
  };
  if (device.name.empty()) {
    if (asked == AMDArchitecture::AUTO && preset != nullptr &&
        preset->architecture != AMDArchitecture::AUTO)
      settle(preset->architecture, fmt::format("preset {}", to_string(preset->preset)));
    return;
  }
  const AMDArchitecture actual = device.architecture();
  if (asked != AMDArchitecture::AUTO && asked != actual) {
    const std::string_view family =
        device.info != nullptr ? device.info->architecture.value : "not an AMD GPU";
    if (config.enable_strict_validation)
      problems.add("architecture", std::string(to_string(asked)),
                   fmt::format("auto or the device's, which is {} ({})", device.name, family),
                   row.origin);
    else
      config.warnings.push_back(
          fmt::format("{}: architecture = {}, but the device is {} ({}); using the device's",
                      row.origin, to_string(asked), device.name, family));
  } else if (asked == actual) {
    return;
  }
  settle(actual, fmt::format("architecture {}", device.name));
}

}  // namespace

EffectiveConfig AMDConfig::effective(std::string_view device_architecture) const {
  Problems problems;
  check_settings(*this, problems);
  const AMDConfig environment = read_environment(problems);
  const PresetInfo* info = preset ? find_preset(*preset) : nullptr;
  const AMDConfig preset_settings = info != nullptr ? settings_of(*info) : AMDConfig();
  const TargetDevice device = find_device(device_architecture, problems);

  const AMDArchitecture asked = asked_architecture(*this, environment);
  const arch::ArchInfo* target = device.info;
  if (device.name.empty())
    target = first_target(asked != AMDArchitecture::AUTO || info == nullptr ? asked
                                                                            : info->architecture);
  const AMDConfig defaults = architecture_defaults(target);

  EffectiveConfig config;
  for (const Field& field : fields()) {
    std::string origin = "default";
    const auto layer = [&](const AMDConfig& settings, auto&& name_origin) {
      if (!is_set(field, settings)) return;
      apply_field(field, settings, config);
      origin = name_origin();
    };
    layer(defaults, [&] { return fmt::format("architecture {}", target->gfx); });
    layer(preset_settings, [&] { return fmt::format("preset {}", to_string(*preset)); });
    layer(*this, [&] { return origin_of(field.name, *this); });
    layer(environment, [&] { return field.environment_variable(); });
    config.rows.push_back({std::string(field.name), value_text(field, config), std::move(origin)});
  }
  settle_architecture(config, asked, device, info, problems);
  problems.raise();
  return config;
}

AMDConfig& AMDConfig::merge(const AMDConfig& other) {
  for (const Field& field : fields()) {
    if (!is_set(field, other)) continue;
    copy_field(field, other, *this);
    const auto origin = other.origins.find(field.name);
    if (origin != other.origins.end())
      origins.insert_or_assign(std::string(field.name), origin->second);
    else
      origins.erase(std::string(field.name));
  }
  if (other.preset) preset = other.preset;
  return *this;
}

}  // namespace hipwright
