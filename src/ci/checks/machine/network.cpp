// SPDX-License-Identifier: MIT
// Hosts that jobs download from.
#include <algorithm>

#include <fmt/format.h>

#include "ci/check.h"

namespace hipwright::ci::checks {

namespace {

void run(Checkup& c) {
  if (!c.facts.network)
    return c.unknown("no host was probed", "hipwright doctor --profile linux-runner (needs curl)");
  std::string reached;
  for (const std::string_view host : c.profile.hosts) {
    const auto at = std::ranges::find(*c.facts.network, host, &Reached::host);
    if (at == c.facts.network->end()) {
      c.unknown(fmt::format("{} was not probed", host), fmt::format("curl -sSI https://{}", host));
    } else if (at->reachable) {
      reached += (reached.empty() ? "" : ", ") + at->host;
    } else {
      c.fail(fmt::format("{} is not reachable over HTTPS: {}", host, at->error),
             "Open outbound port 443, or set HTTPS_PROXY for the runner's service");
    }
  }
  if (!reached.empty()) c.pass(reached);
}

}  // namespace

Check network() {
  return {.name = "network", .title = "Network hosts", .run = run, .only_runners = true};
}

}  // namespace hipwright::ci::checks
