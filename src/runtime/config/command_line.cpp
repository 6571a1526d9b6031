// SPDX-License-Identifier: MIT
#include "runtime/config/command_line.h"

#include <fmt/format.h>

#include "base/json.h"
#include "base/table.h"
#include "runtime/config/fields.h"
#include "runtime/config/presets.h"
#include "runtime/config/problems.h"

namespace hipwright::runtime {

namespace {

constexpr const char* kOption = "--set";

void set_from_word(const std::string& word, AMDConfig& config, Problems& problems) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos) {
    problems.add("", "", fmt::format("field=value, not '{}'", shown(word)), kOption);
    return;
  }
  const std::string name = word.substr(0, equals);
  const std::string value = word.substr(equals + 1);
  const Field* field = find_field(name);
  if (field == nullptr) {
    problems.add(shown(name), shown(value), unknown_field(name), kOption);
    return;
  }
  if (Refused refused = set_field_from_text(*field, config, value)) {
    problems.add(name, shown(value), *std::move(refused), kOption);
    return;
  }
  config.origins.insert_or_assign(name, AMDConfig::Origin{kOption, value_text(*field, config)});
}

std::string preset_names() {
  std::string names;
  for (const PresetInfo& info : presets())
    names += fmt::format("{}{}", names.empty() ? "" : ", ", to_string(info.preset));
  return names;
}

std::string cell(std::string text) {
  return text.empty() ? "\"\"" : text;
}

}  // namespace

EffectiveConfig effective_from(const SettingsOptions& options, const std::string& architecture) {
  AMDConfig config;
  Problems problems;
  for (const std::filesystem::path& file : options.files)
    problems.collect([&] { config.merge(AMDConfig::from_file(file)); });
  if (const PresetInfo* info = find_preset(options.preset))
    config.preset = info->preset;
  else if (!options.preset.empty())
    problems.add("preset", shown(options.preset), preset_names(), "--preset");
  for (const std::string& word : options.settings) set_from_word(word, config, problems);
  EffectiveConfig effective;
  problems.collect([&] { effective = config.effective(architecture); });
  problems.raise();
  return effective;
}

std::string effective_text(const EffectiveConfig& config, bool colour) {
  Table table({"field", "value", "from"});
  for (const EffectiveConfig::Row& row : config.rows)
    table.add({row.field, cell(row.value), row.origin});
  return table.text(colour);
}

Json effective_json(const EffectiveConfig& config) {
  Json rows = Json::array();
  for (const EffectiveConfig::Row& row : config.rows)
    rows.push_back({{"field", row.field},
                    {"value", value_json(*find_field(row.field), config)},
                    {"from", row.origin}});
  return {{"settings", std::move(rows)}, {"warnings", config.warnings}};
}

std::string fields_text(bool colour) {
  const EffectiveConfig defaults;
  std::string text;
  for (const Field& field : fields()) {
    const std::string name =
        colour ? fmt::format("\033[1m{}\033[0m", field.name) : std::string(field.name);
    text += fmt::format("{}{}: {}\n", text.empty() ? "" : "\n", name, field.doc);
    text += fmt::format("  {}, default {}\n", field.type, cell(value_text(field, defaults)));
    text += fmt::format("  allowed: {}\n", field.allowed);
    text += fmt::format("  environment: {}\n", field.environment_variable());
  }
  return text;
}

Json fields_json() {
  const EffectiveConfig defaults;
  Json list = Json::array();
  for (const Field& field : fields())
    list.push_back({{"field", field.name},
                    {"type", field.type},
                    {"default", value_json(field, defaults)},
                    {"allowed", field.allowed},
                    {"environment", field.environment_variable()},
                    {"meaning", field.doc}});
  return {{"fields", std::move(list)}};
}

std::string presets_text(bool colour) {
  Table table({"preset", "made for", "field", "value", "why"});
  for (const PresetInfo& info : presets()) {
    bool is_first = true;
    for (const PresetValue& value : info.values) {
      table.add({is_first ? std::string(to_string(info.preset)) : "",
                 is_first ? std::string(info.made_for) : "", std::string(value.field),
                 std::string(value.value), std::string(value.why)});
      is_first = false;
    }
  }
  return table.text(colour);
}

Json presets_json() {
  Json list = Json::array();
  for (const PresetInfo& info : presets()) {
    Json values = Json::array();
    for (const PresetValue& value : info.values)
      values.push_back({{"field", value.field}, {"value", value.value}, {"why", value.why}});
    list.push_back({{"preset", to_string(info.preset)},
                    {"made_for", info.made_for},
                    {"values", std::move(values)}});
  }
  return {{"presets", std::move(list)}};
}

}  // namespace hipwright::runtime
