// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cctype>
#include <cstdlib>

#include <fmt/format.h>

#include "github/client/client.h"

namespace hipwright::github {

namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : value;
}

Status check(const std::string& url) {
  const std::string host = host_of(url);
  const bool is_plain = url.starts_with("http://");
  const bool is_host = !host.empty() && std::ranges::all_of(host, [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view("-_.:[]").contains(static_cast<char>(c));
  });
  if ((!is_plain && !url.starts_with("https://")) || !is_host || url.find('@') != std::string::npos)
    return fail("invalid API address", url.find('@') == std::string::npos ? url : "",
                "expected https://HOST/PATH", "For example: https://github.example.com/api/v3");
  if (!is_private(url))
    return fail("unsafe API address", url, "the token would be sent unencrypted", "Use https.");
  return {};
}

// GitHub Enterprise: https://HOST/api/v3 and https://HOST/api/graphql.
std::string graphql_of(const std::string& rest) {
  constexpr std::string_view kVersion = "/v3";
  if (rest.ends_with("/api/v3")) return rest.substr(0, rest.size() - kVersion.size()) + "/graphql";
  return rest + "/graphql";
}

}  // namespace

Result<Endpoints> find_endpoints(std::string api_url, std::string graphql_url) {
  Endpoints found;
  if (graphql_url.empty() && api_url.empty()) graphql_url = variable("GITHUB_GRAPHQL_URL");
  if (api_url.empty()) api_url = variable("GITHUB_API_URL");
  while (api_url.ends_with('/')) api_url.pop_back();
  if (!api_url.empty()) found.rest = api_url;
  found.graphql = graphql_url.empty() ? graphql_of(found.rest) : graphql_url;
  HW_CHECK(check(found.rest));
  HW_CHECK(check(found.graphql));
  if (host_of(found.graphql) != host_of(found.rest))
    return fail("cannot use two hosts", found.graphql,
                fmt::format("the token is for {}", host_of(found.rest)),
                "Give --api-url and --graphql-url, or GITHUB_API_URL and GITHUB_GRAPHQL_URL, the "
                "same host.");
  return found;
}

}  // namespace hipwright::github
