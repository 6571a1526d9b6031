// SPDX-License-Identifier: MIT
#include <charconv>
#include <filesystem>
#include <fstream>
#include <limits>

#include "device/cpu/device.h"

namespace hipwright::device::cpu {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

std::optional<std::uint64_t> number(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return std::nullopt;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data() + begin, text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> number_in(const fs::path& file) {
  std::string line;
  std::ifstream stream(file);
  if (!std::getline(stream, line)) return std::nullopt;
  return number(line);  // none for "max"
}

// The value of the first line "key : value".
std::string field(const fs::path& file, std::string_view key) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with(key)) continue;
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::size_t value = line.find_first_not_of(" \t", colon + 1);
    return value == std::string::npos ? std::string() : line.substr(value);
  }
  return {};
}

// The group's page cache, which the system reclaims when needed.
std::uint64_t reclaimable(const fs::path& group) {
  std::uint64_t bytes = 0;
  std::ifstream stream(group / "memory.stat");
  std::uint64_t value = 0;
  for (std::string key; stream >> key >> value;)
    if (key == "active_file" || key == "inactive_file") bytes += value;
  return bytes;
}

// Narrows `info` to what the control group allows, and the groups around it.
void apply_limits(const fs::path& group, const fs::path& top, const char* limit_file,
                  const char* usage_file, MemoryInfo& info) {
  for (fs::path folder = group;; folder = folder.parent_path()) {
    const auto limit = number_in(folder / limit_file);
    if (limit && *limit < kNoLimit) {
      info.total_bytes = std::min(info.total_bytes, *limit);
      std::uint64_t used = number_in(folder / usage_file).value_or(0);
      used -= std::min(used, reclaimable(folder));
      info.free_bytes = std::min(info.free_bytes, *limit - std::min(*limit, used));
    }
    if (folder == top || folder == folder.parent_path()) return;
  }
}

}  // namespace

MemoryInfo machine_memory(const std::string& root) {
  const fs::path proc = root + "/proc";
  const fs::path groups = root + "/sys/fs/cgroup";
  const auto kib = [&](const char* key) {
    return number(field(proc / "meminfo", key)).value_or(0) * 1024;
  };
  MemoryInfo info{.free_bytes = kib("MemAvailable:"), .total_bytes = kib("MemTotal:")};

  std::ifstream stream(proc / "self" / "cgroup");
  for (std::string line; std::getline(stream, line);) {
    // "0::/group" of version 2, "4:memory:/group" of version 1.
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first == std::string::npos ? first : first + 1);
    if (second == std::string::npos) continue;
    const std::string kind = line.substr(first + 1, second - first - 1);
    const fs::path group = fs::path(line.substr(second + 1)).relative_path();
    if (kind.empty())
      apply_limits(groups / group, groups, "memory.max", "memory.current", info);
    else if (kind == "memory")
      apply_limits(groups / "memory" / group, groups / "memory", "memory.limit_in_bytes",
                   "memory.usage_in_bytes", info);
  }
  return info;
}

Properties machine_properties() {
  Properties properties{.kind = Kind::kCpu, .id = "cpu", .runtime = "host threads"};
  properties.name = field("/proc/cpuinfo", "model name");
  if (properties.name.empty()) properties.name = "CPU";
  properties.memory_bytes = machine_memory().total_bytes;
  properties.compute_units = static_cast<unsigned>(usable_threads());
  properties.wave_size = 1;
  properties.max_threads_per_block = kMaxThreadsPerBlock;
  properties.shared_bytes_per_block = kSharedBytesPerBlock;
  if (const auto khz = number_in("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq"))
    properties.clock_mhz = static_cast<double>(*khz) / 1e3;
  else if (const std::string mhz = field("/proc/cpuinfo", "cpu MHz"); !mhz.empty())
    std::from_chars(mhz.data(), mhz.data() + mhz.size(), properties.clock_mhz);
  return properties;
}

}  // namespace hipwright::device::cpu
