// SPDX-License-Identifier: MIT
// Where a pull request stands, and the one thing to do next. Pure: a function of the value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "github/owners/codeowners.h"
#include "github/owners/merge_rules.h"
#include "github/profile/profile.h"
#include "github/pull_request.h"
#include "github/requirements.h"

namespace hipwright::github {

// In the order in which they are dealt with: the first that applies is the state.
enum class State {
  kMerged,
  kClosed,
  kConflicts,
  kSignOff,  // a DCO or CLA is missing
  kChecksFailed,
  kChangesRequested,
  kThreads,
  kLabelMissing,
  kChecksMissing,
  kChecksPending,
  kDraft,
  kStaleApproval,
  kReviewNeeded,
  kBehind,
  kHardwareMissing,  // nothing ran on an AMD GPU although ROCm files change
  kUnknown,
  kBlocked,
  kReady,
};
std::string_view to_string(State state);  // "checks-failed"

enum class Actor { kNobody, kAuthor, kReviewer, kMaintainer, kMachine };
std::string_view to_string(Actor actor);

struct Obstacle {
  State state = State::kUnknown;
  std::string what;    // "2 required checks fail: pre-commit, DCO"
  std::string action;  // "run: pre-commit run --all-files"
  Actor actor = Actor::kAuthor;
};

enum class Hardware { kNotNeeded, kPassed, kPending, kFailed, kNotRun };
std::string_view to_string(Hardware hardware);

struct CheckCounts {
  unsigned passed = 0, failed = 0, pending = 0;
  unsigned all() const { return passed + failed + pending; }
};

struct Assessment {
  State state = State::kUnknown;
  std::string action;  // the next one, one line
  Actor actor = Actor::kNobody;
  std::vector<Obstacle> obstacles;  // all of them, in order

  CheckCounts required, optional;
  std::vector<std::string> missing_checks;  // required, and nowhere to be seen
  std::vector<Check> failed_required, failed_optional;
  Hardware hardware = Hardware::kNotNeeded;
  bool is_rocm = false;

  unsigned approvals = 0, stale_approvals = 0;  // of maintainers: of the head commit, of others
  unsigned unresolved_threads = 0;
  std::vector<std::string> people;  // to ask: for a review, or to merge
  // Rules of the merge bot that cover all files; the names point into Setting::merge_rules.
  std::vector<RuleMatch> rules;
};

// What a pull request is judged by besides itself. All must outlive the assessment.
struct Setting {
  const Profile* profile = nullptr;
  Requirements requirements;
  std::optional<CodeOwners> owners;
  std::vector<MergeRule> merge_rules;
};

Assessment assess(const PullRequest& pull_request, const Setting& setting);

// Whether any changed path or label is the repository's for ROCm.
bool is_rocm(const PullRequest& pull_request, const Profile& profile);

// The command that mends a failed check; empty: none is known.
std::string repair_of(const Check& check, const Profile& profile);
// The comment that starts (or repeats) a check; empty: none.
std::string start_of(std::string_view check, const Profile& profile);
std::string retry_of(const Check& check, const Profile& profile);

}  // namespace hipwright::github
