// SPDX-License-Identifier: MIT
#include "ci/doctor/fleet.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/counted.h"
#include "base/json.h"
#include "base/table.h"

namespace hipwright::ci {

namespace {

const Profile& profile_for(const HostFacts& facts) {
  if (!facts.runner) return default_profile();
  return *find_profile(facts.os == "windows" ? "windows-runner" : "linux-runner");
}

std::string gpus_text(const HostFacts& facts) {
  std::map<std::string, unsigned> counts;
  for (const GpuSeen& gpu : gpus_of(facts)) ++counts[gpu.gfx];
  std::vector<std::string> words;
  for (const auto& [gfx, count] : counts) words.push_back(fmt::format("{} x {}", count, gfx));
  return words.empty() ? "none" : fmt::format("{}", fmt::join(words, ", "));
}

// The worst status of each check, with its evidence.
std::map<std::string_view, const CheckResult*> worst_by_check(const Examination& examination) {
  const auto rank = [](CheckStatus status) {
    return status == CheckStatus::kFail      ? 3
           : status == CheckStatus::kUnknown ? 2
           : status == CheckStatus::kWarn    ? 1
                                             : 0;
  };
  std::map<std::string_view, const CheckResult*> worst;
  for (const CheckResult& result : examination.results) {
    const CheckResult*& kept = worst[result.check];
    if (kept == nullptr || rank(result.status) > rank(kept->status)) kept = &result;
  }
  return worst;
}

void compare(FleetHost& host, const HostFacts& before, const Examination& old_results,
             const HostFacts& after, const Examination& new_results) {
  const auto changed = [&](const char* what, const std::string& from, const std::string& to) {
    if (from != to)
      host.changes.push_back(fmt::format("{}: {} {} -> {}", after.time, what,
                                         from.empty() ? "unknown" : from,
                                         to.empty() ? "unknown" : to));
  };
  changed("GPUs", gpus_text(before), gpus_text(after));
  changed("ROCm", before.rocm_version, after.rocm_version);
  changed("kernel", before.kernel, after.kernel);
  changed("driver", before.driver_version, after.driver_version);
  const auto old_worst = worst_by_check(old_results);
  for (const auto& [check, result] : worst_by_check(new_results)) {
    const auto at = old_worst.find(check);
    if (at == old_worst.end() || at->second->status == result->status) continue;
    host.changes.push_back(fmt::format("{}: {} {} -> {}: {}", after.time, check,
                                       to_string(at->second->status), to_string(result->status),
                                       result->evidence));
  }
}

Result<FleetHost> examine_host(std::vector<HostFacts> snapshots, const Profile* profile) {
  FleetHost host{.host = snapshots.back().host, .snapshots = snapshots.size()};
  host.profile = profile != nullptr ? profile : &profile_for(snapshots.back());
  Examination before;
  for (std::size_t i = 0; i < snapshots.size(); ++i) {
    HW_TRY(Examination now, examine(snapshots[i], *host.profile));
    if (i > 0) compare(host, snapshots[i - 1], before, snapshots[i], now);
    before = std::move(now);
  }
  host.facts = std::move(snapshots.back());
  // Results name the checks, which are static; the evidence is theirs.
  host.examination = std::move(before);
  return host;
}

}  // namespace

Result<std::vector<FleetHost>> examine_fleet(std::vector<HostFacts> facts, const Profile* profile) {
  // Times are ISO 8601 in UTC, which sorts as text.
  std::ranges::stable_sort(facts, {}, &HostFacts::time);
  std::map<std::string, std::vector<HostFacts>> by_host;
  for (HostFacts& each : facts) by_host[each.host].push_back(std::move(each));
  std::vector<FleetHost> fleet;
  for (auto& [name, snapshots] : by_host) {
    HW_TRY(fleet.emplace_back(), examine_host(std::move(snapshots), profile));
  }
  return fleet;
}

std::string fleet_text(const std::vector<FleetHost>& fleet, bool colour) {
  Table table(
      {"host", "profile", "seen", "GPUs", "ROCm", "state", ">failed", ">warnings", ">unknown"});
  std::string changes, failures;
  for (const FleetHost& host : fleet) {
    const auto count = [&](CheckStatus status) {
      return std::to_string(host.examination.count(status));
    };
    table.add({host.host, std::string(host.profile->name), host.facts.time, gpus_text(host.facts),
               host.facts.rocm_version, std::string(to_string(host.examination.worst())),
               count(CheckStatus::kFail), count(CheckStatus::kWarn), count(CheckStatus::kUnknown)});
    for (const CheckResult& result : host.examination.results)
      if (result.status == CheckStatus::kFail)
        failures += fmt::format("{}: {}: {}\n  fix: {}\n", host.host, result.check, result.evidence,
                                result.fix);
    for (const std::string& change : host.changes)
      changes += fmt::format("{}: {}\n", host.host, change);
  }
  std::string text = table.text(colour);
  if (!failures.empty()) text += "\nfailed:\n" + failures;
  if (!changes.empty()) text += "\nchanged:\n" + changes;
  return text;
}

Json fleet_json(const std::vector<FleetHost>& fleet) {
  Json all = Json::array();
  for (const FleetHost& host : fleet) {
    Json json = examination_json(host.examination, host.facts, *host.profile);
    json["gpus"] = gpus_text(host.facts);
    json["rocm_version"] = host.facts.rocm_version;
    json["snapshots"] = host.snapshots;
    json["changes"] = host.changes;
    all.push_back(std::move(json));
  }
  return {{"hosts", std::move(all)}};
}

}  // namespace hipwright::ci
