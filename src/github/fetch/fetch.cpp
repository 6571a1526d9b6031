// SPDX-License-Identifier: MIT
#include "github/fetch/fetch.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/counted.h"
#include "base/json.h"
#include "base/uri.h"
#include "github/fetch/json_reader.h"
#include "github/fetch/queries.h"

namespace hipwright::github {

namespace {

// GitHub computes mergeability when it is asked for, and says UNKNOWN until then.
constexpr double kMergeableDelay = 4;
constexpr unsigned kMergeableAttempts = 3;

Json cursor_json(const std::string& cursor) {
  return cursor.empty() ? Json() : Json(cursor);
}

Result<Json> ask_more(Client& client, const PullRequestId& id, const NextPage& page) {
  HW_TRY(Json data,
         client.graphql(id.text(), more_query(id, page.connection), {{"after", page.cursor}}));
  return data;
}

Status complete(Client& client, PullRequest& pull_request, std::vector<NextPage> pages) {
  for (NextPage& page : pages) {
    while (!page.cursor.empty()) {
      HW_TRY(const Json data, ask_more(client, pull_request.id, page));
      std::optional<Error> error;
      HW_TRY(page.cursor, read_more(data.value("/repository/pullRequest"_json_pointer, Json()),
                                    page.connection, pull_request));
    }
  }
  pull_request.checks = newest_of_each(std::move(pull_request.checks));
  return {};
}

Result<std::vector<PullRequest>> fetch_batch(Client& client, std::span<const PullRequestId> ids) {
  const std::string what = ids.size() == 1 ? ids[0].text() : counted(ids.size(), "pull request");
  HW_TRY(const Json data, client.graphql(what, pull_requests_query(ids), Json::object()));
  std::vector<PullRequest> read;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto alias = data.find(fmt::format("p{}", i));
    const bool is_there = alias != data.end() && alias->is_object() &&
                          alias->contains("pullRequest") && (*alias)["pullRequest"].is_object();
    if (!is_there)
      return fail("GitHub does not find it", ids[i].text(), "no such pull request",
                  "Check the repository and the number.");
    std::vector<NextPage> pages;
    HW_TRY(PullRequest one, read_pull_request((*alias)["pullRequest"], ids[i], pages));
    HW_CHECK(complete(client, one, std::move(pages)));
    read.push_back(std::move(one));
  }
  return read;
}

// In halves if it is too much for GitHub.
Result<std::vector<PullRequest>> fetch_split(Client& client, std::span<const PullRequestId> ids) {
  auto whole = fetch_batch(client, ids);
  if (whole || ids.size() == 1 || !client.was_too_slow()) return whole;
  HW_TRY(auto all, fetch_split(client, ids.first(ids.size() / 2)));
  HW_TRY(auto rest, fetch_split(client, ids.subspan(ids.size() / 2)));
  std::ranges::move(rest, std::back_inserter(all));
  return all;
}

bool is_undecided(const PullRequest& pull_request) {
  return pull_request.lifecycle == Lifecycle::kOpen &&
         pull_request.mergeable == Mergeable::kUnknown;
}

Status ask_again(Client& client, std::vector<PullRequest>& all) {
  for (unsigned attempt = 0; attempt < kMergeableAttempts && !client.is_offline(); ++attempt) {
    std::vector<PullRequestId> ids;
    for (const PullRequest& each : all)
      if (is_undecided(each)) ids.push_back(each.id);
    if (ids.empty()) return {};
    HW_CHECK(client.wait(kMergeableDelay, "GitHub computes whether it can be merged"));
    for (std::size_t begin = 0; begin < ids.size(); begin += kBatch) {
      const std::size_t count = std::min(kBatch, ids.size() - begin);
      HW_TRY(auto fresh, fetch_split(client, std::span(ids).subspan(begin, count)));
      for (PullRequest& each : fresh)
        *std::ranges::find(all, each.id, &PullRequest::id) = std::move(each);
    }
  }
  return {};
}

// A part of an address: a branch may have '/', a path keeps its own.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : uri_of(text)) out += c == '/' ? std::string("%2F") : std::string(1, c);
  return out;
}

void add_check(std::vector<std::string>& checks, std::string name) {
  if (!name.empty() && std::ranges::find(checks, name) == checks.end())
    checks.push_back(std::move(name));
}

void read_protection(const JsonReader& branch, Requirements& to) {
  const JsonReader required = branch.at("protection").at("required_status_checks");
  if (required.text_or("enforcement_level") == "off") return;
  for (const JsonReader& check : required.at("checks").items())
    add_check(to.checks, check.text("context"));
}

void read_rule(const JsonReader& rule, Requirements& to) {
  const std::string type = rule.text("type");
  const JsonReader parameters = rule.at("parameters");
  if (type == "required_status_checks") {
    for (const JsonReader& check : parameters.at("required_status_checks").items())
      add_check(to.checks, check.text("context"));
    to.needs_current_branch |= parameters.flag("strict_required_status_checks_policy");
  } else if (type == "pull_request") {
    to.approvals = std::max(
        to.approvals, static_cast<unsigned>(parameters.number("required_approving_review_count")));
    to.needs_code_owner |= parameters.flag("require_code_owner_review");
    to.needs_resolved_threads |= parameters.flag("required_review_thread_resolution");
  }
}

}  // namespace

Result<Found> find_pull_requests(Client& client, const std::string& query) {
  constexpr std::uint64_t kMostShown = 1000;
  Found found;
  std::string cursor;
  do {
    HW_TRY(const Json data,
           client.graphql("the search for pull requests", search_query(),
                          {{"query", "is:pr " + query}, {"after", cursor_json(cursor)}}));
    HW_TRY(SearchPage page, read_search(data));
    found.viewer = page.viewer;
    found.is_cut = page.count > kMostShown;
    found.ids.insert(found.ids.end(), page.ids.begin(), page.ids.end());
    cursor = page.cursor;
  } while (!cursor.empty() && found.ids.size() < kMostShown);
  return found;
}

Result<std::string> fetch_viewer(Client& client) {
  HW_TRY(const Json data,
         client.graphql("who asks", "query Viewer { viewer { login } }", Json::object()));
  std::optional<Error> error;
  const std::string login = JsonReader(data, "query", error).at("viewer").text("login");
  if (error) return std::unexpected(*std::move(error));
  return login;
}

Result<std::vector<PullRequest>> fetch_pull_requests(
    Client& client, const std::vector<PullRequestId>& ids,
    const std::function<void(std::size_t)>& advance) {
  std::vector<PullRequest> all;
  for (std::size_t begin = 0; begin < ids.size(); begin += kBatch) {
    const std::size_t count = std::min(kBatch, ids.size() - begin);
    HW_TRY(auto batch, fetch_split(client, std::span(ids).subspan(begin, count)));
    std::ranges::move(batch, std::back_inserter(all));
    if (advance) advance(count);
  }
  HW_CHECK(ask_again(client, all));
  return all;
}

Result<PullRequest> fetch_pull_request(Client& client, const PullRequestId& id) {
  HW_TRY(auto all, fetch_pull_requests(client, {id}));
  return std::move(all.front());
}

Result<Requirements> fetch_requirements(Client& client, const Repository& repository,
                                        const std::string& branch) {
  Requirements found;
  const std::string base = "/repos/" + repository.text();
  HW_TRY(const Json protection, client.get_json(base + "/branches/" + escaped(branch)));
  HW_TRY(const auto rules,
         client.get_pages(base + "/rules/branches/" + escaped(branch) + "?per_page=100"));
  std::optional<Error> error;
  read_protection(JsonReader(protection, repository.text() + " " + branch, error), found);
  for (const Json& rule : rules)
    read_rule(JsonReader(rule, repository.text() + " rules of " + branch, error), found);
  if (error) return std::unexpected(*std::move(error));
  return found;
}

Result<std::optional<std::string>> fetch_file(Client& client, const Repository& repository,
                                              const std::string& path, const std::string& ref) {
  return client.get(
      fmt::format("/repos/{}/contents/{}?ref={}", repository.text(), uri_of(path), escaped(ref)),
      "application/vnd.github.raw+json");
}

Result<std::vector<std::vector<std::string>>> fetch_base_failures(Client& client,
                                                                  const Repository& repository,
                                                                  const std::string& branch) {
  HW_TRY(const Json data,
         client.graphql("the checks of " + repository.text() + " " + branch,
                        base_checks_query(repository), {{"branch", "refs/heads/" + branch}}));
  return read_base_failures(data);
}

Result<std::optional<std::string>> fetch_job_log(Client& client, const Repository& repository,
                                                 std::uint64_t job) {
  return client.get(fmt::format("/repos/{}/actions/jobs/{}/logs", repository.text(), job),
                    "application/vnd.github+json");
}

Result<std::string> fetch_diff(Client& client, const PullRequestId& id) {
  HW_TRY(auto diff, client.get(fmt::format("/repos/{}/pulls/{}", id.repository.text(), id.number),
                               "application/vnd.github.diff"));
  if (!diff) return fail("GitHub does not find it", id.text(), "no such pull request");
  return *std::move(diff);
}

Result<std::vector<Summary>> fetch_summaries(Client& client, const std::string& query,
                                             std::size_t most) {
  std::vector<Summary> all;
  std::string cursor;
  do {
    HW_TRY(const Json data, client.graphql("the search", open_query(),
                                           {{"query", query}, {"after", cursor_json(cursor)}}));
    HW_TRY(SummaryPage page, read_summaries(data));
    std::ranges::move(page.items, std::back_inserter(all));
    cursor = page.cursor;
  } while (!cursor.empty() && all.size() < most);
  return all;
}

Result<std::vector<BlameRange>> fetch_blame(Client& client, const Repository& repository,
                                            const std::string& ref,
                                            const std::vector<std::string>& paths) {
  if (paths.empty()) return std::vector<BlameRange>();
  HW_TRY(const Json data, client.graphql("who wrote the changed lines",
                                         blame_query(repository, paths), {{"expression", ref}}));
  return read_blame(data, paths);
}

}  // namespace hipwright::github
