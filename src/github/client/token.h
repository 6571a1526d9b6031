// SPDX-License-Identifier: MIT
// The secret that GitHub knows the user by. It is sent in one header and never printed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace hipwright::github {

class Token {
 public:
  Token() = default;
  Token(std::string secret, std::string origin)
      : secret_(std::move(secret)), origin_(std::move(origin)) {}

  bool is_empty() const { return secret_.empty(); }
  // Where it came from: "GH_TOKEN", "gh auth token". For messages.
  const std::string& origin() const { return origin_; }

  // The only use: "Authorization: Bearer …".
  std::string header() const;
  // `text` without the token, should another program have repeated it.
  std::string redacted(std::string text) const;

 private:
  std::string secret_, origin_;
};

// The variables whose token may be sent to `api_url`, in the order in which they are read. GH_TOKEN
// and GITHUB_TOKEN are for github.com, *.ghe.com and the host of GITHUB_API_URL;
// GH_ENTERPRISE_TOKEN and GITHUB_ENTERPRISE_TOKEN for every host but github.com.
std::vector<const char*> token_variables(std::string_view api_url);

// The first of them that is set, else what `gh auth token` prints for the host; an empty token if
// there is neither. Fails if a variable contains blanks or control characters.
Result<Token> find_token(std::string_view api_url);

}  // namespace hipwright::github
