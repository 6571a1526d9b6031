// SPDX-License-Identifier: MIT
#include "lsp/settings.h"

#include "lint/config.h"
#include "lint/selection.h"

namespace hipwright::lsp {

namespace {

Result<std::vector<std::string>> words(const std::string& key, const Value& value) {
  const auto wrong = [&] {
    return fail("invalid setting", key, "expected strings", R"(Write ["a", "b"])");
  };
  std::vector<std::string> list;
  if (value.is_string()) list.push_back(value.get<std::string>());
  if (!value.is_string() && !value.is_array()) return wrong();
  for (const Value& each : value.is_array() ? value : Value::array()) {
    if (!each.is_string()) return wrong();
    list.push_back(each.get<std::string>());
  }
  return list;
}

Status read_rules(const std::string& key, const Value& value, std::vector<std::string>& out) {
  HW_TRY(out, words(key, value));
  for (const std::string& word : out)
    if (const auto named = lint::rules_named(word); !named) return std::unexpected(named.error());
  return {};
}

Status read_key(const std::string& key, const Value& value, lint::Options& options) {
  if (key == "select") return read_rules(key, value, options.select);
  if (key == "ignore") return read_rules(key, value, options.ignore);
  HW_TRY(const std::vector<std::string> list, words(key, value));
  if (key == "exclude") {
    options.exclude = list;
    return {};
  }
  if (key == "arch") {
    for (const std::string& word : list) {
      HW_TRY(const auto targets, arch::parse_target_names(word));
      options.targets.insert(options.targets.end(), targets.begin(), targets.end());
    }
    return {};
  }
  if (key == "min-confidence" && list.size() == 1) {
    HW_TRY(options.min_confidence, lint::parse_confidence(list.front()));
    return {};
  }
  return fail("unknown setting", key, "",
              "Settings are select, ignore, exclude, arch and min-confidence.");
}

}  // namespace

Result<lint::Options> parse_settings(const Value& settings) {
  lint::Options options;
  if (settings.is_null()) return options;
  if (!settings.is_object())
    return fail("invalid settings", "", "expected an object", R"(Write {"arch": […]})");
  // Editors send the settings of all servers in one object.
  if (const auto own = settings.find("hipwright"); own != settings.end())
    return parse_settings(*own);
  for (const auto& [key, value] : settings.items()) HW_CHECK(read_key(key, value, options));
  return options;
}

}  // namespace hipwright::lsp
