// SPDX-License-Identifier: MIT
#include "github/client/buildkite.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <ranges>
#include <vector>

#include <fmt/format.h>

#include "base/words.h"
#include "github/client/token.h"

namespace hipwright::github {

namespace {

// What may stand in an address without escaping.
bool is_plain(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
  });
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(trimmed(value));
}

}  // namespace

std::optional<BuildkiteJob> buildkite_job_of(std::string_view url) {
  constexpr std::string_view kSite = "https://buildkite.com/";
  if (!url.starts_with(kSite)) return std::nullopt;
  url.remove_prefix(kSite.size());
  const std::size_t hash = url.find('#');
  if (hash == std::string_view::npos) return std::nullopt;
  std::vector<std::string> parts;
  for (const auto part : std::views::split(url.substr(0, hash), '/'))
    parts.emplace_back(part.begin(), part.end());
  const std::string job(url.substr(hash + 1));
  if (parts.size() != 4 || parts[2] != "builds" || !std::ranges::all_of(parts, is_plain) ||
      !is_plain(job))
    return std::nullopt;
  return BuildkiteJob{parts[0], parts[1], parts[3], job};
}

Result<std::string> fetch_buildkite_log(const BuildkiteJob& job, const Transport& transport,
                                        std::chrono::milliseconds timeout) {
  const Token token(variable("BUILDKITE_API_TOKEN"), "BUILDKITE_API_TOKEN");
  if (token.is_empty())
    return fail("cannot read Buildkite's log", "", "BUILDKITE_API_TOKEN is not set",
                "See the link, or set it to a token with the scope read_build_logs.");
  std::string site = variable("BUILDKITE_API_URL");
  if (site.empty()) site = "https://api.buildkite.com";
  if (!is_private(site))
    return fail("unsafe API address", site, "the token would be sent unencrypted", "Use https.");
  const HttpRequest request{
      .url = fmt::format("{}/v2/organizations/{}/pipelines/{}/builds/{}/jobs/{}/log", site,
                         job.organization, job.pipeline, job.build, job.job),
      .headers = {"Accept: text/plain", token.header()},
      .timeout = timeout};
  HW_TRY(HttpResponse response, transport(request));
  if (response.status == 200) return std::move(response.body);
  return fail("cannot read Buildkite's log", host_of(request.url),
              fmt::format("HTTP {}", response.status),
              response.status == 401 ? "Replace BUILDKITE_API_TOKEN." : "See the link.");
}

}  // namespace hipwright::github
