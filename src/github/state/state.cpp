// SPDX-License-Identifier: MIT
#include "github/state/state.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/counted.h"
#include "base/words.h"
#include "github/state/checks.h"

namespace hipwright::github {

namespace {

// What the obstacles are found from.
struct Case {
  const PullRequest& pull_request;
  const Setting& setting;
  const Assessment& so_far;

  const Profile& profile() const { return *setting.profile; }
};

std::string at_people(const std::vector<std::string>& people) {
  if (people.empty()) return "a maintainer";
  std::string text;
  for (const std::string& name : people) text += (text.empty() ? "@" : " @") + name;
  return text;
}

// Up to three names, and how many more.
std::string some(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 3;
  const std::vector<std::string> first(
      names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(kShown, names.size())));
  return fmt::format(
      "{}{}", fmt::join(first, ", "),
      names.size() > kShown ? fmt::format(" and {} more", names.size() - kShown) : "");
}

using Found = std::optional<Obstacle>;

Found conflicts(const Case& c) {
  if (c.pull_request.mergeable != Mergeable::kNo && c.pull_request.merge_state != "DIRTY")
    return {};
  return Obstacle{State::kConflicts, "it conflicts with " + c.pull_request.base,
                  fmt::format("rebase on {} and resolve the conflicts", c.pull_request.base)};
}

Found sign_off(const Case& c) {
  for (const auto* failed : {&c.so_far.failed_required, &c.so_far.failed_optional})
    for (const Check& check : *failed)
      if (is_sign_off(check, c.profile()))
        return Obstacle{
            State::kSignOff, check.name + " fails",
            c.profile().sign_off.empty() ? "sign the commits or the CLA" : c.profile().sign_off};
  return {};
}

// Those that no label and no signature mends.
std::vector<Check> code_failures(const Case& c) {
  std::vector<Check> failures;
  for (const Check& check : c.so_far.failed_required) {
    const LabelRule* const label = label_rule_of(check, c.profile());
    const bool is_label = label != nullptr && !has_label_of(*label, c.pull_request);
    if (!is_label && !is_sign_off(check, c.profile())) failures.push_back(check);
  }
  return failures;
}

Found checks_failed(const Case& c) {
  const std::vector<Check> failures = code_failures(c);
  if (failures.empty()) return {};
  std::vector<std::string> names, repairs;
  std::string repaired;
  for (const Check& check : failures) {
    names.push_back(check.name);
    std::string repair = repair_of(check, c.profile());
    if (repair.empty()) continue;
    if (repairs.empty()) repaired = fmt::format(" (for {})", check.name);
    repairs.push_back(std::move(repair));
  }
  std::string action = "fix " + some(names);
  if (!repairs.empty()) {
    action += fmt::format("; run: {}{}", repairs.front(), failures.size() > 1 ? repaired : "");
  } else if (const std::string retry = retry_of(failures.front(), c.profile()); !retry.empty()) {
    action += fmt::format(" (comment `{}` if it is not your change)", retry);
  }
  return Obstacle{
      State::kChecksFailed,
      fmt::format("{} failed: {}", counted(failures.size(), "required check"), some(names)),
      std::move(action)};
}

Found changes_requested(const Case& c) {
  std::vector<std::string> people;
  for (const Review& review : c.pull_request.reviews)
    if (review.state == ReviewState::kChangesRequested)
      people.push_back(review.author.empty() ? "ghost" : review.author);
  if (people.empty() && c.pull_request.decision != "CHANGES_REQUESTED") return {};
  return Obstacle{
      State::kChangesRequested, at_people(people) + " asked for changes",
      fmt::format("answer {}'s review, push, and ask for another one", at_people(people))};
}

Found threads(const Case& c) {
  if (c.so_far.unresolved_threads == 0) return {};
  const auto first = std::ranges::find(c.pull_request.threads, false, &Thread::is_resolved);
  return Obstacle{
      State::kThreads, counted(c.so_far.unresolved_threads, "unresolved thread"),
      fmt::format("answer {} ({}{})",
                  c.so_far.unresolved_threads == 1
                      ? "the unresolved thread"
                      : counted(c.so_far.unresolved_threads, "unresolved thread"),
                  first->path, first->line == 0 ? "" : fmt::format(":{}", first->line))};
}

Found label_missing(const Case& c) {
  for (const LabelRule& rule : c.profile().labels) {
    if (rule.any.empty() || has_label_of(rule, c.pull_request)) continue;
    return Obstacle{
        State::kLabelMissing, fmt::format("a label is missing: {}", fmt::join(rule.any, " or ")),
        rule.comment.empty() ? fmt::format("ask a maintainer for the label {}", rule.any[0])
                             : fmt::format("comment: {}", rule.comment)};
  }
  return {};
}

Found checks_missing(const Case& c) {
  if (c.so_far.missing_checks.empty()) return {};
  const std::string start = start_of(c.so_far.missing_checks.front(), c.profile());
  return Obstacle{
      State::kChecksMissing,
      fmt::format("{} not started: {}", counted(c.so_far.missing_checks.size(), "required check"),
                  some(c.so_far.missing_checks)),
      start.empty() ? fmt::format("ask {} to start the checks", at_people(c.so_far.people))
                    : "comment: " + start,
      start.empty() ? Actor::kMaintainer : Actor::kAuthor};
}

Found checks_pending(const Case& c) {
  if (c.so_far.required.pending == 0) return {};
  const std::string what = counted(c.so_far.required.pending, "required check") + " pending";
  return Obstacle{State::kChecksPending, what,
                  fmt::format("wait for {}", counted(c.so_far.required.pending, "required check")),
                  Actor::kMachine};
}

Found draft(const Case& c) {
  if (!c.pull_request.is_draft) return {};
  return Obstacle{State::kDraft, "it is a draft", "mark it as ready for review"};
}

unsigned approvals_needed(const Case& c) {
  return std::max(1U, c.setting.requirements.approvals);
}

Found stale_approval(const Case& c) {
  if (c.so_far.stale_approvals == 0 || c.so_far.approvals >= approvals_needed(c)) return {};
  std::vector<std::string> people;
  for (const Review& review : c.pull_request.reviews)
    if (review.state == ReviewState::kApproved && !review.author.empty() &&
        review.commit != c.pull_request.head_commit)
      people.push_back(review.author);
  return Obstacle{State::kStaleApproval, "the approval is for an older commit",
                  fmt::format("ask {} to look at the new commits", at_people(people)),
                  Actor::kReviewer};
}

// Nothing if a rule of the merge bot is fulfilled, or may be by the members of a team.
Found rule_missing(const Case& c) {
  if (c.setting.merge_rules.empty()) return {};
  const auto& rules = c.so_far.rules;
  if (std::ranges::any_of(rules, &RuleMatch::is_approved)) return {};
  std::vector<std::string> approvers;
  for (const RuleMatch& match : rules)
    for (const std::string& name : match.rule->approved_by)
      if (name.find('/') == std::string::npos && name != c.pull_request.author &&
          !is_any(name, approvers) && approvers.size() < 3)
        approvers.push_back(name);
  const std::string what = rules.empty()
                               ? "no merge rule covers all changed files"
                               : fmt::format("nobody whom the merge rule '{}' names has approved",
                                             rules.front().rule->name);
  return Obstacle{State::kReviewNeeded, what,
                  fmt::format("ask {} for a review", at_people(approvers)), Actor::kReviewer};
}

Found owner_missing(const Case& c) {
  const bool gates = c.profile().codeowners_gate || c.setting.requirements.needs_code_owner;
  if (!gates || !c.setting.owners) return {};
  std::set<std::string, std::less<>> approvers;
  for (const Review& review : c.pull_request.reviews)
    if (review.state == ReviewState::kApproved && review.commit == c.pull_request.head_commit)
      approvers.insert(review.author);
  for (const ChangedFile& file : c.pull_request.files) {
    const auto& owners = c.setting.owners->of(file.path);
    // The author's own files need another owner; who is in a team, only GitHub knows.
    const bool is_open = !owners.empty() && std::ranges::none_of(owners, [&](const auto& owner) {
      return approvers.contains(owner) || owner.find('/') != std::string::npos;
    });
    if (is_open && c.pull_request.decision != "APPROVED")
      return Obstacle{State::kReviewNeeded, "no owner of " + file.path + " has approved",
                      fmt::format("ask {} for a review", at_people(owners)), Actor::kReviewer};
  }
  return {};
}

Found review_needed(const Case& c) {
  const bool is_decided = c.pull_request.decision == "APPROVED";
  if (c.so_far.approvals < (is_decided ? 1 : approvals_needed(c)) ||
      c.pull_request.decision == "REVIEW_REQUIRED")
    return Obstacle{
        State::kReviewNeeded,
        c.so_far.approvals == 0 ? "no approval"
                                : counted(c.so_far.approvals, "approval") + ", more are needed",
        fmt::format("ask {} for a review", at_people(c.so_far.people)), Actor::kReviewer};
  if (Found missing = rule_missing(c)) return missing;
  return owner_missing(c);
}

Found behind(const Case& c) {
  if (c.pull_request.merge_state != "BEHIND") return {};
  return Obstacle{State::kBehind, "the branch is behind " + c.pull_request.base,
                  fmt::format("update the branch: it must contain {}", c.pull_request.base)};
}

Found hardware_missing(const Case& c) {
  if (c.so_far.hardware != Hardware::kNotRun && c.so_far.hardware != Hardware::kPending) return {};
  if (c.so_far.hardware == Hardware::kPending)
    return Obstacle{State::kHardwareMissing, "the AMD checks have not finished",
                    "wait for the AMD checks", Actor::kMachine};
  const std::string start = start_of(c.profile().hardware_checks.front(), c.profile());
  return Obstacle{State::kHardwareMissing, "no check ran on an AMD GPU",
                  start.empty() ? "ask a maintainer to run the AMD checks" : "comment: " + start,
                  start.empty() ? Actor::kMaintainer : Actor::kAuthor};
}

Found unknown(const Case& c) {
  if (c.pull_request.mergeable != Mergeable::kUnknown) return {};
  return Obstacle{State::kUnknown, "GitHub has not computed whether it can be merged",
                  "look again in a minute", Actor::kNobody};
}

// A bot that merges by pushing is not stopped by the branch's protection.
Found blocked(const Case& c) {
  if (!c.profile().merge_comment.empty() ||
      is_any(c.pull_request.merge_state, {"CLEAN", "HAS_HOOKS", "UNSTABLE"}))
    return {};
  return Obstacle{
      State::kBlocked,
      fmt::format("GitHub says {} and does not say why",
                  c.pull_request.merge_state.empty() ? "UNKNOWN" : c.pull_request.merge_state),
      fmt::format("ask {} what is missing", at_people(c.so_far.people)), Actor::kMaintainer};
}

constexpr std::array kQuestions = {conflicts,         sign_off,       checks_failed,
                                   changes_requested, threads,        label_missing,
                                   checks_missing,    checks_pending, draft,
                                   stale_approval,    review_needed,  behind,
                                   hardware_missing,  unknown,        blocked};

// Associations do not show every maintainer. If none is known to be one and GitHub says that the
// pull request is approved, any approval may be the one that counts.
void count_reviews(const PullRequest& pull_request, Assessment& to) {
  const bool any_counts = pull_request.decision == "APPROVED" &&
                          std::ranges::none_of(pull_request.reviews, [](const Review& review) {
                            return review.state == ReviewState::kApproved && review.is_maintainer();
                          });
  for (const Review& review : pull_request.reviews) {
    if (review.state != ReviewState::kApproved || (!any_counts && !review.is_maintainer()))
      continue;
    ++(review.commit == pull_request.head_commit ? to.approvals : to.stale_approvals);
  }
  to.unresolved_threads =
      static_cast<unsigned>(std::ranges::count(pull_request.threads, false, &Thread::is_resolved));
}

// Who is asked next: owners of the most files, else the repository's reviewers; not the author.
std::vector<std::string> people_for(const PullRequest& pull_request, const Setting& setting) {
  constexpr std::size_t kMost = 2;
  std::vector<std::string> people;
  const auto add = [&](const std::string& name) {
    if (people.size() < kMost && name != pull_request.author && !is_any(name, people))
      people.push_back(name);
  };
  if (setting.owners)
    for (const Ranked& owner : owners_of(*setting.owners, pull_request.files)) add(owner.name);
  if (people.empty())
    for (const std::string& name : setting.profile->reviewers) add(name);
  return people;
}

Assessment finished(const PullRequest& pull_request, const Profile& profile) {
  Assessment done;
  const bool was_landed =
      !profile.merged_label.empty() && pull_request.has_label(profile.merged_label);
  const bool is_merged = pull_request.lifecycle == Lifecycle::kMerged || was_landed;
  done.state = is_merged ? State::kMerged : State::kClosed;
  done.action = !is_merged ? "nothing: it was closed without merging"
                : pull_request.lifecycle == Lifecycle::kMerged
                    ? "nothing: it is merged"
                    : "nothing: the merge bot landed it and closed it";
  return done;
}

std::string merge_action(const Profile& profile, const std::vector<std::string>& people) {
  return profile.merge_comment.empty() ? fmt::format("ask {} to merge it", at_people(people))
                                       : "comment: " + profile.merge_comment;
}

}  // namespace

std::string_view to_string(State state) {
  constexpr std::string_view kNames[] = {"merged",
                                         "closed",
                                         "conflicts",
                                         "sign-off-missing",
                                         "checks-failed",
                                         "changes-requested",
                                         "unresolved-threads",
                                         "label-missing",
                                         "checks-missing",
                                         "checks-pending",
                                         "draft",
                                         "stale-approval",
                                         "review-needed",
                                         "behind",
                                         "hardware-missing",
                                         "unknown",
                                         "blocked",
                                         "ready"};
  return kNames[static_cast<std::size_t>(state)];
}

std::string_view to_string(Actor actor) {
  constexpr std::string_view kNames[] = {"nobody", "author", "reviewer", "maintainer", "machine"};
  return kNames[static_cast<std::size_t>(actor)];
}

std::string_view to_string(Hardware hardware) {
  constexpr std::string_view kNames[] = {"not needed", "passed", "pending", "failed", "not run"};
  return kNames[static_cast<std::size_t>(hardware)];
}

bool is_rocm(const PullRequest& pull_request, const Profile& profile) {
  return names_amd(pull_request.title) ||
         std::ranges::any_of(profile.rocm_labels,
                             [&](const auto& label) { return pull_request.has_label(label); }) ||
         std::ranges::any_of(pull_request.files, [&](const ChangedFile& file) {
           return profile.is_rocm_path(file.path);
         });
}

std::string repair_of(const Check& check, const Profile& profile) {
  const auto found = std::ranges::find_if(
      profile.repairs, [&](const Repair& repair) { return check.is_called(repair.check); });
  return found == profile.repairs.end() ? std::string() : found->command;
}

std::string start_of(std::string_view check, const Profile& profile) {
  for (const CiCommand& command : profile.ci)
    for (const std::string& pattern : command.checks)
      if (pattern == check || matches_name(pattern, check)) return command.start;
  return {};
}

std::string retry_of(const Check& check, const Profile& profile) {
  for (const CiCommand& command : profile.ci)
    for (const std::string& pattern : command.checks)
      if (check.is_called(pattern)) return command.retry;
  return {};
}

Assessment assess(const PullRequest& pull_request, const Setting& setting) {
  const Profile& profile = *setting.profile;
  if (pull_request.lifecycle != Lifecycle::kOpen) return finished(pull_request, profile);
  Assessment result;
  result.is_rocm = is_rocm(pull_request, profile);
  result.people = people_for(pull_request, setting);
  std::vector<std::string> approvers;
  for (const Review& review : pull_request.reviews)
    if (review.state == ReviewState::kApproved && review.commit == pull_request.head_commit)
      approvers.push_back(review.author);
  result.rules = matching_rules(setting.merge_rules, pull_request.files, approvers);
  count_checks(pull_request, setting, result);
  count_reviews(pull_request, result);
  result.hardware = hardware_of(pull_request, profile, result.is_rocm);
  const Case the_case{pull_request, setting, result};
  std::vector<Obstacle> obstacles;
  for (const auto question : kQuestions)
    if (Found found = question(the_case)) obstacles.push_back(*std::move(found));
  // What else is missing explains it.
  if (obstacles.size() > 1)
    std::erase_if(obstacles, [](const Obstacle& each) { return each.state == State::kBlocked; });
  result.obstacles = std::move(obstacles);
  if (result.obstacles.empty()) {
    result.state = State::kReady;
    result.action = merge_action(profile, result.people);
    result.actor = profile.merge_comment.empty() ? Actor::kMaintainer : Actor::kAuthor;
  } else {
    result.state = result.obstacles.front().state;
    result.action = result.obstacles.front().action;
    result.actor = result.obstacles.front().actor;
  }
  return result;
}

}  // namespace hipwright::github
