// SPDX-License-Identifier: MIT
#include "lint/selection.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/edit_distance.h"

namespace hipwright::lint {

namespace {

bool names(std::string_view word, const Rule& rule) {
  return word == "all" || word == rule.name || word == to_string(rule.area()) ||
         (word.size() >= 2 && rule.code.starts_with(word));
}

std::string nearest(std::string_view word) {
  std::string_view best;
  std::size_t least = 3;
  const auto consider = [&](std::string_view candidate) {
    if (word.size() >= candidate.size() + least) return;  // the word may be of any length
    if (const std::size_t distance = edit_distance(word, candidate); distance < least) {
      least = distance;
      best = candidate;
    }
  };
  for (const Rule& rule : all_rules()) {
    consider(rule.name);
    consider(to_string(rule.area()));
  }
  return best.empty() ? "See: hipwright lint rules" : fmt::format("Did you mean {}?", best);
}

// How exactly a list of words matches a rule: 0 for no match, more for longer prefixes of its code.
Result<std::vector<unsigned>> exactness(const std::vector<std::string>& words) {
  std::vector<unsigned> of_rule(all_rules().size(), 0);
  for (const std::string& word : words) {
    HW_TRY(const auto named, rules_named(word));
    for (const Rule* rule : named) {
      unsigned& most = of_rule[static_cast<std::size_t>(rule - all_rules().data())];
      const bool is_whole = word == rule->code || word == rule->name;
      const bool is_area = word == to_string(rule->area());
      const unsigned exact = word == "all" ? 1
                             : is_whole    ? 10
                             : is_area     ? 4
                                           : static_cast<unsigned>(word.size()) + 1;
      most = std::max(most, exact);
    }
  }
  return of_rule;
}

std::vector<Relevance> relevances(const std::vector<arch::Target>& targets) {
  std::vector<Relevance> found;
  for (const arch::Target& target : targets)
    for (const arch::ArchInfo* info : arch::members(target)) {
      found.push_back(info->default_wave_size() == 64 ? Relevance::kWave64 : Relevance::kWave32);
      // A generic target whose members differ in their fp8 format has none.
      if (target.is_generic()) continue;
      if (info->fp8.value == arch::Fp8::kFnuz) found.push_back(Relevance::kFnuz);
      if (info->fp8.value == arch::Fp8::kOcp) found.push_back(Relevance::kOcp);
    }
  if (!targets.empty()) found.push_back(Relevance::kAll);  // never empty: empty is "no targets"
  return found;
}

}  // namespace

bool Selection::has(const Rule* rule) const {
  return std::find(rules.begin(), rules.end(), rule) != rules.end();
}

std::vector<const Rule*> Selection::rules_for(std::string_view path) const {
  std::vector<const Rule*> left = rules;
  for (const PerFile& each : per_file)
    if (each.pattern.ignores(path, false))
      std::erase_if(left, [&](const Rule* rule) {
        return std::find(each.ignored.begin(), each.ignored.end(), rule) != each.ignored.end();
      });
  return left;
}

bool Selection::wants(const Reported& reported) const {
  if (reported.diagnostic.confidence < min_confidence) return false;
  return reported.relevance == Relevance::kAll || relevant.empty() ||
         std::find(relevant.begin(), relevant.end(), reported.relevance) != relevant.end();
}

Result<std::vector<const Rule*>> rules_named(std::string_view word) {
  std::vector<const Rule*> named;
  for (const Rule& rule : all_rules())
    if (names(word, rule)) named.push_back(&rule);
  if (named.empty())
    return fail("unknown rule", std::string(word), "not a code, name or area", nearest(word));
  return named;
}

Result<Selection> make_selection(const Options& options) {
  HW_TRY(auto selected, exactness(options.select));
  HW_TRY(const auto ignored, exactness(options.ignore));
  // Rules of workflows run where they are asked for: `ci check` does.
  if (options.select.empty())
    for (std::size_t i = 0; i < selected.size(); ++i)
      selected[i] = all_rules()[i].area() == Area::kWorkflow ? 0U : 1U;
  Selection selection{.relevant = relevances(options.targets),
                      .min_confidence = options.min_confidence,
                      .baseline = options.baseline};
  std::sort(selection.baseline.begin(), selection.baseline.end());
  for (std::size_t i = 0; i < all_rules().size(); ++i)
    if (selected[i] > ignored[i]) selection.rules.push_back(&all_rules()[i]);
  for (const PerFileIgnore& each : options.per_file_ignores) {
    Selection::PerFile& per_file = selection.per_file.emplace_back();
    per_file.pattern.add(each.pattern);
    for (const std::string& word : each.rules) {
      HW_TRY(const auto named, rules_named(word));
      per_file.ignored.insert(per_file.ignored.end(), named.begin(), named.end());
    }
  }
  return selection;
}

}  // namespace hipwright::lint
