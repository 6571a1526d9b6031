// SPDX-License-Identifier: MIT
// Asks GitHub for the values that everything else is decided from.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "github/client/client.h"
#include "github/fetch/read.h"
#include "github/pull_request.h"
#include "github/requirements.h"

namespace hipwright::github {

// Pull requests of one GraphQL request.
constexpr std::size_t kBatch = 25;

struct Found {
  std::string viewer;  // who asks
  std::vector<PullRequestId> ids;
  bool is_cut = false;  // GitHub shows the first 1,000 results of a search only
};
// `query` as in GitHub's search field: "is:open author:@me repo:a/b".
Result<Found> find_pull_requests(Client& client, const std::string& query);

// The account behind the token.
Result<std::string> fetch_viewer(Client& client);

// In the order of `ids`, each complete: all pages, and asked again while GitHub computes whether it
// can be merged.
Result<std::vector<PullRequest>> fetch_pull_requests(
    Client& client, const std::vector<PullRequestId>& ids,
    const std::function<void(std::size_t)>& advance = nullptr);
Result<PullRequest> fetch_pull_request(Client& client, const PullRequestId& id);

Result<Requirements> fetch_requirements(Client& client, const Repository& repository,
                                        const std::string& branch);

// The content of a file in the repository, or nullopt if the file does not exist.
Result<std::optional<std::string>> fetch_file(Client& client, const Repository& repository,
                                              const std::string& path, const std::string& ref);

// Of the last commits of a branch, the names of the checks that failed.
Result<std::vector<std::vector<std::string>>> fetch_base_failures(Client& client,
                                                                  const Repository& repository,
                                                                  const std::string& branch);

// The log of a job of GitHub Actions; nothing if it is gone or the token may not read it.
Result<std::optional<std::string>> fetch_job_log(Client& client, const Repository& repository,
                                                 std::uint64_t job);

Result<std::string> fetch_diff(Client& client, const PullRequestId& id);

// All pages, up to `most` items.
Result<std::vector<Summary>> fetch_summaries(Client& client, const std::string& query,
                                             std::size_t most);

Result<std::vector<BlameRange>> fetch_blame(Client& client, const Repository& repository,
                                            const std::string& ref,
                                            const std::vector<std::string>& paths);

}  // namespace hipwright::github
