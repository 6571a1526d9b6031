// SPDX-License-Identifier: MIT
#include "ci/check.h"

#include <algorithm>

#include <fmt/format.h>

#include "ci/check_list.h"
#include "toolchain/rocminfo.h"

namespace hipwright::ci {

std::string_view to_string(CheckStatus status) {
  switch (status) {
    case CheckStatus::kPass:
      return "pass";
    case CheckStatus::kWarn:
      return "warn";
    case CheckStatus::kFail:
      return "fail";
    case CheckStatus::kUnknown:
      return "unknown";
  }
  bug("check status out of range", __FILE__, __LINE__);
}

std::span<const Profile> profiles() {
  static const Profile kProfiles[] = {
      {.name = "developer", .summary = "A developer's machine"},
      {.name = "linux-runner",
       .summary = "A self-hosted Linux runner with an AMD GPU",
       .os = "linux",
       .memory_gib = 64,
       .disk_gib = 200,
       .is_runner = true,
       .hosts = {"github.com", "api.github.com", "pypi.org", "files.pythonhosted.org",
                 "repo.radeon.com", "download.pytorch.org"}},
      {.name = "windows-runner",
       .summary = "A self-hosted Windows runner with an AMD GPU",
       .os = "windows",
       .memory_gib = 32,
       .disk_gib = 200,
       .is_runner = true,
       .hosts = {"github.com", "api.github.com", "pypi.org", "files.pythonhosted.org",
                 "download.pytorch.org", "download.microsoft.com"}}};
  return kProfiles;
}

const Profile* find_profile(std::string_view name) {
  const auto all = profiles();
  const auto at = std::ranges::find(all, name, &Profile::name);
  return at == all.end() ? nullptr : &*at;
}

const Profile& default_profile() {
  return profiles().front();
}

const std::vector<Check>& all_checks() {
  static const std::vector<Check> all = [] {
    std::vector<Check> made;
    for (unsigned i = 0; i < kCheckEntryCount; ++i) made.push_back(kCheckEntries[i].make());
    return made;
  }();
  return all;
}

std::vector<GpuSeen> gpus_of(const HostFacts& facts) {
  std::vector<GpuSeen> gpus;
  const toolchain::Rocminfo rocminfo = toolchain::read_rocminfo(facts.rocminfo.out);
  const auto is_apu = [&](std::string_view gfx) {
    return std::ranges::any_of(rocminfo.gpus, [&](const toolchain::GpuAgent& agent) {
      return agent.is_apu && agent.name == gfx;
    });
  };
  for (const KfdGpu& gpu : facts.kfd) gpus.push_back({gpu.gfx, is_apu(gpu.gfx)});
  if (gpus.empty())
    for (const toolchain::GpuAgent& agent : rocminfo.gpus)
      gpus.push_back({agent.name, agent.is_apu});
  if (gpus.empty() && facts.runtime)
    for (const std::string& name : *facts.runtime)
      gpus.push_back({name.substr(0, name.find(':')), is_apu(name)});
  return gpus;
}

std::string_view variable(const HostFacts& facts, const std::string& name) {
  const auto at = facts.environment.find(name);
  return at == facts.environment.end() ? std::string_view() : std::string_view(at->second);
}

std::vector<unsigned> version_numbers(std::string_view version) {
  std::vector<unsigned> numbers;
  while (!version.empty() && version.front() >= '0' && version.front() <= '9') {
    unsigned number = 0;
    std::size_t i = 0;
    for (; i < version.size() && version[i] >= '0' && version[i] <= '9'; ++i)
      number = std::min(100'000'000U, number) * 10 + static_cast<unsigned>(version[i] - '0');
    numbers.push_back(number);
    version.remove_prefix(i);
    if (version.starts_with('.')) version.remove_prefix(1);
  }
  return numbers;
}

std::string gib(std::uint64_t bytes) {
  return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / (1ULL << 30));
}

}  // namespace hipwright::ci
