// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "base/json.h"
#include "base/progress.h"
#include "cli/pr.h"
#include "github/fetch/fetch.h"

namespace hipwright::cli {

namespace {

struct Options {
  PrOptions common;
  std::string author = "@me";
};

// "repo:a/b org:ROCm …": those that are named, else all that have a profile.
Result<std::string> scope_of(const Options& options, const github::Profiles& profiles) {
  std::string scope;
  for (const std::string& name : options.common.repositories) {
    HW_TRY(const auto repository, github::parse_repository(name));
    scope += " repo:" + repository.text();
  }
  if (!scope.empty()) return scope;
  for (const github::Profile& profile : profiles.all()) {
    const std::string& name = profile.repository;
    const bool is_owner = name.ends_with("/*") && name.find('*') == name.size() - 1;
    if (is_owner)
      scope += " org:" + name.substr(0, name.size() - 2);
    else if (name.find('*') == std::string::npos)
      scope += " repo:" + name;
  }
  return scope;
}

Result<int> status(const Options& options) {
  if (options.author.find_first_of(" \t\"") != std::string::npos)
    return fail("invalid author", options.author, "expected the name of an account");
  HW_TRY(PrSession session, options.common.open());
  HW_TRY(const std::string scope, scope_of(options, session.profiles));
  HW_TRY(const auto found,
         github::find_pull_requests(session.client,
                                    "is:open sort:updated author:" + options.author + scope));
  if (found.is_cut) warn("GitHub lists only the first 1000 pull requests of a search");
  std::vector<github::Judged> all;
  {
    Progress progress(
        "reading pull requests", found.ids.size(), "pull requests",
        standard_progress_output(globals().quiet || found.ids.size() <= github::kBatch));
    HW_TRY(auto read,
           github::fetch_pull_requests(session.client, found.ids,
                                       [&](std::size_t count) { progress.advance(count); }));
    for (github::PullRequest& each : read) {
      HW_TRY(all.emplace_back(), session.judge(std::move(each)));
    }
  }
  const auto& common = options.common;
  print_pr(common.is_json() ? json_text(github::status_json(all, session.now))
           : common.format == "markdown"
               ? github::status_markdown(all, session.now)
               : github::status_text(all, session.now, globals().colour_out),
           common);
  session.finish();
  const bool waits = std::ranges::any_of(all, [](const github::Judged& each) {
    return each.assessment.actor == github::Actor::kAuthor;
  });
  return waits ? kFindings : kOk;
}

}  // namespace

PrPart define_pr_status(App app) {
  auto options = std::make_shared<Options>();
  App part = app.add_subcommand("status", "List your open pull requests and the next step of each");
  options->common.define(part);
  options->common.define_format(part);
  part.add_option("--author", options->author, "Whose pull requests")
      .type_name("LOGIN")
      .capture_default_str();
  return {part, [options] {
            const auto done = status(*options);
            return done ? *done : report(done.error());
          }};
}

}  // namespace hipwright::cli
