// SPDX-License-Identifier: MIT
// The GraphQL queries, as text.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "github/repository.h"

namespace hipwright::github {

// Variables: $query, $after.
std::string search_query();

// Several pull requests by aliases p0, p1, …; no variables. Names are checked (repository.h), and
// numbers are numbers, so that they can stand in the text: a check says whether it is required only
// for a number that does.
std::string pull_requests_query(std::span<const PullRequestId> ids);

// One more page of a connection of a pull request: "files", "reviewThreads", "latestReviews",
// "labels" or "contexts". Variables: $after.
std::string more_query(const PullRequestId& id, std::string_view connection);

// The checks of the last commits of a branch. Variables: $branch.
std::string base_checks_query(const Repository& repository);

// Who wrote the lines of files. Variables: $expression ("main").
std::string blame_query(const Repository& repository, std::span<const std::string> paths);

// Open pull requests with their files, to find duplicates. Variables: $query, $after.
std::string open_query();

}  // namespace hipwright::github
