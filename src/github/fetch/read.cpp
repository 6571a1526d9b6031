// SPDX-License-Identifier: MIT
#include "github/fetch/read.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/json.h"
#include "base/words.h"
#include "github/fetch/json_reader.h"

namespace hipwright::github {

namespace {

Outcome outcome_of_status(std::string_view state) {
  if (state == "SUCCESS") return Outcome::kPass;
  if (is_any(state, {"ERROR", "FAILURE"})) return Outcome::kFail;
  return Outcome::kPending;  // EXPECTED, PENDING, and what GitHub may add
}

Outcome outcome_of_run(std::string_view status, std::string_view conclusion) {
  if (status != "COMPLETED") return Outcome::kPending;
  if (conclusion == "SUCCESS") return Outcome::kPass;
  if (is_any(conclusion, {"SKIPPED", "NEUTRAL"})) return Outcome::kSkipped;
  if (conclusion == "CANCELLED") return Outcome::kCancelled;
  if (is_any(conclusion, {"FAILURE", "TIMED_OUT", "ACTION_REQUIRED", "STARTUP_FAILURE"}))
    return Outcome::kFail;
  return Outcome::kPending;  // STALE: it never completed
}

// Base checks are asked for without the fields that only a pull request has.
Check read_check(const JsonReader& node, bool is_of_pull_request) {
  Check check;
  if (node.text("__typename") == "StatusContext") {
    check.name = node.text("context");
    check.outcome = outcome_of_status(node.text("state"));
    check.url = node.text_or("targetUrl");
    check.description = node.text_or("description");
    check.started = node.time("createdAt");
  } else {
    check.name = node.text("name");
    check.outcome = outcome_of_run(node.text("status"), node.text_or("conclusion"));
    check.url = node.text_or("detailsUrl");
    check.description = node.text_or("title");
    check.started = node.time("startedAt");
    const JsonReader suite = node.at("checkSuite");
    check.workflow = suite.at("workflowRun").at("workflow").text_or("name");
    if (suite.at("app").text_or("slug") == "github-actions")
      check.job = node.number_or("databaseId");
  }
  if (is_of_pull_request) check.is_required = node.flag("isRequired");
  return check;
}

ReviewState review_state(std::string_view word) {
  if (word == "APPROVED") return ReviewState::kApproved;
  if (word == "CHANGES_REQUESTED") return ReviewState::kChangesRequested;
  if (word == "DISMISSED") return ReviewState::kDismissed;
  return word == "PENDING" ? ReviewState::kPending : ReviewState::kCommented;
}

Thread read_thread(const JsonReader& node) {
  Thread thread{.is_resolved = node.flag("isResolved"),
                .is_outdated = node.flag("isOutdated"),
                .path = node.text("path"),
                .line = static_cast<unsigned>(node.number_or("line").value_or(0))};
  for (const JsonReader& comment : node.at("comments").nodes()) {
    thread.author = comment.at("author").text_or("login");
    thread.body = comment.text("body");
    thread.url = comment.text("url");
  }
  return thread;
}

using Read = void (*)(const JsonReader& node, PullRequest& to);
struct Connection {
  std::string_view name;
  Read read;
};
constexpr Connection kConnections[] = {
    {"labels",
     [](const JsonReader& node, PullRequest& to) { to.labels.push_back(node.text("name")); }},
    {"files",
     [](const JsonReader& node, PullRequest& to) {
       to.files.push_back({node.text("path"), static_cast<unsigned>(node.number("additions")),
                           static_cast<unsigned>(node.number("deletions"))});
     }},
    {"latestReviews",
     [](const JsonReader& node, PullRequest& to) {
       to.reviews.push_back({node.at("author").text_or("login"), node.text("authorAssociation"),
                             review_state(node.text("state")), node.at("commit").text_or("oid"),
                             node.time("submittedAt")});
     }},
    {"reviewThreads",
     [](const JsonReader& node, PullRequest& to) { to.threads.push_back(read_thread(node)); }},
    {"contexts",
     [](const JsonReader& node, PullRequest& to) { to.checks.push_back(read_check(node, true)); }},
};

// Reads one page; the cursor of the next.
std::string read_page(const JsonReader& connection, Read read, PullRequest& to) {
  if (connection.is_null()) return {};
  for (const JsonReader& node : connection.nodes()) read(node, to);
  const JsonReader info = connection.at("pageInfo");
  return info.flag("hasNextPage") ? info.text("endCursor") : std::string();
}

// The last commit of a pull request; null if it has none.
std::optional<JsonReader> last_commit(const JsonReader& node) {
  const auto commits = node.at("commits").nodes();
  if (commits.empty()) return std::nullopt;
  return commits.back().at("commit");
}

std::optional<JsonReader> connection_in(const JsonReader& node, std::string_view name) {
  if (name != "contexts") return node.at(std::string(name).c_str());
  const auto commit = last_commit(node);
  if (!commit) return std::nullopt;
  return commit->at("statusCheckRollup").at("contexts");
}

void read_events(const JsonReader& node, PullRequest& to) {
  for (const JsonReader& event : node.at("timelineItems").nodes()) {
    const std::string kind = event.text("__typename");
    if (kind == "HeadRefForcePushedEvent")
      to.force_pushed = std::max(to.force_pushed, event.time("createdAt"));
    if (kind == "ClosedEvent")
      to.closed_by_commit = event.at("closer").text_or("__typename") == "Commit";
  }
}

void read_fields(const JsonReader& node, PullRequest& to) {
  to.title = node.text("title");
  to.body = node.text_or("body");
  to.url = node.text("url");
  to.author = node.at("author").text_or("login");
  const std::string state = node.text("state");
  to.lifecycle = state == "MERGED"   ? Lifecycle::kMerged
                 : state == "CLOSED" ? Lifecycle::kClosed
                                     : Lifecycle::kOpen;
  to.is_draft = node.flag("isDraft");
  to.created = node.time("createdAt");
  to.updated = node.time("updatedAt");
  to.closed = node.time("closedAt");
  to.base = node.text("baseRefName");
  to.head = node.text_or("headRefName");
  to.head_commit = node.text("headRefOid");
  const std::string mergeable = node.text("mergeable");
  to.mergeable = mergeable == "MERGEABLE"     ? Mergeable::kYes
                 : mergeable == "CONFLICTING" ? Mergeable::kNo
                                              : Mergeable::kUnknown;
  to.merge_state = node.text("mergeStateStatus");
  to.decision = node.text_or("reviewDecision");
  for (const JsonReader& request : node.at("reviewRequests").nodes()) {
    const JsonReader person = request.at("requestedReviewer");
    const std::string name = person.text_or("login") + person.text_or("slug");
    if (!name.empty()) to.requested.push_back(name);
  }
  for (const JsonReader& comment : node.at("comments").nodes())
    to.comments.push_back({comment.at("author").text_or("login"), comment.text("body"),
                           comment.text("url"), comment.time("createdAt")});
  for (const JsonReader& issue : node.at("closingIssuesReferences").nodes())
    to.closes.push_back(static_cast<unsigned>(issue.number("number")));
  read_events(node, to);
  if (const auto commit = last_commit(node)) to.head_committed = commit->time("committedDate");
}

std::optional<PullRequestId> read_id(const JsonReader& node) {
  const auto repository = parse_repository(node.at("repository").text("nameWithOwner"));
  if (!repository) return std::nullopt;
  return PullRequestId{*repository, static_cast<unsigned>(node.number("number"))};
}

std::string cursor_of(const JsonReader& connection) {
  const JsonReader info = connection.at("pageInfo");
  return info.flag("hasNextPage") ? info.text("endCursor") : std::string();
}

}  // namespace

Result<PullRequest> read_pull_request(const Json& node, const PullRequestId& id,
                                      std::vector<NextPage>& more) {
  std::optional<Error> error;
  const JsonReader reader(node, id.text(), error);
  PullRequest read{.id = id};
  read_fields(reader, read);
  for (const Connection& each : kConnections)
    if (const auto connection = connection_in(reader, each.name))
      if (std::string cursor = read_page(*connection, each.read, read); !cursor.empty())
        more.push_back({std::string(each.name), std::move(cursor)});
  if (error) return std::unexpected(*std::move(error));
  return read;
}

Result<std::string> read_more(const Json& node, const std::string& connection, PullRequest& to) {
  const auto found = std::ranges::find(kConnections, connection, &Connection::name);
  HW_ASSERT(found != std::end(kConnections));
  std::optional<Error> error;
  const JsonReader reader(node, to.id.text(), error);
  if (connection == "contexts") {
    const auto commit = last_commit(reader);
    if (!commit || commit->text("oid") != to.head_commit)
      return fail("the pull request changed while it was read", to.id.text(),
                  "somebody pushed a commit", "Run the command again.");
  }
  std::string cursor;
  if (const auto page = connection_in(reader, connection))
    cursor = read_page(*page, found->read, to);
  if (error) return std::unexpected(*std::move(error));
  return cursor;
}

Result<std::vector<std::vector<std::string>>> read_base_failures(const Json& data) {
  std::optional<Error> error;
  const JsonReader reader(data, "base branch", error);
  std::vector<std::vector<std::string>> all;
  const JsonReader target = reader.at("repository").at("ref").at("target");
  for (const JsonReader& commit : target.at("history").nodes()) {
    std::vector<std::string>& failed = all.emplace_back();
    for (const JsonReader& node : commit.at("statusCheckRollup").at("contexts").nodes())
      if (const Check check = read_check(node, false); check.has_failed())
        failed.push_back(check.full_name());
  }
  if (error) return std::unexpected(*std::move(error));
  return all;
}

Result<SearchPage> read_search(const Json& data) {
  std::optional<Error> error;
  const JsonReader reader(data, "search", error), search = reader.at("search");
  SearchPage page{.viewer = reader.at("viewer").text("login"),
                  .count = search.number("issueCount")};
  for (const JsonReader& node : search.nodes())
    if (node.text("__typename") == "PullRequest")
      if (const auto id = read_id(node)) page.ids.push_back(*id);
  page.cursor = cursor_of(search);
  if (error) return std::unexpected(*std::move(error));
  return page;
}

Result<SummaryPage> read_summaries(const Json& data) {
  std::optional<Error> error;
  const JsonReader reader(data, "search", error), search = reader.at("search");
  SummaryPage page;
  for (const JsonReader& node : search.nodes()) {
    const auto id = read_id(node);
    if (!id) continue;
    Summary& item = page.items.emplace_back();
    item.id = *id;
    item.is_pull_request = node.text("__typename") == "PullRequest";
    item.title = node.text("title");
    item.url = node.text("url");
    item.author = node.at("author").text_or("login");
    for (const JsonReader& label : node.at("labels").nodes())
      item.labels.push_back(label.text("name"));
    for (const JsonReader& file : node.at("files").nodes()) item.files.push_back(file.text("path"));
  }
  page.cursor = cursor_of(search);
  if (error) return std::unexpected(*std::move(error));
  return page;
}

Result<std::vector<BlameRange>> read_blame(const Json& data,
                                           const std::vector<std::string>& paths) {
  std::optional<Error> error;
  const JsonReader reader(data, "blame", error);
  const JsonReader commit = reader.at("repository").at("object");
  std::vector<BlameRange> all;
  for (std::size_t i = 0; i < paths.size(); ++i)
    for (const JsonReader& range : commit.at(fmt::format("b{}", i).c_str()).at("ranges").items())
      all.push_back({paths[i], range.at("commit").at("author").at("user").text_or("login"),
                     static_cast<unsigned>(range.number("startingLine")),
                     static_cast<unsigned>(range.number("endingLine"))});
  if (error) return std::unexpected(*std::move(error));
  return all;
}

}  // namespace hipwright::github
