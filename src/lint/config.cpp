// SPDX-License-Identifier: MIT
#include "lint/config.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "base/edit_distance.h"
#include "base/file.h"
#include "base/toml_depth.h"
#include "lint/selection.h"

namespace hipwright::lint {

namespace {

constexpr std::array kKeys = {"select",         "ignore",           "exclude", "arch",
                              "min-confidence", "per-file-ignores", "baseline"};

class Reader {
 public:
  explicit Reader(const std::filesystem::path& origin) : origin_(origin) {}

  Result<Config> read(const toml::table& table) {
    Config config{.folder = origin_.parent_path()};
    for (const auto& [key, value] : table)
      HW_CHECK(read_key(key.str(), value, key.source(), config));
    return config;
  }

 private:
  Status read_key(std::string_view key, const toml::node& value, const toml::source_region& where,
                  Config& config) {
    if (key == "select") return rule_words(value, config.select);
    if (key == "ignore") return rule_words(value, config.ignore);
    if (key == "exclude") return strings(value, config.exclude);
    if (key == "arch") return targets(value, config.targets);
    if (key == "per-file-ignores") return per_file(value, config.per_file_ignores);
    if (key == "min-confidence") {
      HW_TRY(const std::string word, string(value));
      const auto confidence = parse_confidence(word);
      if (!confidence) return wrong(value.source(), confidence.error());
      config.min_confidence = *confidence;
      return {};
    }
    if (key == "baseline") {
      HW_TRY(config.baseline, string(value));
      return {};
    }
    return unknown(key, where);
  }

  Status unknown(std::string_view key, const toml::source_region& where) const {
    std::string near;
    std::size_t least = 4;
    for (const char* each : kKeys)
      if (const std::size_t distance = edit_distance(key, each); distance < least) {
        least = distance;
        near = fmt::format("Did you mean {}?", each);
      }
    if (near.empty()) near = fmt::format("Known keys: {}", fmt::join(kKeys, ", "));
    return fail("invalid configuration", place(where),
                fmt::format("unknown key '{}' in [lint]", key), near);
  }

  // A string, or an array of them.
  Status strings(const toml::node& value, std::vector<std::string>& out) const {
    if (value.is_string()) {
      out.push_back(value.as_string()->get());
      return {};
    }
    if (!value.is_array())
      return fail("invalid configuration", place(value.source()),
                  "expected a string or an array of strings", R"(Write ["a", "b"])");
    for (const toml::node& each : *value.as_array()) {
      HW_TRY(std::string text, string(each));
      out.push_back(std::move(text));
    }
    return {};
  }

  Status rule_words(const toml::node& value, std::vector<std::string>& out) const {
    HW_CHECK(strings(value, out));
    for (const std::string& word : out)
      if (const auto named = rules_named(word); !named) return wrong(value.source(), named.error());
    return {};
  }

  Status targets(const toml::node& value, std::vector<arch::Target>& out) const {
    std::vector<std::string> words;
    HW_CHECK(strings(value, words));
    for (const std::string& word : words) {
      const auto parsed = arch::parse_target_names(word);
      if (!parsed) return wrong(value.source(), parsed.error());
      out.insert(out.end(), parsed->begin(), parsed->end());
    }
    return {};
  }

  Status per_file(const toml::node& value, std::vector<PerFileIgnore>& out) const {
    const toml::table* table = value.as_table();
    if (table == nullptr)
      return fail("invalid configuration", place(value.source()),
                  "per-file-ignores must be a table", R"(Write "tests/**" = ["HW5"])");
    for (const auto& [pattern, rules] : *table) {
      PerFileIgnore& each = out.emplace_back();
      each.pattern = std::string(pattern.str());
      HW_CHECK(rule_words(rules, each.rules));
    }
    return {};
  }

  Result<std::string> string(const toml::node& value) const {
    if (const auto* text = value.as_string()) return text->get();
    return fail("invalid configuration", place(value.source()), "expected a string");
  }

  Status wrong(const toml::source_region& where, Error error) const {
    const std::string fix = std::exchange(error.fix, {});
    return fail("invalid configuration", place(where), error.message(), fix);
  }

  std::string place(const toml::source_region& where) const {
    return fmt::format("{}:{}", origin_.string(), where.begin.line);
  }

  const std::filesystem::path& origin_;
};

}  // namespace

Result<Confidence> parse_confidence(std::string_view word) {
  for (const Confidence each : {Confidence::kLow, Confidence::kMedium, Confidence::kHigh})
    if (word == to_string(each)) return each;
  return fail("unknown confidence level", std::string(word), "expected low, medium or high");
}

Result<Config> parse_config(std::string_view text, const std::filesystem::path& origin) {
  HW_CHECK(check_toml_depth(text, origin.string()));
  try {
    const toml::table all = toml::parse(text);
    const toml::node* lint = all.get("lint");
    if (lint == nullptr) return Config{.folder = origin.parent_path()};
    if (!lint->is_table())
      return fail("invalid configuration",
                  fmt::format("{}:{}", origin.string(), lint->source().begin.line),
                  "lint must be a table", "Write [lint]");
    return Reader(origin).read(*lint->as_table());
  } catch (const toml::parse_error& error) {
    return fail("cannot read the configuration",
                fmt::format("{}:{}", origin.string(), error.source().begin.line),
                std::string(error.description()));
  }
}

Result<Config> read_config(const std::filesystem::path& file) {
  HW_TRY(const std::string text, read_file(file, kMostSettingsBytes));
  return parse_config(text, file);
}

void apply(const Config& config, Options& options) {
  const auto add = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  options.project = config.folder.empty() ? "." : config.folder;
  if (options.select.empty()) options.select = config.select;
  if (options.targets.empty()) options.targets = config.targets;
  if (options.min_confidence == Confidence::kLow && config.min_confidence)
    options.min_confidence = *config.min_confidence;
  add(options.ignore, config.ignore);
  add(options.exclude, config.exclude);
  add(options.per_file_ignores, config.per_file_ignores);
}

}  // namespace hipwright::lint
