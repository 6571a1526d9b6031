// SPDX-License-Identifier: MIT
#include "github/client/token.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <vector>

#include "base/process.h"
#include "base/words.h"

using namespace std::chrono_literals;

namespace hipwright::github {

namespace {

bool is_token(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > ' ' && c < 0x7f; });
}

// "github.com" of "api.github.com"; of others, the host without its port.
std::string web_host(std::string_view host) {
  host = host.substr(0, host.find(':'));
  if (host.starts_with("api.")) host.remove_prefix(4);
  return std::string(host);
}

}  // namespace

std::string Token::header() const {
  return "Authorization: Bearer " + secret_;
}

std::string Token::redacted(std::string text) const {
  if (secret_.empty()) return text;
  for (std::size_t at = text.find(secret_); at != std::string::npos; at = text.find(secret_, at))
    text.replace(at, secret_.size(), "***");
  return text;
}

Result<Token> find_token(std::string_view host) {
  const std::string web = web_host(host);
  std::vector<const char*> names;
  if (web != "github.com") names = {"GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"};
  names.insert(names.end(), {"GH_TOKEN", "GITHUB_TOKEN"});
  for (const char* name : names) {
    const char* value = std::getenv(name);
    const std::string_view secret = value == nullptr ? "" : trimmed(value);
    if (secret.empty()) continue;
    if (!is_token(secret))
      return fail("cannot use the token", name, "it holds blanks or special characters",
                  "Set it to the token alone.");
    return Token(std::string(secret), name);
  }
  if (!find_program("gh")) return Token();
  const auto asked = run({.argv = {"gh", "auth", "token", "--hostname", web}, .timeout = 10s});
  if (!asked || !asked->ok()) return Token();
  const std::string_view secret = trimmed(asked->out);
  if (secret.empty() || !is_token(secret)) return Token();
  return Token(std::string(secret), "gh auth token");
}

}  // namespace hipwright::github
