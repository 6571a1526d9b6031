// SPDX-License-Identifier: MIT
// Other people's pull requests and the time until the merge: review, watch, contest, find.
#include <algorithm>

#include <fmt/format.h>

#include "base/file.h"
#include "base/json.h"
#include "base/stop.h"
#include "cli/pr.h"
#include "github/contest/contest.h"
#include "github/fetch/fetch.h"
#include "github/local/git.h"
#include "github/review/review.h"
#include "github/time.h"
#include "project/language.h"

namespace hipwright::cli {

namespace {

struct Options {
  PrOptions common;
  std::string number, author = "@me", config;
  double interval = 60;  // seconds
};

constexpr std::size_t kMostFiles = 60;
constexpr std::size_t kMostOpen = 200;

Status read_sources(PrSession& session, const github::PullRequest& pr, github::ReviewInput& to) {
  for (const github::ChangedFile& file : pr.files) {
    if (!project::is_code(project::language_of(file.path)) || file.additions == 0) continue;
    if (to.files.size() == kMostFiles) {
      to.not_read.push_back(file.path);
      continue;
    }
    HW_TRY(auto text,
           github::fetch_file(session.client, pr.id.repository, file.path, pr.head_commit));
    if (text)
      to.files.push_back({file.path, *std::move(text)});
    else
      to.not_read.push_back(file.path);
  }
  return {};
}

Result<int> review(const Options& options) {
  HW_TRY(const auto id, options.common.pull_request(options.number));
  HW_TRY(PrSession session, options.common.open());
  HW_TRY(github::PullRequest read, github::fetch_pull_request(session.client, id));
  HW_TRY(const github::Judged judged, session.judge(std::move(read)));
  github::ReviewInput input{.judged = judged, .profile = session.profiles.of(id.repository)};
  HW_TRY(input.diff, github::fetch_diff(session.client, id));
  HW_CHECK(read_sources(session, judged.pull_request, input));
  HW_TRY(input.open.list,
         github::fetch_summaries(
             session.client, "is:pr is:open sort:updated repo:" + id.repository.text(), kMostOpen));
  if (const auto here = github::upstream_of(""); here && *here == id.repository)
    input.clone = std::filesystem::current_path();
  HW_TRY(const github::ReviewReport report, github::review(input));
  const auto& common = options.common;
  print_pr(common.is_json() ? json_text(github::review_json(judged, report, session.now))
           : common.format == "markdown"
               ? github::review_markdown(judged, report)
               : github::review_text(judged, report, globals().colour_out),
           common);
  session.finish();
  const auto has = [&](github::Answer answer) {
    return std::ranges::any_of(report.steps,
                               [&](const auto& step) { return step.answer == answer; });
  };
  return has(github::Answer::kFail)         ? kFindings
         : has(github::Answer::kNotChecked) ? kNotChecked
                                            : kOk;
}

// A line whenever what to do changes; ends when it is ready, merged or closed.
Result<int> watch(const Options& options) {
  HW_TRY(const auto id, options.common.pull_request(options.number));
  if (options.common.offline)
    return fail("cannot watch offline", id.text(), "--offline was given", "Leave it out.");
  HW_TRY(PrSession session, options.common.open());
  std::string before;
  while (true) {
    HW_TRY(github::PullRequest read, github::fetch_pull_request(session.client, id));
    HW_TRY(const github::Judged judged, session.judge(std::move(read)));
    const github::Assessment& a = judged.assessment;
    const std::string line =
        fmt::format("{}  {}: {} (required checks: {})\n", id.text(), to_string(a.state), a.action,
                    github::checks_text(a.required, a.missing_checks.size()));
    if (line != before) {
      print_text(line);
      std::fflush(stdout);
    }
    before = line;
    if (a.state == github::State::kReady || a.state == github::State::kMerged) return kOk;
    if (a.state == github::State::kClosed) return kFindings;
    if (const Status waited = session.client.wait(options.interval, ""); !waited) return kStopped;
  }
}

Result<std::vector<github::Judged>> judge_all(PrSession& session, const std::string& query) {
  HW_TRY(const auto found, github::find_pull_requests(session.client, query));
  if (found.is_cut) warn("GitHub lists only the first 1000 pull requests of a search");
  HW_TRY(auto read, github::fetch_pull_requests(session.client, found.ids));
  std::vector<github::Judged> all;
  for (github::PullRequest& each : read) {
    HW_TRY(all.emplace_back(), session.judge(std::move(each)));
  }
  return all;
}

Result<int> contest(const Options& options) {
  github::Contest contest;
  if (options.config.empty()) {
    HW_TRY(contest, github::shipped_contest());
  } else {
    HW_TRY(const std::string text, read_input(options.config));
    HW_TRY(contest, github::read_contest(text, options.config));
  }
  if (options.author.find_first_of(" \t\"") != std::string::npos)
    return fail("invalid author", options.author, "expected the name of an account");
  HW_TRY(PrSession session, options.common.open());
  std::string scope = "author:" + options.author;
  for (const std::string& name : contest.repositories) scope += " repo:" + name;
  HW_TRY(std::vector<github::Judged> all, judge_all(session, "is:open " + scope));
  const std::string since = contest.since.empty() ? "" : " closed:>=" + contest.since;
  HW_TRY(auto closed, judge_all(session, "is:closed " + scope + since));
  std::ranges::move(closed, std::back_inserter(all));
  const github::Standing standing = github::standing_of(contest, all, session.profiles);
  if (options.common.is_json())
    print(json_text(github::contest_json(contest, standing, session.now)));
  else
    print_text(github::contest_text(contest, standing, globals().colour_out));
  session.finish();
  return standing.counted >= contest.target ? kOk : kFindings;
}

PrPart define(App app, const char* name, const char* summary,
              Result<int> (*run)(const Options& options),
              void (*more)(App part, Options& options)) {
  auto options = std::make_shared<Options>();
  App part = app.add_subcommand(name, summary);
  more(part, *options);
  options->common.define(part);
  return {part, [options, run] {
            const auto done = run(*options);
            return done ? *done : report(done.error());
          }};
}

void define_number(App part, Options& options) {
  part.add_option("NUMBER", options.number, "Number, OWNER/NAME#NUMBER, or address")
      .type_name("NUMBER")
      .required();
}

}  // namespace

PrPart define_pr_review(App app) {
  return define(app, "review",
                "Examine somebody else's pull request: findings, the reviewer's questions", review,
                [](App part, Options& options) {
                  define_number(part, options);
                  options.common.define_format(part);
                });
}

PrPart define_pr_watch(App app) {
  return define(app, "watch", "Print a line whenever the next step changes, until it is ready",
                watch, [](App part, Options& options) {
                  define_number(part, options);
                  part.add_option("--interval", options.interval, "Time between two looks")
                      .type_name("SECONDS")
                      .range(0.05, 86400.0)
                      .capture_default_str();
                });
}

PrPart define_pr_contest(App app) {
  return define(app, "contest", "Count merged pull requests for a contest", contest,
                [](App part, Options& options) {
                  part.add_option("--config", options.config,
                                  "What counts (default: AMD's Strix Halo contest)")
                      .type_name("FILE");
                  part.add_option("--author", options.author, "Whose pull requests")
                      .type_name("LOGIN")
                      .capture_default_str();
                  part.add_flag("--json{json}", options.common.format, "Print JSON");
                });
}

}  // namespace hipwright::cli
