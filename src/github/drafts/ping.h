// SPDX-License-Identifier: MIT
// A comment that moves a pull request on: a polite reminder to those whose turn it is, or a bot's
// command. One per state; often enough is not too often.
#pragma once

#include <cstdint>
#include <string>

#include "github/state/state.h"

namespace hipwright::github {

struct Ping {
  std::string text;         // empty: nobody can be reminded
  std::string why_not;      // of an empty text, or why it should not be sent now
  bool is_command = false;  // for a bot
  bool may_send() const { return !text.empty() && why_not.empty(); }
};

// `viewer`: who would send it; their last comments tell whether it is too early.
Ping draft_ping(const PullRequest& pull_request, const Assessment& assessment,
                const Profile& profile, const std::string& viewer, std::int64_t now);

}  // namespace hipwright::github
