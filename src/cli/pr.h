// SPDX-License-Identifier: MIT
// The parts of `hipwright pr`, each with options of its own, and what they share: where GitHub is,
// how it is asked, and which repositories are meant.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "github/client/client.h"
#include "github/profile/profile.h"
#include "github/report/report.h"

namespace hipwright::cli {

// What is known and open while one part of the command runs.
class PrSession {
 public:
  PrSession(github::Client client, github::Profiles profiles, std::int64_t now)
      : client(std::move(client)), profiles(std::move(profiles)), now(now) {}

  // What pull requests into a branch of a repository are judged by; asked for once.
  Result<const github::Setting*> setting_of(const github::Repository& repository,
                                            const std::string& branch);
  Result<github::Judged> judge(github::PullRequest pull_request);
  // Notes on standard error: that answers came from the cache.
  void finish() const;

  github::Client client;
  github::Profiles profiles;
  std::int64_t now;

 private:
  std::map<std::pair<github::Repository, std::string>, github::Setting> settings_;
};

struct PrOptions {
  std::vector<std::string> repositories;
  std::string api_url, graphql_url, format = "text", now;
  std::filesystem::path profiles;
  unsigned timeout = 30;
  double retry_delay = 1;
  bool offline = false;

  void define(App app);
  void define_format(App app);
  Result<PrSession> open() const;
  // The one repository that is meant: --repo, or that of the current directory.
  Result<github::Repository> repository() const;
  // "123", "#123", "OWNER/NAME#123" or the address of a pull request.
  Result<github::PullRequestId> pull_request(const std::string& text) const;
  bool is_json() const { return format == "json"; }
};

// Text for people or Markdown.
void print_pr(const std::string& text, const PrOptions& options);

// Posts a comment, or shows it and says how to post it.
Result<int> post_comment(PrSession& session, const github::PullRequestId& id,
                         const std::string& text, bool yes);

struct PrPart {
  App app;
  std::function<int()> run;
};
PrPart define_pr_status(App app);
PrPart define_pr_health(App app);
PrPart define_pr_blockers(App app);
PrPart define_pr_check(App app);
PrPart define_pr_describe(App app);
PrPart define_pr_create(App app);
PrPart define_pr_bench_comment(App app);
PrPart define_pr_ping(App app);
PrPart define_pr_review(App app);
PrPart define_pr_watch(App app);
PrPart define_pr_contest(App app);
PrPart define_pr_find(App app);

}  // namespace hipwright::cli
