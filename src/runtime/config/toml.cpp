// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <toml++/toml.h>
#include <algorithm>

#include "base/toml_depth.h"
#include "runtime/config/settings_text.h"

namespace hipwright {

namespace {

using runtime::RawValue;

RawValue raw_value(const toml::node& node) {
  if (const auto* value = node.as_boolean()) return {value->get(), value->get() ? "true" : "false"};
  if (const auto* value = node.as_integer()) return {value->get(), fmt::format("{}", value->get())};
  if (const auto* value = node.as_floating_point())
    return {value->get(), fmt::format("{}", value->get())};
  if (const auto* value = node.as_string()) return {value->get(), runtime::shown(value->get())};
  if (node.is_table()) return {{}, "a table"};
  if (node.is_array()) return {{}, "a list"};
  return {{}, "a date or time"};
}

void read_table(const toml::table& table, runtime::SettingsText& settings, bool is_top) {
  // As they stand in the file; the table itself is sorted by name.
  std::vector<std::pair<const toml::key*, const toml::node*>> entries;
  for (const auto& [key, node] : table) entries.emplace_back(&key, &node);
  std::ranges::sort(entries, {}, [](const auto& entry) {
    const toml::source_position& at = entry.first->source().begin;
    return std::pair(at.line, at.column);
  });
  for (const auto& [key, node] : entries) {
    const std::size_t line = key->source().begin.line;
    const toml::table* inner = node->as_table();
    if (is_top && inner != nullptr && key->str() == runtime::kTable)
      read_table(*inner, settings, false);
    else if (is_top && inner != nullptr && runtime::find_field(key->str()) == nullptr)
      settings.unknown_table(key->str(), "a table", line);
    else
      settings.entry(key->str(), raw_value(*node), line);
  }
}

}  // namespace

AMDConfig AMDConfig::from_toml(std::string_view text, const std::string& origin) {
  runtime::SettingsText settings(origin);
  if (text.size() > runtime::kLongestText || !check_toml_depth(text, origin)) {
    settings.broken("a settings file, which is shorter and simpler", 0, 0);
    return settings.finish();
  }
  try {
    read_table(toml::parse(text), settings, true);
  } catch (const toml::parse_error& error) {
    settings.broken(fmt::format("valid TOML: {}", runtime::shown(error.description())),
                    error.source().begin.line, error.source().begin.column);
  }
  return settings.finish();
}

}  // namespace hipwright
