// SPDX-License-Identifier: MIT
#include "github/state/checks.h"

#include <algorithm>
#include <iterator>

#include "base/words.h"

namespace hipwright::github {

namespace {

bool is_called_any(const Check& check, const std::vector<std::string>& patterns) {
  return std::ranges::any_of(patterns,
                             [&](const std::string& pattern) { return check.is_called(pattern); });
}

// The checks that every rule demands of which one must hold: of the approved rules, if there are
// any, since only they let the pull request land.
std::vector<std::string> mandatory(const std::vector<RuleMatch>& all) {
  std::vector<RuleMatch> rules;
  std::ranges::copy_if(all, std::back_inserter(rules), &RuleMatch::is_approved);
  if (rules.empty()) rules = all;
  std::vector<std::string> names;
  if (rules.empty()) return names;
  for (const std::string& name : rules.front().rule->mandatory_checks) {
    const bool is_in_all = std::ranges::all_of(
        rules, [&](const RuleMatch& match) { return is_any(name, match.rule->mandatory_checks); });
    if (is_in_all) names.push_back(name);
  }
  return names;
}

// "Lint" of a merge rule is a workflow with its jobs ("Lint / lintrunner"), or one check.
bool is_of_rule(const Check& check, const std::string& name) {
  return check.is_called(name) || check.name.starts_with(name + " / ");
}

void count(const Check& check, CheckCounts& to) {
  if (check.has_failed())
    ++to.failed;
  else if (check.outcome == Outcome::kPending)
    ++to.pending;
  else
    ++to.passed;
}

}  // namespace

bool is_required(const Check& check, const Setting& setting, const std::vector<RuleMatch>& rules) {
  if (check.is_required || is_called_any(check, setting.profile->required_checks)) return true;
  const auto& named = setting.requirements.checks;
  if (is_any(check.name, named)) return true;
  return std::ranges::any_of(mandatory(rules),
                             [&](const std::string& name) { return is_of_rule(check, name); });
}

bool is_sign_off(const Check& check, const Profile& profile) {
  return is_called_any(check, profile.sign_off_checks);
}

const LabelRule* label_rule_of(const Check& check, const Profile& profile) {
  const auto found = std::ranges::find_if(profile.labels, [&](const LabelRule& rule) {
    return !rule.check.empty() && check.is_called(rule.check);
  });
  return found == profile.labels.end() ? nullptr : &*found;
}

bool has_label_of(const LabelRule& rule, const PullRequest& pull_request) {
  return std::ranges::any_of(
      rule.any, [&](const std::string& pattern) { return pull_request.has_label(pattern); });
}

void count_checks(const PullRequest& pull_request, const Setting& setting, Assessment& to) {
  for (const Check& check : pull_request.checks) {
    const bool required = is_required(check, setting, to.rules);
    count(check, required ? to.required : to.optional);
    if (check.has_failed()) (required ? to.failed_required : to.failed_optional).push_back(check);
  }
  const auto need = [&](const std::string& name, bool is_rule) {
    const bool is_there = std::ranges::any_of(pull_request.checks, [&](const Check& check) {
      return is_rule ? is_of_rule(check, name) : check.is_called(name);
    });
    if (!is_there && !is_any(name, to.missing_checks)) to.missing_checks.push_back(name);
  };
  for (const std::string& name : setting.profile->required_checks) need(name, false);
  for (const std::string& name : setting.requirements.checks) need(name, false);
  for (const std::string& name : mandatory(to.rules)) need(name, true);
}

namespace {

bool is_document(std::string_view path) {
  return path.starts_with("docs/") || path.ends_with(".md") || path.ends_with(".rst");
}

}  // namespace

Hardware hardware_of(const PullRequest& pull_request, const Profile& profile, bool is_rocm) {
  const bool is_document_only =
      !pull_request.files.empty() &&
      std::ranges::all_of(pull_request.files,
                          [](const ChangedFile& file) { return is_document(file.path); });
  if (!is_rocm || is_document_only || profile.hardware_checks.empty()) return Hardware::kNotNeeded;
  bool has_run = false, is_pending = false;
  for (const Check& check : pull_request.checks) {
    // A job that was skipped has run nothing.
    if (!is_called_any(check, profile.hardware_checks) || check.outcome == Outcome::kSkipped)
      continue;
    if (check.has_failed()) return Hardware::kFailed;
    has_run = true;
    is_pending |= check.outcome == Outcome::kPending;
  }
  if (!has_run) return Hardware::kNotRun;
  return is_pending ? Hardware::kPending : Hardware::kPassed;
}

}  // namespace hipwright::github
