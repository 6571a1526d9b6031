// SPDX-License-Identifier: MIT
// The machine below the GPUs: system, memory, cgroup, disks, container.
#include <grp.h>
#include <pwd.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <thread>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "base/words.h"
#include "ci/host/files.h"
#include "ci/host/probe.h"

namespace fs = std::filesystem;

namespace hipwright::ci {

namespace {

constexpr const char* kVariables[] = {"HIPWRIGHT_HIP_ARCHES",
                                      "PYTORCH_ROCM_ARCH",
                                      "AMDGPU_TARGETS",
                                      "GPU_TARGETS",
                                      "HCC_AMDGPU_TARGET",
                                      "HSA_ENABLE_SDMA",
                                      "ROCM_PATH",
                                      "ROCM_HOME",
                                      "HIP_PATH",
                                      "HIP_VISIBLE_DEVICES",
                                      "ROCR_VISIBLE_DEVICES",
                                      "CUDA_VISIBLE_DEVICES",
                                      "GPU_DEVICE_ORDINAL",
                                      "LD_LIBRARY_PATH",
                                      "HIP_LAUNCH_BLOCKING",
                                      "AMD_SERIALIZE_KERNEL",
                                      "ROCM_EXTRA_LIB_DIRS",
                                      "ROCM_EXTRA_BIN_DIRS",
                                      "HIP_PLATFORM",
                                      "HIPWRIGHT_DEVICE",
                                      "MAX_JOBS"};

std::string unquoted(std::string text) {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
    return text.substr(1, text.size() - 2);
  return text;
}

std::uint64_t kib(const std::string& meminfo, const char* key) {
  return to_number(value_in(meminfo, key).value_or("")).value_or(0) * 1024;
}

void probe_memory(const fs::path& root, HostFacts& facts) {
  const auto meminfo = trimmed_file(root / "proc/meminfo");
  if (!meminfo) return;
  facts.memory_total = kib(*meminfo, "MemTotal");
  facts.memory_available = kib(*meminfo, "MemAvailable");
}

void probe_cgroup(const fs::path& root, HostFacts& facts) {
  const fs::path cgroup = root / "sys/fs/cgroup";
  facts.memory_limit = number_file(cgroup / "memory.max");  // "max": none
  if (!facts.memory_limit) {
    const auto old = number_file(cgroup / "memory/memory.limit_in_bytes");
    if (old && *old < (1ULL << 60)) facts.memory_limit = old;
  }
  const auto cpu = trimmed_file(cgroup / "cpu.max");  // "200000 100000"
  if (!cpu) return;
  const auto quota = to_number(*cpu);
  const std::size_t blank = cpu->find(' ');
  const auto period = blank == cpu->npos ? std::nullopt : to_number(cpu->substr(blank + 1));
  if (quota && period && *period > 0)
    facts.cpu_limit = static_cast<double>(*quota) / static_cast<double>(*period);
}

void probe_container(const fs::path& root, HostFacts& facts) {
  Container& container = facts.container;
  std::error_code error;
  const auto has = [&](const char* path) { return fs::exists(root / path, error); };
  const std::string groups = trimmed_file(root / "proc/1/cgroup").value_or("");
  if (has("run/secrets/kubernetes.io") || groups.find("kubepods") != groups.npos)
    container.kind = "kubernetes";
  else if (has(".dockerenv") || groups.find("docker") != groups.npos)
    container.kind = "docker";
  else if (has("run/.containerenv"))
    container.kind = "podman";
  container.inside = !container.kind.empty();
  struct statvfs shm {};
  if (statvfs((root / "dev/shm").c_str(), &shm) == 0)
    container.shm_bytes = std::uint64_t{shm.f_blocks} * shm.f_frsize;
}

void add_disk(const fs::path& path, HostFacts& facts) {
  struct statvfs disk {};
  if (path.empty() || statvfs(path.c_str(), &disk) != 0) return;
  const Disk found{path.string(), std::uint64_t{disk.f_blocks} * disk.f_frsize,
                   std::uint64_t{disk.f_bavail} * disk.f_frsize};
  for (const Disk& other : facts.disks)
    if (other.total == found.total && other.free == found.free) return;  // the same disk
  facts.disks.push_back(found);
}

Account this_account() {
  Account account;
  account.uid = geteuid();
  if (const struct passwd* user = getpwuid(geteuid())) {
    account.name = user->pw_name;
    account.home = user->pw_dir;
  }
  gid_t groups[256];
  const int count = getgroups(256, groups);
  for (int i = 0; i < count; ++i) account.groups.push_back(groups[i]);
  return account;
}

}  // namespace

void probe_machine_files(const fs::path& root, HostFacts& facts) {
  facts.os = "linux";
  facts.time = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  struct utsname name {};
  if (uname(&name) == 0) {
    facts.host = name.nodename;
    facts.kernel = name.release;
    facts.machine = name.machine;
  }
  const std::string release = trimmed_file(root / "etc/os-release").value_or("");
  facts.os_name = unquoted(value_in(release, "PRETTY_NAME").value_or(""));
  facts.account = this_account();
  if (const unsigned cpus = std::thread::hardware_concurrency()) facts.cpus = cpus;
  for (const char* variable : kVariables)
    if (const char* value = std::getenv(variable)) facts.environment[variable] = value;
  for (char** each = environ; *each != nullptr; ++each)
    if (const std::string_view text = *each; text.starts_with("HSA_OVERRIDE_GFX_VERSION"))
      facts.environment[std::string(text.substr(0, text.find('=')))] =
          text.substr(std::min(text.find('='), text.size() - 1) + 1);
  probe_memory(root, facts);
  probe_cgroup(root, facts);
  probe_container(root, facts);
  add_disk(root, facts);
  add_disk(facts.account.home, facts);
  if (const auto on = number_file(root / "proc/sys/kernel/numa_balancing"))
    facts.numa_balancing = *on != 0;
  unsigned nodes = 0;
  for (const fs::path& node : entries(root / "sys/devices/system/node"))
    nodes += node.filename().string().starts_with("node");
  if (nodes > 0) facts.numa_nodes = nodes;
  facts.kernel_command_line = trimmed_file(root / "proc/cmdline").value_or("");
  if (std::error_code error; fs::is_directory(root / "sys/kernel/iommu_groups", error))
    facts.iommu = !entries(root / "sys/kernel/iommu_groups").empty();
}

}  // namespace hipwright::ci
