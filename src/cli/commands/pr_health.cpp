// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "base/counted.h"
#include "base/json.h"
#include "ci/log/explain.h"
#include "cli/pr.h"
#include "github/client/buildkite.h"
#include "github/fetch/fetch.h"
#include "github/owners/line_authors.h"
#include "github/state/checks.h"

namespace hipwright::cli {

namespace {

struct Options {
  PrOptions common;
  std::string number;
};

constexpr std::size_t kMostLogs = 5;
constexpr std::chrono::seconds kLogTimeout{30};
constexpr std::size_t kMostBlamed = 10;

std::optional<github::LogCause> cause_in(const std::string& log) {
  const auto found = ci::explain_log(log);
  if (!found) return std::nullopt;
  return github::LogCause{std::string(found->cause->title), found->line.text,
                          std::string(found->cause->fix),
                          std::string(to_string(found->cause->fault))};
}

void explain(const std::string& log, github::Failure& failure) {
  failure.cause = cause_in(log);
  if (!failure.cause) failure.log_note = "no known cause in it";
}

void look_into_log(PrSession& session, const github::PullRequestId& id, github::Failure& failure) {
  const auto buildkite = github::buildkite_job_of(failure.check.url);
  if (buildkite && !session.client.is_offline()) {
    const auto log = github::fetch_buildkite_log(*buildkite, github::curl_transport(), kLogTimeout);
    if (log)
      explain(*log, failure);
    else
      failure.log_note = "not read: " + log.error().message();
  } else if (failure.check.job) {
    const auto log = github::fetch_job_log(session.client, id.repository, *failure.check.job);
    if (!log)
      failure.log_note = "not read: " + log.error().message();
    else if (!*log)
      failure.log_note = "GitHub no longer has it";
    else
      explain(**log, failure);
  } else {
    failure.log_note = failure.check.url.empty() ? "not available" : "see the link";
  }
}

Status add_failures(PrSession& session, github::Health& health) {
  const auto& [pr, a] = health.judged;
  const github::Profile& profile = session.profiles.of(pr.id.repository);
  std::vector<std::vector<std::string>> base;
  if (!a.failed_required.empty() || !a.failed_optional.empty()) {
    HW_TRY(base, github::fetch_base_failures(session.client, pr.id.repository, pr.base));
  }
  const auto add = [&](const github::Check& check, bool is_required) {
    github::Failure& failure = health.failures.emplace_back();
    failure.check = check;
    failure.is_required = is_required;
    failure.base_commits = static_cast<unsigned>(base.size());
    // A label or a signature is missing here only, whatever happens on the base.
    if (!github::is_sign_off(check, profile) && github::label_rule_of(check, profile) == nullptr)
      failure.share = github::share_of(check, base, failure.base_failures);
    failure.repair = github::repair_of(check, profile);
    failure.retry = github::retry_of(check, profile);
    if (health.failures.size() <= kMostLogs)
      look_into_log(session, pr.id, failure);
    else
      failure.log_note = fmt::format("not read: only the first {} are", kMostLogs);
  };
  for (const github::Check& check : a.failed_required) add(check, true);
  for (const github::Check& check : a.failed_optional) add(check, false);
  return {};
}

Status add_people(PrSession& session, github::Health& health) {
  const github::PullRequest& pr = health.judged.pull_request;
  HW_TRY(const github::Setting* const setting, session.setting_of(pr.id.repository, pr.base));
  if (setting->owners) health.owners = github::owners_of(*setting->owners, pr.files);
  const auto diff = github::fetch_diff(session.client, pr.id);
  if (!diff) {
    // GitHub makes no diff of more than 300 files or 20,000 lines.
    health.notes.push_back("who wrote the changed lines: " + diff.error().message());
    return {};
  }
  const auto lines = github::replaced_lines(*diff);
  std::vector<std::string> paths;
  for (const auto& [path, spans] : lines)
    if (paths.size() < kMostBlamed) paths.push_back(path);
  if (lines.size() > kMostBlamed)
    health.notes.push_back(
        fmt::format("who wrote the changed lines of {} more files", lines.size() - kMostBlamed));
  HW_TRY(const auto blame, github::fetch_blame(session.client, pr.id.repository, pr.base, paths));
  health.line_authors = github::line_authors(lines, blame, pr.author);
  return {};
}

void add_bots(PrSession& session, github::Health& health) {
  constexpr std::size_t kMost = 3;
  const github::PullRequest& pr = health.judged.pull_request;
  const github::Profile& profile = session.profiles.of(pr.id.repository);
  for (auto at = pr.comments.rbegin(); at != pr.comments.rend(); ++at)
    if (profile.has_bot(at->author) && health.bot_messages.size() < kMost)
      health.bot_messages.insert(health.bot_messages.begin(), *at);
}

Result<github::Health> look_up(PrSession& session, const github::PullRequestId& id) {
  github::Health health;
  HW_TRY(github::PullRequest read, github::fetch_pull_request(session.client, id));
  HW_TRY(health.judged, session.judge(std::move(read)));
  if (health.judged.pull_request.lifecycle == github::Lifecycle::kOpen) {
    HW_CHECK(add_failures(session, health));
    HW_CHECK(add_people(session, health));
  }
  add_bots(session, health);
  return health;
}

int code_of(const github::Judged& judged) {
  const github::State state = judged.assessment.state;
  return state == github::State::kReady || state == github::State::kMerged ? kOk : kFindings;
}

Result<int> health(const Options& options) {
  HW_TRY(const auto id, options.common.pull_request(options.number));
  HW_TRY(PrSession session, options.common.open());
  HW_TRY(const github::Health found, look_up(session, id));
  print_pr(options.common.is_json() ? json_text(github::health_json(found, session.now))
           : options.common.format == "markdown"
               ? github::health_markdown(found, session.now)
               : github::health_text(found, session.now, globals().colour_out),
           options.common);
  session.finish();
  return code_of(found.judged);
}

Result<int> blockers(const Options& options) {
  HW_TRY(const auto id, options.common.pull_request(options.number));
  HW_TRY(PrSession session, options.common.open());
  HW_TRY(github::PullRequest read, github::fetch_pull_request(session.client, id));
  HW_TRY(const github::Judged judged, session.judge(std::move(read)));
  if (options.common.is_json())
    print(json_text(github::status_json({judged}, session.now)));
  else
    print_text(github::blockers_text(judged, globals().colour_out));
  session.finish();
  return code_of(judged);
}

PrPart define_one(App app, const char* name, const char* summary,
                  Result<int> (*run)(const Options& options)) {
  auto options = std::make_shared<Options>();
  App part = app.add_subcommand(name, summary);
  part.add_option("NUMBER", options->number, "Number, OWNER/NAME#NUMBER, or address")
      .type_name("NUMBER")
      .required();
  options->common.define(part);
  options->common.define_format(part);
  return {part, [options, run] {
            const auto done = run(*options);
            return done ? *done : report(done.error());
          }};
}

}  // namespace

PrPart define_pr_health(App app) {
  return define_one(app, "health",
                    "Examine one pull request: checks, causes of failures, reviews, people",
                    health);
}

PrPart define_pr_blockers(App app) {
  return define_one(app, "blockers", "List what blocks the merge of a pull request, in order",
                    blockers);
}

}  // namespace hipwright::cli
