// SPDX-License-Identifier: MIT
// Names of repositories and pull requests, as GitHub writes them.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace hipwright::github {

struct Repository {
  std::string owner, name;

  std::string text() const { return owner + "/" + name; }  // "vllm-project/vllm"
  friend auto operator<=>(const Repository&, const Repository&) = default;
};

// "OWNER/NAME", or an address such as https://github.com/OWNER/NAME.git.
Result<Repository> parse_repository(std::string_view text);

// Of a remote's address (https, ssh, git@host:owner/name.git); nothing for other texts.
std::optional<Repository> repository_of_remote(std::string_view url);

struct PullRequestId {
  Repository repository;
  unsigned number = 0;

  std::string text() const { return repository.text() + "#" + std::to_string(number); }
  friend auto operator<=>(const PullRequestId&, const PullRequestId&) = default;
};

}  // namespace hipwright::github
