// SPDX-License-Identifier: MIT
#include "project/rules.h"

#include <algorithm>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "base/file.h"
#include "base/toml_depth.h"

namespace hipwright::project {

namespace {

bool is_identifier(std::string_view name) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !name.empty() && is_letter(name[0]) && std::all_of(name.begin(), name.end(), [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9');
  });
}

bool is_include_path(std::string_view path) {
  return !path.empty() && path.find_first_of("\"<>\n\r\\") == std::string_view::npos;
}

class Reader {
 public:
  explicit Reader(const std::string& origin) : origin_(origin) {}

  Result<Rules> read(const toml::table& table) const {
    Rules rules;
    for (const auto& [key, value] : table) {
      if (key.str() == "ignore") {
        HW_TRY(rules.ignore, strings(value));
      } else if (key.str() == "keep") {
        HW_TRY(const std::vector<std::string> names, strings(value));
        for (const std::string& name : names) {
          if (!is_identifier(name)) return wrong(value, "'" + name + "' is not a name");
          rules.keep.insert(name);
        }
      } else if (key.str() == "names") {
        HW_CHECK(pairs(value, is_identifier, "name", rules.names));
      } else if (key.str() == "headers") {
        HW_CHECK(pairs(value, is_include_path, "header", rules.headers));
      } else {
        return wrong(value, fmt::format("unknown key '{}'", key.str()),
                     "Known keys: ignore, keep, [names], [headers]");
      }
    }
    return rules;
  }

 private:
  std::unexpected<Error> wrong(const toml::node& at, std::string why, std::string fix = {}) const {
    return fail("invalid rules file", fmt::format("{}:{}", origin_, at.source().begin.line),
                std::move(why), std::move(fix));
  }

  Result<std::vector<std::string>> strings(const toml::node& value) const {
    std::vector<std::string> list;
    if (!value.is_array()) return wrong(value, "expected a list", R"(Write ["a", "b"])");
    for (const toml::node& each : *value.as_array()) {
      if (!each.is_string()) return wrong(each, "expected a string");
      list.push_back(each.as_string()->get());
    }
    return list;
  }

  template <class Valid>
  Status pairs(const toml::node& value, Valid is_valid, const char* what,
               std::map<std::string, std::string, std::less<>>& out) const {
    if (!value.is_table()) return wrong(value, fmt::format("[{}s] is a table", what));
    for (const auto& [key, to] : *value.as_table()) {
      if (!to.is_string()) return wrong(to, "expected a string");
      const std::string& after = to.as_string()->get();
      for (const std::string_view each : {std::string_view(key.str()), std::string_view(after)})
        if (!is_valid(each)) return wrong(to, fmt::format("'{}' is not a {}", each, what));
      out.emplace(key.str(), after);
    }
    return {};
  }

  const std::string& origin_;
};

}  // namespace

Result<Rules> parse_rules(std::string_view text, const std::string& origin) {
  HW_CHECK(check_toml_depth(text, origin));
  // The one parser of TOML there is reports by exceptions.
  try {
    return Reader(origin).read(toml::parse(text, origin));
  } catch (const toml::parse_error& error) {
    return fail("cannot read the rules file",
                fmt::format("{}:{}", origin, error.source().begin.line),
                std::string(error.description()));
  }
}

Result<Rules> read_rules(const std::filesystem::path& file) {
  HW_TRY(const std::string text, read_file(file, kMostSettingsBytes));
  return parse_rules(text, file.string());
}

}  // namespace hipwright::project
