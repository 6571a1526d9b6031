// SPDX-License-Identifier: MIT
// The account that jobs run as: not root, and with the groups of the device nodes.
#include <algorithm>

#include <fmt/format.h>

#include "ci/check.h"

namespace hipwright::ci::checks {

namespace {

bool may_open(const DeviceNode& node, const Account& account) {
  if (account.uid == 0U) return true;
  const bool by_all = node.mode.size() >= 3 && (node.mode.back() - '0') >= 6;
  const bool by_group = node.mode.size() >= 3 && (node.mode[node.mode.size() - 2] - '0') >= 6;
  return by_all || (by_group && node.gid &&
                    std::ranges::find(account.groups, *node.gid) != account.groups.end());
}

void run(Checkup& c) {
  if (!c.facts.runner)
    return c.unknown("no GitHub Actions runner found on this machine",
                     "Name its directory: HIPWRIGHT_RUNNER_DIR=/path/to/actions-runner");
  const Account& account = c.facts.runner->account;
  if (account.name.empty())
    return c.unknown("the runner's service and its account were not found",
                     "sudo ./svc.sh install ACCOUNT in the runner's directory");
  if (account.uid == 0U || account.name == "root")
    c.warn("jobs run as root", "sudo ./svc.sh uninstall && sudo ./svc.sh install ACCOUNT");
  for (const DeviceNode& node : c.facts.nodes)
    if (node.exists && node.gid && !may_open(node, account))
      return c.fail(
          fmt::format("{} may not open {} (mode {}, gid {}{})", account.name, node.path, node.mode,
                      *node.gid, node.group.empty() ? "" : " " + node.group),
          fmt::format("sudo usermod -aG {} {}; sudo ./svc.sh stop && sudo ./svc.sh "
                      "start",
                      node.group.empty() ? std::to_string(*node.gid) : node.group, account.name));
  c.pass("jobs run as " + account.name);
}

}  // namespace

Check service_account() {
  return {.name = "service-account",
          .title = "Runner service account",
          .os = "linux",
          .run = run,
          .only_runners = true};
}

}  // namespace hipwright::ci::checks
