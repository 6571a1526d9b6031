// SPDX-License-Identifier: MIT
// GPUs as files: device nodes, the driver's topology, cards, processes.
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <map>

#include <fmt/format.h>

#include "ci/host/files.h"
#include "ci/host/probe.h"
#include "toolchain/probe.h"

namespace fs = std::filesystem;

namespace hipwright::ci {

namespace {

std::string group_name(gid_t gid) {
  const struct group* found = getgrgid(gid);
  return found == nullptr ? "" : found->gr_name;
}

DeviceNode probe_node(const fs::path& path, const std::string& shown) {
  DeviceNode node{.path = shown};
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) {
    node.error = errno_text(errno);
    return node;
  }
  node.exists = true;
  node.gid = status.st_gid;
  node.group = group_name(status.st_gid);
  node.mode = fmt::format("{:04o}", status.st_mode & 07777);
  const int file = open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) {
    node.error = errno_text(errno);
  } else {
    node.opens = true;
    close(file);
  }
  return node;
}

// location_id holds bus, device and function.
std::string pci_address(const std::string& properties) {
  const auto domain = to_number(value_in(properties, "domain").value_or(""));
  const auto location = to_number(value_in(properties, "location_id").value_or(""));
  if (!location) return {};
  return fmt::format("{:04x}:{:02x}:{:02x}.{}", domain.value_or(0), *location >> 8 & 0xff,
                     *location >> 3 & 0x1f, *location & 7);
}

void probe_topology(const fs::path& nodes, HostFacts& facts) {
  for (const fs::path& folder : entries(nodes)) {
    const std::string properties = trimmed_file(folder / "properties").value_or("");
    std::string gfx = toolchain::gpu_of_node(properties);
    const auto node = to_number(folder.filename().string());
    if (gfx.empty() || !node) continue;
    KfdGpu gpu{.node = static_cast<unsigned>(*node), .gfx = std::move(gfx)};
    gpu.pci = pci_address(properties);
    gpu.gpu_id = number_file(folder / "gpu_id").value_or(0);
    facts.kfd.push_back(std::move(gpu));
  }
}

// "ue: 0" in each ras/*_err_count.
std::optional<std::uint64_t> uncorrectable(const fs::path& device) {
  std::optional<std::uint64_t> sum;
  for (const fs::path& file : entries(device / "ras")) {
    if (!file.filename().string().ends_with("_err_count")) continue;
    const auto count = to_number(value_in(trimmed_file(file).value_or(""), "ue").value_or(""));
    if (count) sum = sum.value_or(0) + *count;
  }
  return sum;
}

void probe_cards(const fs::path& drm, HostFacts& facts) {
  for (const fs::path& folder : entries(drm)) {
    const std::string name = folder.filename().string();
    const fs::path device = folder / "device";
    if (!name.starts_with("card") || name.find('-') != std::string::npos ||
        trimmed_file(device / "vendor") != "0x1002")
      continue;
    Card card{.name = name};
    std::error_code error;
    card.pci = fs::canonical(device, error).filename().string();
    card.device = trimmed_file(device / "device").value_or("");
    card.vram_total = number_file(device / "mem_info_vram_total");
    card.vram_used = number_file(device / "mem_info_vram_used");
    card.uncorrectable_errors = uncorrectable(device);
    facts.cards.push_back(std::move(card));
  }
}

std::string user_of(const fs::path& process) {
  struct stat status {};
  if (stat(process.c_str(), &status) != 0) return {};
  const struct passwd* found = getpwuid(status.st_uid);
  return found == nullptr ? std::to_string(status.st_uid) : found->pw_name;
}

void probe_processes(const fs::path& root, HostFacts& facts) {
  const fs::path folder = root / "sys/class/kfd/kfd/proc";
  if (std::error_code error; !fs::is_directory(folder, error)) return;
  auto& processes = facts.processes.emplace();
  for (const fs::path& each : entries(folder)) {
    const auto pid = to_number(each.filename().string());
    if (!pid) continue;
    GpuProcess process{.pid = static_cast<unsigned>(*pid)};
    const fs::path proc = root / "proc" / each.filename();
    std::error_code error;
    process.is_alive = fs::exists(proc, error);
    process.name = trimmed_file(proc / "comm").value_or("");
    process.user = user_of(proc);
    for (const fs::path& file : entries(each))
      if (file.filename().string().starts_with("vram_"))
        process.vram += number_file(file).value_or(0);
    processes.push_back(std::move(process));
  }
}

}  // namespace

void probe_gpu_files(const fs::path& root, HostFacts& facts) {
  facts.nodes.push_back(probe_node(root / "dev/kfd", "/dev/kfd"));
  for (const fs::path& node : entries(root / "dev/dri"))
    if (const std::string name = node.filename().string(); name.starts_with("renderD"))
      facts.nodes.push_back(probe_node(node, "/dev/dri/" + name));
  std::error_code error;
  if (fs::is_directory(root / "sys/module", error))
    facts.driver_loaded = fs::is_directory(root / "sys/module/amdgpu", error);
  facts.driver_version = trimmed_file(root / "sys/module/amdgpu/version").value_or("");
  probe_topology(root / "sys/class/kfd/kfd/topology/nodes", facts);
  probe_cards(root / "sys/class/drm", facts);
  probe_processes(root, facts);
}

}  // namespace hipwright::ci
