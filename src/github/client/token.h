// SPDX-License-Identifier: MIT
// The secret that GitHub knows the user by. It is sent in one header and never printed.
#pragma once

#include <string>
#include <string_view>

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

// GH_TOKEN or GITHUB_TOKEN (before them, for another host than github.com, GH_ENTERPRISE_TOKEN or
// GITHUB_ENTERPRISE_TOKEN), else what `gh auth token` prints; an empty token if all are unset.
// `host` is the API's. Fails if a variable contains blanks or control characters.
Result<Token> find_token(std::string_view host);

}  // namespace hipwright::github
