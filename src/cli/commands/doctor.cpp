// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>

#include "base/file.h"
#include "base/json.h"
#include "ci/doctor/doctor.h"
#include "ci/doctor/fleet.h"
#include "ci/host/probe.h"
#include "cli/command.h"
#include "cli/verify.h"

namespace hipwright::cli {

namespace {

struct Options {
  std::string profile;
  std::filesystem::path facts, write_facts, hooks;
  std::vector<std::filesystem::path> fleet;
  bool json = false, torch = false, no_network = false;
};

int code_for(ci::CheckStatus worst) {
  return worst == ci::CheckStatus::kFail      ? kFindings
         : worst == ci::CheckStatus::kUnknown ? kNotChecked
                                              : kOk;
}

Result<const ci::Profile*> profile_named(const std::string& name) {
  if (const ci::Profile* profile = ci::find_profile(name)) return profile;
  return fail("unknown profile", name, "", "Use developer, linux-runner or windows-runner.");
}

Result<ci::HostFacts> load(const std::filesystem::path& path) {
  HW_TRY(const std::string text, read_input(path));
  return ci::read_facts(text, path.string());
}

ci::HostFacts probe(const Options& options, const ci::Profile& profile) {
  ci::ProbeRequest request{.hipwright = own_program(), .torch = options.torch || profile.is_runner};
  if (!options.no_network) request.hosts.assign(profile.hosts.begin(), profile.hosts.end());
  return ci::probe_host(request);
}

int examine(const Options& options) {
  const auto profile = profile_named(options.profile.empty() ? "developer" : options.profile);
  if (!profile) return report(profile.error());
  if (!options.write_facts.empty())
    if (const Status writable = can_write(options.write_facts); !writable)
      return report(writable.error());
  const auto facts = options.facts.empty() ? Result<ci::HostFacts>(probe(options, **profile))
                                           : load(options.facts);
  if (!facts) return report(facts.error());
  if (!options.write_facts.empty()) {
    const Status written =
        write_file_atomic(options.write_facts, json_text(ci::facts_json(*facts)));
    if (!written) return report(written.error());
    note("wrote the facts to " + options.write_facts.string());
  }
  const auto found = ci::examine(*facts, **profile);
  if (!found) return report(found.error());
  print(options.json ? json_text(ci::examination_json(*found, *facts, **profile))
                     : ci::examination_text(*found, *facts, **profile, globals().colour_out));
  return code_for(found->worst());
}

Result<std::vector<ci::HostFacts>> load_all(const std::vector<std::filesystem::path>& paths) {
  std::vector<ci::HostFacts> all;
  for (const std::filesystem::path& path : paths) {
    std::vector<std::filesystem::path> files = {path};
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
      files.clear();
      for (const auto& entry : std::filesystem::recursive_directory_iterator(path, error))
        if (entry.path().extension() == ".json") files.push_back(entry.path());
      std::ranges::sort(files);
    }
    for (const auto& file : files) {
      HW_TRY(all.emplace_back(), load(file));
    }
  }
  return all;
}

int fleet(const Options& options) {
  const ci::Profile* profile = nullptr;
  if (!options.profile.empty()) {
    const auto named = profile_named(options.profile);
    if (!named) return report(named.error());
    profile = *named;
  }
  auto facts = load_all(options.fleet);
  if (!facts) return report(facts.error());
  if (facts->empty())
    return report({"no facts found in", options.fleet.front().string(), "",
                   "Save them on each host with: hipwright doctor --write-facts FILE"});
  const auto hosts = ci::examine_fleet(*std::move(facts), profile);
  if (!hosts) return report(hosts.error());
  print(options.json ? json_text(ci::fleet_json(*hosts))
                     : ci::fleet_text(*hosts, globals().colour_out));
  int code = kOk;
  for (const ci::FleetHost& host : *hosts) {
    const int own = code_for(host.examination.worst());
    if (code == kOk || own == kFindings) code = own;
  }
  return code;
}

int write_hooks(const Options& options) {
  for (const ci::Hook& hook : ci::job_hooks()) {
    const auto path = options.hooks / hook.name;
    if (const Status written = write_file_atomic(path, hook.content, 0777); !written)
      return report(written.error());
    note("wrote " + path.string());
  }
  const auto directory = std::filesystem::absolute(options.hooks).lexically_normal();
  print("Add to the runner's .env, then restart its service:\n");
  print("ACTIONS_RUNNER_HOOK_JOB_STARTED=" + (directory / "job-started.sh").string() + "\n");
  print("ACTIONS_RUNNER_HOOK_JOB_COMPLETED=" + (directory / "job-completed.sh").string() + "\n");
  return kOk;
}

const Command::Registration kCommand({
    .name = "doctor",
    .summary = "Check this machine, or saved facts about one, for ROCm and CI",
    .define = [](App app) -> std::function<int()> {
      auto options = std::make_shared<Options>();
      Options& o = *options;
      app.add_option("--profile", o.profile,
                     "What the machine is for: developer, linux-runner or windows-runner")
          .type_name("PROFILE");
      app.add_option("--facts", o.facts, "Check saved facts instead of this machine")
          .type_name("FILE");
      app.add_option("--write-facts", o.write_facts, "Save the facts about this machine")
          .type_name("FILE");
      app.add_flag("--json", o.json, "Print JSON");
      app.add_flag("--torch", o.torch,
                   "Also start Python to ask PyTorch; runner profiles always do");
      app.add_flag("--no-network", o.no_network, "Do not try to reach hosts");
      App hosts = app.add_subcommand("fleet", "Check the saved facts of many machines");
      hosts.add_option("FACTS", o.fleet, "Files, and directories of them").required();
      hosts.add_option("--profile", o.profile, "Check all as this").type_name("PROFILE");
      hosts.add_flag("--json", o.json, "Print JSON");
      App checks = app.add_subcommand("checks", "List all checks");
      App probe = app.add_subcommand("probe", "Print the PowerShell script that probes Windows");
      App hooks = app.add_subcommand("hooks", "Write scripts to run before and after each job");
      hooks.add_option("DIRECTORY", o.hooks, "Where to write them").required();
      return [options, hosts, checks, probe, hooks] {
        if (hosts.parsed()) return fleet(*options);
        if (hooks.parsed()) return write_hooks(*options);
        if (checks.parsed()) print(ci::checks_text(globals().colour_out));
        if (probe.parsed()) print(ci::windows_probe_script());
        return checks.parsed() || probe.parsed() ? kOk : examine(*options);
      };
    },
});

}  // namespace

}  // namespace hipwright::cli
