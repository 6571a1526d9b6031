// SPDX-License-Identifier: MIT
#include "runtime/config/settings_text.h"

#include <fmt/format.h>

#include "base/file.h"

namespace fs = std::filesystem;

namespace hipwright {

namespace runtime {

std::string SettingsText::at(std::size_t line) const {
  return fmt::format("{}:{}", origin_, line);
}

void SettingsText::entry(std::string_view name, const RawValue& value, std::size_t line) {
  const Field* field = find_field(name);
  if (field == nullptr) {
    problems_.add(shown(name), value.shown, unknown_field(name), at(line));
    return;
  }
  if (const auto earlier = config_.origins.find(name); earlier != config_.origins.end()) {
    problems_.add(std::string(name), value.shown,
                  fmt::format("set only once: {} sets it, too", earlier->second.where), at(line));
    return;
  }
  if (Refused refused = set_field(*field, config_, value))
    problems_.add(std::string(name), value.shown, *std::move(refused), at(line));
  config_.origins.emplace(name, AMDConfig::Origin{at(line), value_text(*field, config_)});
}

void SettingsText::unknown_table(std::string_view name, std::string what, std::size_t line) {
  problems_.add(shown(name), std::move(what),
                fmt::format("removed: fields belong at the top level or in {}", kTable), at(line));
}

void SettingsText::broken(std::string must_be, std::size_t line, std::size_t column) {
  problems_.add("", "", std::move(must_be),
                line == 0 ? origin_ : fmt::format("{}:{}:{}", origin_, line, column));
}

AMDConfig SettingsText::finish() const {
  problems_.raise();
  return config_;
}

}  // namespace runtime

AMDConfig AMDConfig::from_file(const fs::path& path) {
  const auto text = read_file(path);
  if (!text) {
    runtime::SettingsText settings(path.string());
    settings.broken("a readable file: " + text.error().why, 0, 0);
    return settings.finish();
  }
  return path.extension() == ".json" ? from_json(*text, path.string())
                                     : from_toml(*text, path.string());
}

}  // namespace hipwright
