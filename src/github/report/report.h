// SPDX-License-Identifier: MIT
// Pull requests for people and programs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "github/state/state.h"

namespace hipwright::github {

struct Judged {
  PullRequest pull_request;
  Assessment assessment;
};

// One line each: checks, reviews, age, state and the next step.
std::string status_text(const std::vector<Judged>& all, std::int64_t now, bool colour);
std::string status_markdown(const std::vector<Judged>& all, std::int64_t now);
Json status_json(const std::vector<Judged>& all, std::int64_t now);

// "5/6, 1 failed"
std::string checks_text(const CheckCounts& counts, std::size_t missing);

// What a failed check's log says.
struct LogCause {
  std::string title, line, fix, fault;
};

enum class Share { kUnknown, kOwn, kShared };
std::string_view to_string(Share share);

struct Failure {
  Check check;
  bool is_required = false;
  Share share = Share::kUnknown;
  unsigned base_failures = 0, base_commits = 0;  // of the last commits of the base
  std::string repair, retry;
  std::optional<LogCause> cause;
  std::string log_note;  // why there is no cause
};

// Whether the same check fails on the base branch; `base`: failed checks of each of its last
// commits.
Share share_of(const Check& check, const std::vector<std::vector<std::string>>& base,
               unsigned& failures);

struct Health {
  Judged judged;
  std::vector<Failure> failures;      // required ones first
  std::vector<Ranked> owners;         // of the changed files
  std::vector<Ranked> line_authors;   // of the changed lines
  std::vector<Comment> bot_messages;  // the last ones
  std::vector<std::string> notes;     // what could not be looked up
};

std::string health_text(const Health& health, std::int64_t now, bool colour);
std::string health_markdown(const Health& health, std::int64_t now);
Json health_json(const Health& health, std::int64_t now);

// Only what is between the pull request and its merge, in order.
std::string blockers_text(const Judged& judged, bool colour);

}  // namespace hipwright::github
