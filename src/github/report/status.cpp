// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/counted.h"
#include "base/json.h"
#include "base/table.h"
#include "base/terminal.h"
#include "base/visible.h"
#include "github/report/parts.h"
#include "github/report/report.h"
#include "github/time.h"

namespace hipwright::github {

namespace {

std::string cut(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  // Not in the middle of a character.
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U) --most;
  return text.substr(0, most) + "…";
}

std::string counts_line(const std::vector<Judged>& all) {
  const auto of = [&](Actor actor) {
    return std::ranges::count_if(all, [&](const Judged& each) {
      return each.assessment.actor == actor && each.assessment.state != State::kReady;
    });
  };
  const auto ready = std::ranges::count_if(
      all, [](const Judged& each) { return each.assessment.state == State::kReady; });
  return fmt::format("{}: {} ready, {} for you, {} for reviewers or maintainers\n",
                     counted(all.size(), "pull request"), ready, of(Actor::kAuthor),
                     of(Actor::kReviewer) + of(Actor::kMaintainer));
}

}  // namespace

Colour colour_of(State state) {
  if (state == State::kReady || state == State::kMerged) return Colour::kGreen;
  switch (state) {
    case State::kConflicts:
    case State::kSignOff:
    case State::kChecksFailed:
    case State::kChangesRequested:
      return Colour::kRed;
    case State::kClosed:
    case State::kDraft:
      return Colour::kDim;
    default:
      return Colour::kYellow;
  }
}

std::string checks_text(const CheckCounts& counts, std::size_t missing) {
  if (counts.all() + missing == 0) return "none";
  std::string text = fmt::format("{}/{}", counts.passed, counts.all() + missing);
  if (counts.failed > 0) text += fmt::format(", {} failed", counts.failed);
  if (counts.pending > 0) text += fmt::format(", {} pending", counts.pending);
  if (missing > 0) text += fmt::format(", {} not started", missing);
  return text;
}

std::string reviews_text(const Assessment& a) {
  std::string text = a.approvals > 0         ? counted(a.approvals, "approval")
                     : a.stale_approvals > 0 ? "stale approval"
                                             : "none";
  if (a.unresolved_threads > 0)
    text += fmt::format(", {} open", counted(a.unresolved_threads, "thread"));
  return text;
}

std::string status_text(const std::vector<Judged>& all, std::int64_t now, bool colour) {
  constexpr std::size_t kTitle = 48;
  if (all.empty()) return "no open pull requests\n";
  Table table(
      {"pull request", "title", "required", "optional", "reviews", ">age", "state", "next step"});
  for (const auto& [pr, a] : all)
    table.add({pr.id.text(), cut(visible(pr.title), kTitle),
               checks_text(a.required, a.missing_checks.size()), checks_text(a.optional, 0),
               reviews_text(a), age_text(now - pr.created),
               paint(to_string(a.state), colour_of(a.state), colour), visible(a.action)});
  return table.text(colour) + "\n" + counts_line(all);
}

std::string status_markdown(const std::vector<Judged>& all, std::int64_t now) {
  std::string text =
      "| pull request | required checks | reviews | age | state | next step |\n"
      "| --- | --- | --- | --- | --- | --- |\n";
  for (const auto& [pr, a] : all)
    text += fmt::format("| [{}]({}) {} | {} | {} | {} | {} | {} |\n", pr.id.text(), pr.url,
                        markdown_text(pr.title), checks_text(a.required, a.missing_checks.size()),
                        reviews_text(a), age_text(now - pr.created), to_string(a.state),
                        markdown_text(a.action));
  return text + "\n" + counts_line(all);
}

Json counts_json(const CheckCounts& counts) {
  return {{"passed", counts.passed}, {"failed", counts.failed}, {"pending", counts.pending}};
}

Json judged_json(const Judged& judged, std::int64_t now) {
  const auto& [pr, a] = judged;
  Json obstacles = Json::array();
  for (const Obstacle& each : a.obstacles)
    obstacles.push_back({{"state", to_string(each.state)},
                         {"what", each.what},
                         {"action", each.action},
                         {"actor", to_string(each.actor)}});
  return {{"repository", pr.id.repository.text()},
          {"number", pr.id.number},
          {"url", pr.url},
          {"title", pr.title},
          {"author", pr.author},
          {"draft", pr.is_draft},
          {"labels", pr.labels},
          {"head", pr.head_commit},
          {"base", pr.base},
          {"age_seconds", now - pr.created},
          {"updated", time_text(pr.updated)},
          {"mergeable", pr.mergeable == Mergeable::kYes  ? "yes"
                        : pr.mergeable == Mergeable::kNo ? "no"
                                                         : "unknown"},
          {"review_decision", pr.decision},
          {"state", to_string(a.state)},
          {"next", {{"action", a.action}, {"actor", to_string(a.actor)}}},
          {"obstacles", std::move(obstacles)},
          {"required_checks", counts_json(a.required)},
          {"optional_checks", counts_json(a.optional)},
          {"missing_checks", a.missing_checks},
          {"approvals", a.approvals},
          {"stale_approvals", a.stale_approvals},
          {"unresolved_threads", a.unresolved_threads},
          {"rocm", a.is_rocm},
          {"amd_checks", to_string(a.hardware)},
          {"people", a.people}};
}

Json status_json(const std::vector<Judged>& all, std::int64_t now) {
  Json list = Json::array();
  for (const Judged& each : all) list.push_back(judged_json(each, now));
  return {{"pull_requests", std::move(list)}};
}

}  // namespace hipwright::github
