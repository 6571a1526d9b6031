// SPDX-License-Identifier: MIT
// From GitHub's JSON to values.
#pragma once

#include <string>
#include <vector>

#include "base/json_fwd.h"
#include "github/blame.h"
#include "github/pull_request.h"

namespace hipwright::github {

// A connection with more pages, and where the next one begins.
struct NextPage {
  std::string connection, cursor;
};

// The node of a pull request (queries.h). `more` gets what the first page of each list left out.
Result<PullRequest> read_pull_request(const Json& node, const PullRequestId& id,
                                      std::vector<NextPage>& more);

// Adds a further page (more_query) to it; the cursor of the next one, or empty. An error, too: the
// page is of another commit than `pull_request`.
Result<std::string> read_more(const Json& node, const std::string& connection,
                              PullRequest& pull_request);

// Of check runs and statuses of other commits: the full names of those that failed.
Result<std::vector<std::vector<std::string>>> read_base_failures(const Json& data);

struct SearchPage {
  std::string viewer;
  std::vector<PullRequestId> ids;
  std::string cursor;  // of the next page; empty: this is the last
  std::uint64_t count = 0;
};
Result<SearchPage> read_search(const Json& data);

// An issue or pull request in a list.
struct Summary {
  PullRequestId id;
  bool is_pull_request = false;
  std::string title, url, author;
  std::vector<std::string> labels, files;  // of a pull request, up to 100 files
};
struct SummaryPage {
  std::vector<Summary> items;
  std::string cursor;
};
Result<SummaryPage> read_summaries(const Json& data);

Result<std::vector<BlameRange>> read_blame(const Json& data, const std::vector<std::string>& paths);

}  // namespace hipwright::github
