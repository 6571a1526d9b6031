// SPDX-License-Identifier: MIT
// Reads a TOML table into variables: what the table does not name keeps its value, and a key that
// is not known is an error with the nearest one.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <toml++/toml.h>

#include "base/error.h"

namespace hipwright::github {

using ReadNode = std::function<Status(const toml::node& node)>;

struct Field {
  std::string_view name;
  // Numbers are from 1 to 10,000.
  std::variant<std::string*, std::vector<std::string>*, bool*, unsigned*, ReadNode> value;
};

class TomlFields {
 public:
  // `what` in errors: "invalid profile".
  TomlFields(std::string what, std::string origin)
      : what_(std::move(what)), origin_(std::move(origin)) {}

  Status read_text(std::string_view text, const std::vector<Field>& fields) const;
  Status read(const toml::table& table, const std::vector<Field>& fields) const;
  // A list of tables; `fields` returns those of an item.
  template <class Item, class Fields>
  ReadNode list(std::vector<Item>& items, Fields fields) const {
    return [this, &items, fields](const toml::node& node) -> Status {
      const toml::array* all = node.as_array();
      if (all == nullptr) return wrong(node.source(), "expected a list of tables");
      items.clear();
      for (const toml::node& each : *all) {
        if (!each.is_table()) return wrong(each.source(), "expected a table");
        HW_CHECK(read(*each.as_table(), fields(items.emplace_back())));
      }
      return {};
    };
  }

 private:
  Status read_value(const toml::node& node, const Field& field) const;
  Status unknown(const toml::key& key, const std::vector<Field>& fields) const;
  std::unexpected<Error> wrong(const toml::source_region& where, std::string why,
                               std::string fix = {}) const;

  std::string what_, origin_;
};

}  // namespace hipwright::github
