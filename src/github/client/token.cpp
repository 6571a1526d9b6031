// SPDX-License-Identifier: MIT
#include "github/client/token.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <vector>

#include "base/process.h"
#include "base/words.h"
#include "github/http/http.h"

using namespace std::chrono_literals;

namespace hipwright::github {

namespace {

bool is_token(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > ' ' && c < 0x7f; });
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(trimmed(value));
}

// Host names have no case, and an address may have a user's name and a port.
std::string lower_host(std::string_view url) {
  std::string host = host_of(url);
  std::ranges::transform(host, host.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return host;
}

// "github.com" of "api.github.com"; of others, the host without its port.
std::string web_host(std::string_view host) {
  host = host.substr(0, host.rfind(':'));
  if (host.starts_with("api.")) host.remove_prefix(4);
  return std::string(host);
}

// Hosts that GH_TOKEN and GITHUB_TOKEN are for: GitHub's own, and the one that the same environment
// names, as in Actions on GitHub Enterprise.
bool is_githubs(std::string_view host) {
  const std::string web = web_host(host);
  return web == "github.com" || web.ends_with(".ghe.com") ||
         (!host.empty() && host == lower_host(variable("GITHUB_API_URL")));
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

std::vector<const char*> token_variables(std::string_view api_url) {
  const std::string host = lower_host(api_url);
  std::vector<const char*> names;
  if (web_host(host) != "github.com") names = {"GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN"};
  if (is_githubs(host)) names.insert(names.end(), {"GH_TOKEN", "GITHUB_TOKEN"});
  return names;
}

Result<Token> find_token(std::string_view api_url) {
  for (const char* name : token_variables(api_url)) {
    const std::string secret = variable(name);
    if (secret.empty()) continue;
    if (!is_token(secret))
      return fail("cannot use the token", name, "it holds blanks or special characters",
                  "Set it to the token alone.");
    return Token(secret, name);
  }
  if (!find_program("gh")) return Token();
  const auto asked =
      run({.argv = {"gh", "auth", "token", "--hostname", web_host(lower_host(api_url))},
           .timeout = 10s});
  if (!asked || !asked->ok()) return Token();
  const std::string_view secret = trimmed(asked->out);
  if (secret.empty() || !is_token(secret)) return Token();
  return Token(std::string(secret), "gh auth token");
}

}  // namespace hipwright::github
