// SPDX-License-Identifier: MIT
#include "github/drafts/ping.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/counted.h"
#include "base/words.h"
#include "github/time.h"

namespace hipwright::github {

namespace {

constexpr std::int64_t kDay = 24 * 3600;

std::string replaced(std::string text, std::string_view what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

std::string checks_phrase(const Assessment& a) {
  std::string text = "all required checks pass";
  if (a.required.failed + a.required.pending > 0 || !a.missing_checks.empty())
    text = "not all required checks pass yet";
  else if (a.required.all() == 0)
    text = "it has no required checks";
  if (a.hardware == Hardware::kPassed) text += ", those on AMD GPUs included";
  return text;
}

std::vector<std::string> people_of(const PullRequest& pr, const Assessment& a) {
  if (a.state != State::kStaleApproval) return a.people;
  std::vector<std::string> people;
  for (const Review& review : pr.reviews)
    if (review.state == ReviewState::kApproved && !review.author.empty())
      people.push_back(review.author);
  return people;
}

const std::string* template_of(const Assessment& a, const Profile& profile) {
  switch (a.state) {
    case State::kReviewNeeded:
      return &profile.ping_review;
    case State::kStaleApproval:
      return &profile.ping_stale;
    case State::kReady:
    case State::kBlocked:
      return &profile.ping_merge;
    case State::kChecksMissing:
    case State::kHardwareMissing:
      return &profile.ping_ci;
    default:
      return nullptr;
  }
}

// "comment: @pytorchbot merge" is a command for a bot.
std::string command_in(const Assessment& a) {
  constexpr std::string_view kComment = "comment: ";
  return a.action.starts_with(kComment) ? a.action.substr(kComment.size()) : std::string();
}

// The viewer's last comment that mentions somebody, or that is this command.
const Comment* last_ping(const PullRequest& pr, const std::string& viewer, const Ping& ping) {
  for (auto at = pr.comments.rbegin(); at != pr.comments.rend(); ++at) {
    const bool is_same =
        ping.is_command ? trimmed(at->body) == ping.text : at->body.find('@') != std::string::npos;
    if (at->author == viewer && is_same) return &*at;
  }
  return nullptr;
}

}  // namespace

Ping draft_ping(const PullRequest& pr, const Assessment& a, const Profile& profile,
                const std::string& viewer, std::int64_t now) {
  Ping ping;
  if (const std::string command = command_in(a); !command.empty()) {
    ping.text = command;
    ping.is_command = true;
  } else if (const std::string* text = template_of(a, profile); text != nullptr && !text->empty()) {
    std::string people;
    for (const std::string& name : people_of(pr, a)) people += (people.empty() ? "@" : " @") + name;
    if (people.empty()) {
      ping.why_not =
          "nobody is known who could help: neither CODEOWNERS nor the profile names anybody";
      return ping;
    }
    ping.text = replaced(replaced(*text, "{people}", people), "{checks}", checks_phrase(a));
  } else {
    ping.why_not = a.actor == Actor::kAuthor ? "it is the author's turn: " + a.action
                                             : "nobody needs a reminder: " + a.action;
    return ping;
  }
  const std::int64_t pause = ping.is_command ? kDay : profile.ping_days * kDay;
  if (const Comment* before = last_ping(pr, viewer, ping);
      before != nullptr && before->created + pause > now)
    ping.why_not =
        fmt::format("the last one was {} ago, and the pause is {}", age_text(now - before->created),
                    counted(static_cast<std::size_t>(pause / kDay), "day"));
  return ping;
}

}  // namespace hipwright::github
