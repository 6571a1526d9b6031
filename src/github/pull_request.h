// SPDX-License-Identifier: MIT
// One pull request as a value: everything that is asked of GitHub once, and then judged without it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "github/repository.h"

namespace hipwright::github {

enum class Outcome { kPass, kSkipped, kPending, kFail, kCancelled };
std::string_view to_string(Outcome outcome);  // "passed"

// A commit status or a check run.
struct Check {
  std::string name;
  std::string workflow;  // of GitHub Actions; may be empty
  Outcome outcome = Outcome::kPending;
  bool is_required = false;  // by the branch's protection, as GitHub says
  std::string url, description;
  std::int64_t started = 0;
  std::optional<std::uint64_t> job;  // of GitHub Actions: has a log

  std::string full_name() const { return workflow.empty() ? name : workflow + " / " + name; }
  bool has_failed() const { return outcome == Outcome::kFail || outcome == Outcome::kCancelled; }
  // Whether a pattern (* and ?) matches the name, the name with its workflow, or the workflow.
  bool is_called(std::string_view pattern) const;
};

enum class ReviewState { kApproved, kChangesRequested, kCommented, kDismissed, kPending };

struct Review {
  std::string author;       // empty: the account was deleted
  std::string association;  // "MEMBER", "CONTRIBUTOR", …
  ReviewState state = ReviewState::kCommented;
  std::string commit;  // that was reviewed; empty: unknown
  std::int64_t submitted = 0;

  // May merge, as far as the association tells: owner, member or collaborator.
  bool is_maintainer() const;
};

struct Thread {
  bool is_resolved = false, is_outdated = false;
  std::string path;
  unsigned line = 0;  // 0: unknown
  std::string author, body, url;
};

struct Comment {
  std::string author, body, url;
  std::int64_t created = 0;
};

struct ChangedFile {
  std::string path;
  unsigned additions = 0, deletions = 0;
};

enum class Lifecycle { kOpen, kClosed, kMerged };
enum class Mergeable { kYes, kNo, kUnknown };

struct PullRequest {
  PullRequestId id;
  std::string title, body, url, author;
  Lifecycle lifecycle = Lifecycle::kOpen;
  bool is_draft = false;
  std::int64_t created = 0, updated = 0, closed = 0;
  std::string base, head;  // branches
  std::string head_commit;
  std::int64_t head_committed = 0, force_pushed = 0;  // 0: never
  Mergeable mergeable = Mergeable::kUnknown;
  std::string merge_state;  // GitHub's word: CLEAN, BLOCKED, BEHIND, …
  std::string decision;     // on reviews: APPROVED, CHANGES_REQUESTED, REVIEW_REQUIRED or empty
  bool closed_by_commit = false;  // how a merge bot lands what it pushed itself
  std::vector<std::string> labels;
  std::vector<ChangedFile> files;
  std::vector<std::string> requested;  // people and teams asked for a review
  std::vector<Review> reviews;         // the last one of each person
  std::vector<Thread> threads;
  std::vector<Comment> comments;  // the last ones, in order
  std::vector<Check> checks;      // of the head commit, the newest of each name
  std::vector<unsigned> closes;   // issues

  bool has_label(std::string_view pattern) const;
};

// Patterns with * and ?, without regard to '/' and letter case.
bool matches_name(std::string_view pattern, std::string_view name);

// Of several runs of one name, the one that started last; sorted by name.
std::vector<Check> newest_of_each(std::vector<Check> checks);

}  // namespace hipwright::github
