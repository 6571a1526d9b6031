// SPDX-License-Identifier: MIT
// The GitHub Actions runner of this machine: its settings, service and account.
#include <grp.h>
#include <pwd.h>

#include <cstdlib>

#include "base/json.h"
#include "base/words.h"
#include "ci/host/files.h"
#include "ci/host/probe.h"

namespace fs = std::filesystem;

namespace hipwright::ci {

namespace {

// The systemd unit that `svc.sh install` writes.
struct Service {
  fs::path directory;
  std::string user;
};

std::optional<Service> find_service(const fs::path& root) {
  for (const fs::path& unit : entries(root / "etc/systemd/system")) {
    if (!unit.filename().string().starts_with("actions.runner.")) continue;
    const std::string text = trimmed_file(unit).value_or("");
    return Service{fs::path(value_in(text, "ExecStart").value_or("")).parent_path(),
                   value_in(text, "User").value_or("root")};
  }
  return std::nullopt;
}

Account account_named(const std::string& name) {
  Account account{.name = name};
  const struct passwd* user = getpwnam(name.c_str());
  if (user == nullptr) return account;
  account.uid = user->pw_uid;
  account.home = user->pw_dir;
  gid_t groups[256];
  int count = 256;
  if (getgrouplist(name.c_str(), user->pw_gid, groups, &count) >= 0)
    account.groups.assign(groups, groups + count);
  return account;
}

std::vector<fs::path> candidates(const fs::path& root, const HostFacts& facts) {
  std::vector<fs::path> all;
  if (const char* chosen = std::getenv("HIPWRIGHT_RUNNER_DIR")) all.emplace_back(chosen);
  if (const char* workspace = std::getenv("RUNNER_WORKSPACE"))
    all.push_back(fs::path(workspace).parent_path().parent_path());  // <runner>/_work/<repository>
  for (const char* usual : {"actions-runner", "opt/actions-runner", "home/runner/actions-runner"})
    all.push_back(root / usual);
  if (!facts.account.home.empty()) all.push_back(fs::path(facts.account.home) / "actions-runner");
  return all;
}

void read_settings(Runner& runner) {
  const fs::path directory = runner.directory;
  if (const auto text = trimmed_file(directory / ".runner")) {
    // The runner writes a byte order mark.
    std::string_view json_part = *text;
    if (json_part.starts_with("\xEF\xBB\xBF")) json_part.remove_prefix(3);
    const auto settings = parse_json(json_part, ".runner");
    if (settings && settings->is_object()) {
      const auto ephemeral = settings->find("ephemeral");
      runner.ephemeral =
          ephemeral != settings->end() && (*ephemeral == true || *ephemeral == "True");
      const auto url = settings->find("gitHubUrl");
      if (url != settings->end() && url->is_string()) runner.url = url->get<std::string>();
    }
  }
  const std::string environment = trimmed_file(directory / ".env").value_or("");
  runner.has_job_started_hook =
      value_in(environment, "ACTIONS_RUNNER_HOOK_JOB_STARTED").has_value();
  runner.has_job_completed_hook =
      value_in(environment, "ACTIONS_RUNNER_HOOK_JOB_COMPLETED").has_value();
}

}  // namespace

void probe_runner_files(const fs::path& root, HostFacts& facts) {
  Runner runner;
  std::error_code error;
  const auto service = find_service(root);
  if (service) {
    runner.directory = service->directory.string();
    runner.account = account_named(service->user);
  }
  for (const fs::path& directory : candidates(root, facts))
    if (runner.directory.empty() &&
        (fs::exists(directory / ".runner", error) || fs::exists(directory / "config.sh", error)))
      runner.directory = directory.string();
  if (runner.directory.empty()) return;
  read_settings(runner);
  facts.runner = std::move(runner);
}

}  // namespace hipwright::ci
