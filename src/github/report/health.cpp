// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/counted.h"
#include "base/json.h"
#include "base/visible.h"
#include "base/words.h"
#include "github/report/parts.h"
#include "github/report/report.h"
#include "github/time.h"

namespace hipwright::github {

namespace {

std::string first_line(std::string_view text, std::size_t most = 160) {
  std::string line(trimmed(text.substr(0, text.find_first_of("\r\n"))));
  return line.size() > most ? line.substr(0, most) + "…" : line;
}

std::string ranked_text(const std::vector<Ranked>& all, std::string_view noun) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < std::min<std::size_t>(all.size(), 4); ++i)
    words.push_back(fmt::format("{} ({})", all[i].name, counted(all[i].count, noun)));
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string share_text(const Failure& failure) {
  switch (failure.share) {
    case Share::kOwn:
      return fmt::format("passes on the last {} of the base: your change",
                         counted(failure.base_commits, "commit"));
    case Share::kShared:
      return fmt::format("also fails on {} of the last {} of the base: probably not your change",
                         failure.base_failures, counted(failure.base_commits, "commit"));
    case Share::kUnknown:
      return "not compared with the base";
  }
  return {};
}

// The parts of a report: a heading and its lines.
struct Section {
  std::string heading;
  std::vector<std::string> lines;
};

Section failures_section(const Health& health) {
  Section section{"Failed checks", {}};
  for (const Failure& each : health.failures) {
    section.lines.push_back(fmt::format("{}{}: {}", each.check.full_name(),
                                        each.is_required ? " (required)" : "", share_text(each)));
    if (each.cause) {
      section.lines.push_back(
          fmt::format("  cause: {} ({})", each.cause->title, each.cause->fault));
      section.lines.push_back(fmt::format("  log: {}", first_line(each.cause->line)));
      if (!each.cause->fix.empty())
        section.lines.push_back(fmt::format("  fix: {}", each.cause->fix));
    } else if (!each.log_note.empty()) {
      section.lines.push_back("  log: " + each.log_note);
    }
    if (!each.repair.empty()) section.lines.push_back("  run: " + each.repair);
    if (!each.retry.empty() && each.share != Share::kOwn)
      section.lines.push_back("  to run it again, comment: " + each.retry);
    if (!each.check.url.empty()) section.lines.push_back("  " + each.check.url);
  }
  return section;
}

Section threads_section(const Health& health) {
  Section section{"Unresolved threads", {}};
  for (const Thread& thread : health.judged.pull_request.threads)
    if (!thread.is_resolved)
      section.lines.push_back(fmt::format(
          "{}{}: {}: {}{}", thread.path, thread.line == 0 ? "" : fmt::format(":{}", thread.line),
          thread.author.empty() ? "ghost" : thread.author, first_line(thread.body),
          thread.is_outdated ? " (outdated)" : ""));
  return section;
}

Section people_section(const Health& health) {
  const auto& [pr, a] = health.judged;
  Section section{"People", {}};
  if (!health.owners.empty())
    section.lines.push_back("owners of the changed files: " + ranked_text(health.owners, "file"));
  if (!health.line_authors.empty())
    section.lines.push_back("wrote the changed lines: " + ranked_text(health.line_authors, "line"));
  for (const RuleMatch& match : a.rules)
    section.lines.push_back(
        fmt::format("merge rule '{}' covers all changed files: approval of {}{}", match.rule->name,
                    fmt::join(match.rule->approved_by, ", "),
                    match.is_approved       ? " (given)"
                    : match.may_be_approved ? " (unknown: only GitHub knows who is in the team)"
                                            : ""));
  if (!pr.requested.empty())
    section.lines.push_back(fmt::format("asked for a review: {}", fmt::join(pr.requested, ", ")));
  for (const Review& review : pr.reviews)
    if (review.state == ReviewState::kApproved)
      section.lines.push_back(
          fmt::format("approved by {}{}{}", review.author.empty() ? "ghost" : review.author,
                      review.is_maintainer() ? "" : " (not known as a maintainer)",
                      review.commit == pr.head_commit ? "" : ", an older commit"));
  return section;
}

Section bots_section(const Health& health) {
  Section section{"Messages of bots", {}};
  for (const Comment& comment : health.bot_messages)
    section.lines.push_back(fmt::format("{}: {}", comment.author, first_line(comment.body)));
  return section;
}

Section facts_section(const Health& health) {
  const auto& [pr, a] = health.judged;
  Section section{"Facts", {}};
  section.lines = {
      fmt::format("required checks: {}", checks_text(a.required, a.missing_checks.size())),
      fmt::format("optional checks: {}", checks_text(a.optional, 0)),
      fmt::format("reviews: {}", reviews_text(a)),
      fmt::format("mergeable: {} ({})",
                  pr.mergeable == Mergeable::kYes  ? "yes"
                  : pr.mergeable == Mergeable::kNo ? "no"
                                                   : "unknown",
                  pr.merge_state.empty() ? "UNKNOWN" : pr.merge_state)};
  if (a.hardware != Hardware::kNotNeeded)
    section.lines.push_back(fmt::format("checks on AMD GPUs: {}", to_string(a.hardware)));
  if (pr.force_pushed > 0) {
    const bool is_later = std::ranges::any_of(pr.reviews, [&](const Review& review) {
      return review.state == ReviewState::kApproved && review.submitted < pr.force_pushed;
    });
    if (is_later) section.lines.push_back("force-pushed after an approval");
  }
  return section;
}

Section blockers_section(const Judged& judged) {
  Section section{"What is missing", {}};
  for (const Obstacle& each : judged.assessment.obstacles)
    section.lines.push_back(
        fmt::format("{} ({}): {}", each.what, to_string(each.actor), each.action));
  return section;
}

std::vector<Section> sections_of(const Health& health) {
  std::vector<Section> all = {blockers_section(health.judged), facts_section(health),
                              failures_section(health),        threads_section(health),
                              people_section(health),          bots_section(health)};
  all.push_back({"Not looked up", health.notes});
  std::erase_if(all, [](const Section& section) { return section.lines.empty(); });
  return all;
}

std::string title_line(const Judged& judged, bool colour) {
  const auto& [pr, a] = judged;
  return fmt::format("{}  {}\n{}\n\n{}: {}\n", paint(pr.id.text(), Colour::kBold, colour),
                     visible(pr.title), pr.url,
                     paint(to_string(a.state), colour_of(a.state), colour), visible(a.action));
}

}  // namespace

std::string_view to_string(Share share) {
  return share == Share::kOwn ? "own" : share == Share::kShared ? "shared" : "unknown";
}

Share share_of(const Check& check, const std::vector<std::vector<std::string>>& base,
               unsigned& failures) {
  if (base.empty()) return Share::kUnknown;
  failures = static_cast<unsigned>(std::ranges::count_if(base, [&](const auto& failed) {
    return std::ranges::find(failed, check.full_name()) != failed.end();
  }));
  return failures > 0 ? Share::kShared : Share::kOwn;
}

std::string health_text(const Health& health, std::int64_t now, bool colour) {
  const PullRequest& pr = health.judged.pull_request;
  std::string text = title_line(health.judged, colour);
  text += fmt::format("by {}, {} old, into {}\n", pr.author.empty() ? "ghost" : pr.author,
                      age_text(now - pr.created), pr.base);
  for (const Section& section : sections_of(health)) {
    text += fmt::format("\n{}\n", paint(section.heading, Colour::kBold, colour));
    for (const std::string& line : section.lines) text += "  " + visible(line) + "\n";
  }
  return text;
}

std::string health_markdown(const Health& health, std::int64_t now) {
  const auto& [pr, a] = health.judged;
  std::string text = fmt::format("## [{}]({}) {}\n\n**{}**: {}\n\nby {}, {} old, into {}\n",
                                 pr.id.text(), pr.url, markdown_text(pr.title), to_string(a.state),
                                 markdown_text(a.action), pr.author.empty() ? "ghost" : pr.author,
                                 age_text(now - pr.created), markdown_text(pr.base));
  for (const Section& section : sections_of(health)) {
    text += fmt::format("\n### {}\n\n", section.heading);
    for (const std::string& line : section.lines)
      text +=
          fmt::format("{}- {}\n", line.starts_with("  ") ? "  " : "", markdown_text(trimmed(line)));
  }
  return text;
}

Json health_json(const Health& health, std::int64_t now) {
  Json json = judged_json(health.judged, now);
  Json failures = Json::array();
  for (const Failure& each : health.failures) {
    Json one = {{"check", each.check.full_name()},
                {"outcome", to_string(each.check.outcome)},
                {"required", each.is_required},
                {"url", each.check.url},
                {"share", to_string(each.share)},
                {"base_failures", each.base_failures},
                {"base_commits", each.base_commits},
                {"run", each.repair},
                {"retry", each.retry},
                {"cause", Json()}};
    if (each.cause)
      one["cause"] = {{"title", each.cause->title},
                      {"line", each.cause->line},
                      {"fault", each.cause->fault},
                      {"fix", each.cause->fix}};
    failures.push_back(std::move(one));
  }
  json["failures"] = std::move(failures);
  const auto people = [](const std::vector<Ranked>& all) {
    Json list = Json::array();
    for (const Ranked& each : all) list.push_back({{"name", each.name}, {"count", each.count}});
    return list;
  };
  json["owners"] = people(health.owners);
  json["line_authors"] = people(health.line_authors);
  json["notes"] = health.notes;
  return json;
}

std::string blockers_text(const Judged& judged, bool colour) {
  std::string text = title_line(judged, colour);
  unsigned number = 0;
  for (const Obstacle& each : judged.assessment.obstacles)
    text += fmt::format("  {}. {} ({}): {}\n", ++number, visible(each.what), to_string(each.actor),
                        visible(each.action));
  return text;
}

}  // namespace hipwright::github
