// SPDX-License-Identifier: MIT
#include "github/profile/toml_fields.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/edit_distance.h"
#include "base/toml_depth.h"

namespace hipwright::github {

std::unexpected<Error> TomlFields::wrong(const toml::source_region& where, std::string why,
                                         std::string fix) const {
  return fail(what_, fmt::format("{}:{}", origin_, where.begin.line), std::move(why),
              std::move(fix));
}

Status TomlFields::read_text(std::string_view text, const std::vector<Field>& fields) const {
  HW_CHECK(check_toml_depth(text, origin_));
  try {
    return read(toml::parse(text, origin_), fields);
  } catch (const toml::parse_error& error) {
    return fail(what_, fmt::format("{}:{}", origin_, error.source().begin.line),
                std::string(error.description()));
  }
}

Status TomlFields::read(const toml::table& table, const std::vector<Field>& fields) const {
  for (const auto& [key, node] : table) {
    const auto field = std::ranges::find(fields, key.str(), &Field::name);
    if (field == fields.end()) return unknown(key, fields);
    HW_CHECK(read_value(node, *field));
  }
  return {};
}

Status TomlFields::read_value(const toml::node& node, const Field& field) const {
  constexpr std::int64_t kMost = 10'000;
  if (const auto* read = std::get_if<ReadNode>(&field.value)) return (*read)(node);
  if (auto* const* text = std::get_if<std::string*>(&field.value)) {
    if (!node.is_string()) return wrong(node.source(), "expected a string");
    **text = node.as_string()->get();
  } else if (auto* const* flag = std::get_if<bool*>(&field.value)) {
    if (!node.is_boolean()) return wrong(node.source(), "expected true or false");
    **flag = node.as_boolean()->get();
  } else if (auto* const* number = std::get_if<unsigned*>(&field.value)) {
    const auto value = node.value_exact<std::int64_t>();
    if (!value || *value < 1 || *value > kMost)
      return wrong(node.source(), fmt::format("expected a number from 1 to {}", kMost));
    **number = static_cast<unsigned>(*value);
  } else {
    auto& texts = *std::get<std::vector<std::string>*>(field.value);
    if (!node.is_array()) return wrong(node.source(), "expected a list of strings");
    texts.clear();
    for (const toml::node& each : *node.as_array()) {
      if (!each.is_string()) return wrong(each.source(), "expected a string");
      texts.push_back(each.as_string()->get());
    }
  }
  return {};
}

Status TomlFields::unknown(const toml::key& key, const std::vector<Field>& fields) const {
  std::string near;
  std::size_t least = 4;
  for (const Field& field : fields)
    if (const std::size_t distance = edit_distance(key.str(), field.name); distance < least) {
      least = distance;
      near = fmt::format("Did you mean {}?", field.name);
    }
  return wrong(key.source(), fmt::format("unknown key '{}'", key.str()), near);
}

}  // namespace hipwright::github
