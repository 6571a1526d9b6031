// SPDX-License-Identifier: MIT
#include "cli/pr.h"

#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <thread>

#include <poll.h>

#include <fmt/format.h>

#include "base/file.h"
#include "base/json.h"
#include "base/stop.h"
#include "github/fetch/fetch.h"
#include "github/local/git.h"
#include "github/time.h"

namespace fs = std::filesystem;

namespace hipwright::cli {

namespace {

const Command::Registration registration({
    .name = "pr",
    .summary = "Track ROCm pull requests until they merge: status, health, checks, drafts",
    .define = [](App app) -> std::function<int()> {
      std::vector<PrPart> parts;
      for (const auto define :
           {define_pr_status, define_pr_health, define_pr_blockers, define_pr_watch,
            define_pr_check, define_pr_describe, define_pr_create, define_pr_bench_comment,
            define_pr_ping, define_pr_review, define_pr_contest, define_pr_find})
        parts.push_back(define(app));
      app.require_subcommand();
      return [parts] {
        for (const PrPart& part : parts)
          if (part.app.parsed()) return part.run();
        return kUsage;
      };
    },
});

// Ends early when a stop is requested.
Status wait_for(double seconds, const std::string& why) {
  if (seconds >= 1 && !why.empty()) note(fmt::format("{}: waiting {:.0f} s", why, seconds));
  pollfd stop{stop_descriptor(), POLLIN, 0};
  ::poll(&stop, 1, static_cast<int>(std::min(seconds * 1000, 2e9)));
  if (stop_requested()) return std::unexpected(stopped("waiting for GitHub"));
  return {};
}

Result<fs::path> configuration_directory() {
  if (const char* set = std::getenv("XDG_CONFIG_HOME"); set != nullptr && *set == '/')
    return fs::path(set) / "hipwright";
  const char* home = std::getenv("HOME");
  return home == nullptr || *home == '\0' ? fs::path() : fs::path(home) / ".config/hipwright";
}

}  // namespace

void PrOptions::define(App app) {
  app.add_option("--repo", repositories, "Repositories, separated by commas")
      .type_name("OWNER/NAME")
      .delimiter(',')
      .allow_extra_args(false);
  app.add_option("--api-url", api_url,
                 "Address of the API (default: GITHUB_API_URL, or https://api.github.com)")
      .type_name("URL");
  app.add_option("--graphql-url", graphql_url, "Address of GraphQL, if it is not below --api-url")
      .type_name("URL");
  app.add_option("--profiles", profiles,
                 "Directory with your profiles (default: ~/.config/hipwright/profiles)")
      .type_name("DIR");
  app.add_flag("--offline", offline, "Use answers from the cache; send nothing");
  app.add_option("--timeout", timeout, "Time limit for one request")
      .type_name("SECONDS")
      .range(1U, 3600U)
      .capture_default_str();
  app.add_option("--retry-delay", retry_delay, "Seconds before the first retry").group("");
  app.add_option("--now", now, "Time that ages count from").group("");
}

void PrOptions::define_format(App app) {
  Option of = app.add_option("--format", format, "Output format")
                  .type_name("FORMAT")
                  .one_of({"text", "json", "markdown"})
                  .capture_default_str();
  app.add_flag("--json{json}", format, "Same as --format json").excludes(of);
}

Result<PrSession> PrOptions::open() const {
  stop_on_interrupt();
  const std::int64_t time = now.empty() ? std::time(nullptr) : github::parse_time(now);
  if (time <= 0) return fail("invalid time", now, "expected YYYY-MM-DDTHH:MM:SSZ");
  github::ClientOptions made;
  HW_TRY(made.endpoints, github::find_endpoints(api_url, graphql_url));
  if (!offline) {
    HW_TRY(made.token, github::find_token(made.endpoints.rest));
  }
  HW_TRY(const fs::path cache, user_cache_directory());
  HW_TRY(made.cache, github::AnswerCache::open(cache / "github", std::time(nullptr)));
  made.is_offline = offline;
  made.timeout = std::chrono::seconds(timeout);
  made.retry_delay = std::isfinite(retry_delay) ? std::max(0.0, retry_delay) : 1;
  made.transport = github::curl_transport();
  made.wait = wait_for;
  made.now = [] { return static_cast<std::int64_t>(std::time(nullptr)); };
  fs::path directory = profiles;
  if (directory.empty()) {
    HW_TRY(const fs::path configuration, configuration_directory());
    if (!configuration.empty()) directory = configuration / "profiles";
  } else if (!fs::is_directory(directory)) {
    return fail("cannot read the profiles", directory.string(), "not a directory");
  }
  HW_TRY(github::Profiles loaded, github::Profiles::load(directory));
  return PrSession(github::Client(std::move(made)), std::move(loaded), time);
}

Result<github::Repository> PrOptions::repository() const {
  if (repositories.size() == 1) return github::parse_repository(repositories[0]);
  if (repositories.size() > 1)
    return fail("one repository is needed", "", fmt::format("{} given", repositories.size()),
                "Give --repo once.");
  if (auto found = github::upstream_of("")) return *std::move(found);
  return fail("unknown repository", "", "this directory is not a clone with a remote on GitHub",
              "Give --repo OWNER/NAME.");
}

Result<github::PullRequestId> PrOptions::pull_request(const std::string& text) const {
  const auto wrong = [&] {
    return fail("invalid pull request", text, "expected a number",
                "For example: 123, vllm-project/vllm#123, or its address.");
  };
  std::string number = text;
  std::optional<github::Repository> named;
  if (const std::size_t pull = text.find("/pull/"); pull != std::string::npos) {
    number = text.substr(pull + 6, text.find_first_of("/?#", pull + 6) - pull - 6);
    HW_TRY(named, github::parse_repository(text.substr(0, pull)));
  } else if (const std::size_t hash = text.find('#'); hash != std::string::npos) {
    number = text.substr(hash + 1);
    if (hash > 0) {
      HW_TRY(named, github::parse_repository(text.substr(0, hash)));
    }
  }
  github::PullRequestId id;
  const auto read = std::from_chars(number.data(), number.data() + number.size(), id.number);
  if (read.ec != std::errc() || read.ptr != number.data() + number.size() || id.number == 0 ||
      id.number > INT32_MAX)
    return wrong();
  if (named) {
    id.repository = *named;
  } else {
    HW_TRY(id.repository, repository());
  }
  return id;
}

Result<const github::Setting*> PrSession::setting_of(const github::Repository& repository,
                                                     const std::string& branch) {
  const auto key = std::pair(repository, branch);
  if (const auto known = settings_.find(key); known != settings_.end()) return &known->second;
  github::Setting setting{.profile = &profiles.of(repository)};
  HW_TRY(setting.requirements, github::fetch_requirements(client, repository, branch));
  if (!setting.profile->codeowners.empty()) {
    HW_TRY(const auto text,
           github::fetch_file(client, repository, setting.profile->codeowners, branch));
    if (text) setting.owners = github::CodeOwners::parse(*text);
  }
  if (!setting.profile->merge_rules.empty()) {
    HW_TRY(const auto text,
           github::fetch_file(client, repository, setting.profile->merge_rules, branch));
    if (text) {
      HW_TRY(setting.merge_rules, github::parse_merge_rules(*text, setting.profile->merge_rules));
    }
  }
  return &settings_.emplace(key, std::move(setting)).first->second;
}

Result<github::Judged> PrSession::judge(github::PullRequest pull_request) {
  if (pull_request.lifecycle != github::Lifecycle::kOpen) {
    const github::Setting bare{.profile = &profiles.of(pull_request.id.repository)};
    github::Assessment assessment = github::assess(pull_request, bare);
    return github::Judged{std::move(pull_request), std::move(assessment)};
  }
  HW_TRY(const github::Setting* const setting,
         setting_of(pull_request.id.repository, pull_request.base));
  github::Assessment assessment = github::assess(pull_request, *setting);
  return github::Judged{std::move(pull_request), std::move(assessment)};
}

void PrSession::finish() const {
  if (client.is_offline() && client.oldest_answer() > 0)
    note("from the cache, up to " + github::age_text(now - client.oldest_answer()) + " old");
}

Result<int> post_comment(PrSession& session, const github::PullRequestId& id,
                         const std::string& text, bool yes) {
  print_text(text.ends_with('\n') ? text : text + "\n");
  if (!yes) {
    note(fmt::format("nothing was posted; add --yes to post this on {}", id.text()));
    return kOk;
  }
  HW_CHECK(session.client.post(
      fmt::format("/repos/{}/issues/{}/comments", id.repository.text(), id.number),
      {{"body", text}}));
  note("posted on " + id.text());
  return kOk;
}

void print_pr(const std::string& text, const PrOptions& options) {
  options.format == "text" ? print_text(text) : print(text);
}

}  // namespace hipwright::cli
