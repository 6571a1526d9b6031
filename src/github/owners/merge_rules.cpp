// SPDX-License-Identifier: MIT
#include "github/owners/merge_rules.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/source.h"
#include "base/words.h"
#include "syntax/yaml/yaml.h"

namespace hipwright::github {

namespace {

namespace yaml = syntax::yaml;

std::vector<std::string> texts(const yaml::File& file, const yaml::Node& rule,
                               std::string_view key) {
  std::vector<std::string> all;
  const yaml::Node* list = file.get(rule, key);
  if (list != nullptr) list = file.resolved(*list);
  if (list == nullptr) return all;
  for (const yaml::NodeIndex item : list->items)
    if (file.node(item).kind == yaml::Kind::kScalar) all.push_back(file.node(item).value);
  return all;
}

}  // namespace

Result<std::vector<MergeRule>> parse_merge_rules(std::string_view text, const std::string& origin) {
  const yaml::File file(text);
  const auto at = [&](std::size_t byte) {
    return fmt::format("{}:{}", origin, LineIndex(text).position(byte).line);
  };
  if (!file.problems().empty())
    return fail("cannot read the merge rules", at(file.problems()[0].span.begin),
                file.problems()[0].what);
  if (file.root().kind != yaml::Kind::kSequence)
    return fail("cannot read the merge rules", origin, "expected a list of rules");
  std::vector<MergeRule> rules;
  for (const yaml::NodeIndex index : file.root().items) {
    const yaml::Node& node = file.node(index);
    const yaml::Node* name = file.get(node, "name");
    if (name == nullptr || name->kind != yaml::Kind::kScalar)
      return fail("cannot read the merge rules", at(node.span.begin),
                  "expected a rule with a name");
    rules.push_back({name->value, texts(file, node, "patterns"), texts(file, node, "approved_by"),
                     texts(file, node, "mandatory_checks_name")});
  }
  return rules;
}

bool merge_pattern_matches(std::string_view pattern, std::string_view path) {
  // places[i]: the pattern so far matches the first i bytes of the path.
  std::vector<bool> places(path.size() + 1);
  places[0] = true;
  for (std::size_t p = 0; p < pattern.size(); ++p) {
    const bool is_star = pattern[p] == '*';
    const bool crosses = is_star && p + 1 < pattern.size() && pattern[p + 1] == '*';
    if (crosses) ++p;
    std::vector<bool> next(places.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (is_star) {
        next[i] = places[i] || (i > 0 && next[i - 1] && (crosses || path[i - 1] != '/'));
      } else {
        next[i] = i > 0 && places[i - 1] && (pattern[p] == '?' || pattern[p] == path[i - 1]);
      }
    }
    places = std::move(next);
  }
  return std::ranges::find(places, true) != places.end();
}

std::vector<RuleMatch> matching_rules(const std::vector<MergeRule>& rules,
                                      const std::vector<ChangedFile>& files,
                                      const std::vector<std::string>& approvers) {
  std::vector<RuleMatch> matches;
  if (files.empty()) return matches;
  for (const MergeRule& rule : rules) {
    const bool has_all = std::ranges::all_of(files, [&](const ChangedFile& file) {
      return std::ranges::any_of(rule.patterns, [&](const std::string& pattern) {
        return merge_pattern_matches(pattern, file.path);
      });
    });
    if (!has_all) continue;
    RuleMatch& match = matches.emplace_back();
    match.rule = &rule;
    match.is_approved = std::ranges::any_of(
        rule.approved_by, [&](const std::string& name) { return is_any(name, approvers); });
    match.may_be_approved =
        !approvers.empty() && std::ranges::any_of(rule.approved_by, [](const std::string& name) {
          return name.find('/') != std::string::npos;
        });
  }
  return matches;
}

}  // namespace hipwright::github
