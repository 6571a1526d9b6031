// SPDX-License-Identifier: MIT
#include "github/fetch/queries.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/json.h"

namespace hipwright::github {

namespace {

constexpr std::string_view kPageInfo = "pageInfo { hasNextPage endCursor }";

// The nodes of the connections that are read page by page.
std::string nodes_of(std::string_view connection, unsigned number) {
  if (connection == "files") return "path additions deletions";
  if (connection == "labels") return "name";
  if (connection == "latestReviews")
    return "author { login } authorAssociation state submittedAt commit { oid }";
  if (connection == "reviewThreads")
    return "isResolved isOutdated path line comments(first: 1) { nodes { author { login } body "
           "url } }";
  HW_ASSERT(connection == "contexts");
  return fmt::format(
      "__typename ... on StatusContext {{ context state targetUrl description createdAt "
      "isRequired(pullRequestNumber: {0}) }} ... on CheckRun {{ databaseId name status conclusion "
      "startedAt detailsUrl title isRequired(pullRequestNumber: {0}) checkSuite {{ app {{ slug }} "
      "workflowRun {{ workflow {{ name }} }} }} }}",
      number);
}

std::string connection_text(std::string_view name, unsigned number, std::string_view arguments) {
  return fmt::format("{}({}) {{ {} nodes {{ {} }} }}", name, arguments, kPageInfo,
                     nodes_of(name, number));
}

std::string rollup(unsigned number, std::string_view arguments) {
  return fmt::format("statusCheckRollup {{ {} }}", connection_text("contexts", number, arguments));
}

std::string fields(unsigned number) {
  constexpr std::string_view kFirst = "first: 100";
  return fmt::format(
      "number title body url state isDraft createdAt updatedAt closedAt author {{ login }} "
      "baseRefName headRefName headRefOid mergeable mergeStateStatus reviewDecision "
      "{} {} {} {} "
      "reviewRequests(first: 50) {{ nodes {{ requestedReviewer {{ __typename ... on User {{ login "
      "}} ... on Team {{ slug }} }} }} }} "
      "comments(last: 30) {{ nodes {{ author {{ login }} body createdAt url }} }} "
      "closingIssuesReferences(first: 10) {{ nodes {{ number }} }} "
      "timelineItems(last: 20, itemTypes: [CLOSED_EVENT, HEAD_REF_FORCE_PUSHED_EVENT]) {{ nodes {{ "
      "__typename ... on ClosedEvent {{ createdAt closer {{ __typename }} }} ... on "
      "HeadRefForcePushedEvent {{ createdAt }} }} }} "
      "commits(last: 1) {{ nodes {{ commit {{ oid committedDate {} }} }} }}",
      connection_text("labels", number, kFirst), connection_text("files", number, kFirst),
      connection_text("latestReviews", number, kFirst),
      connection_text("reviewThreads", number, kFirst), rollup(number, kFirst));
}

std::string repository_text(const Repository& repository) {
  return fmt::format("repository(owner: \"{}\", name: \"{}\")", repository.owner, repository.name);
}

constexpr std::string_view kSearch =
    R"(search(type: ISSUE, query: $query, first: 100, after: $after) {
    issueCount pageInfo { hasNextPage endCursor } nodes { __typename )";

}  // namespace

std::string search_query() {
  return fmt::format(
      "query Search($query: String!, $after: String) {{ viewer {{ login }} {} ... on PullRequest "
      "{{ number repository {{ nameWithOwner }} }} }} }} }}",
      kSearch);
}

std::string pull_requests_query(std::span<const PullRequestId> ids) {
  std::string text = "query PullRequests {";
  for (std::size_t i = 0; i < ids.size(); ++i)
    text += fmt::format(" p{}: {} {{ pullRequest(number: {}) {{ {} }} }}", i,
                        repository_text(ids[i].repository), ids[i].number, fields(ids[i].number));
  return text + " }";
}

std::string more_query(const PullRequestId& id, std::string_view connection) {
  constexpr std::string_view kArguments = "first: 100, after: $after";
  const std::string part =
      connection == "contexts"
          ? fmt::format("commits(last: 1) {{ nodes {{ commit {{ oid {} }} }} }}",
                        rollup(id.number, kArguments))
          : connection_text(connection, id.number, kArguments);
  return fmt::format("query More($after: String!) {{ {} {{ pullRequest(number: {}) {{ {} }} }} }}",
                     repository_text(id.repository), id.number, part);
}

std::string base_checks_query(const Repository& repository) {
  return fmt::format(
      "query BaseChecks($branch: String!) {{ {} {{ ref(qualifiedName: $branch) {{ target {{ ... on "
      "Commit {{ history(first: 5) {{ nodes {{ oid statusCheckRollup {{ contexts(first: 100) {{ "
      "nodes {{ __typename ... on StatusContext {{ context state }} ... on CheckRun {{ name status "
      "conclusion checkSuite {{ workflowRun {{ workflow {{ name }} }} }} }} }} }} }} }} }} }} }} "
      "}} }} }}",
      repository_text(repository));
}

std::string blame_query(const Repository& repository, std::span<const std::string> paths) {
  std::string text = fmt::format(
      "query Blame($expression: String!) {{ {} {{ object(expression: "
      "$expression) {{ ... on Commit {{",
      repository_text(repository));
  for (std::size_t i = 0; i < paths.size(); ++i)
    text += fmt::format(
        " b{}: blame(path: {}) {{ ranges {{ startingLine endingLine commit {{ author {{ user {{ "
        "login }} }} }} }} }}",
        i, Json(paths[i]).dump(-1, ' ', false, Json::error_handler_t::replace));
  return text + " } } } }";
}

std::string open_query() {
  return fmt::format(
      "query Open($query: String!, $after: String) {{ {} ... on PullRequest {{ number title url "
      "author {{ login }} repository {{ nameWithOwner }} labels(first: 20) {{ nodes {{ name }} }} "
      "files(first: 100) {{ nodes {{ path }} }} }} ... on Issue {{ number title url author {{ "
      "login }} repository {{ nameWithOwner }} labels(first: 20) {{ nodes {{ name }} }} }} }} }} "
      "}}",
      kSearch);
}

}  // namespace hipwright::github
