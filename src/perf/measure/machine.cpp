// SPDX-License-Identifier: MIT
#include "perf/measure/machine.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "base/file.h"
#include "base/words.h"
#include "toolchain/probe.h"

namespace hipwright::perf {

namespace {

namespace fs = std::filesystem;

constexpr const char* kUnknown = "unknown";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// The first line of a small file of the system.
std::string line_of(const fs::path& file) {
  const auto text = read_file(file);
  if (!text) return {};
  return std::string(trimmed(text->substr(0, text->find('\n'))));
}

std::string or_unknown(std::string text) {
  return text.empty() ? kUnknown : text;
}

// The value behind "NAME : " in a file such as /proc/cpuinfo.
std::string value_of(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    if (at != 0 && text[at - 1] != '\n') continue;
    const std::string_view line = text.substr(at, text.find('\n', at) - at);
    if (const std::size_t colon = line.find(':'); colon != std::string_view::npos)
      return std::string(trimmed(line.substr(colon + 1)));
  }
  return {};
}

void add_host(Machine& machine, const fs::path& root) {
  const auto cpus = read_file(root / "proc/cpuinfo");
  machine["host_cpu"] = or_unknown(cpus ? value_of(*cpus, "model name") : "");
  const auto status = read_file(root / "proc/self/status");
  std::string allowed = or_unknown(status ? value_of(*status, "Cpus_allowed_list") : "");
  if (const std::string quota = line_of(root / "sys/fs/cgroup/cpu.max");
      !quota.empty() && !quota.starts_with("max"))
    allowed += fmt::format(", quota {}", quota);
  machine["host_cpus"] = allowed;
  const fs::path frequency = root / "sys/devices/system/cpu/cpu0/cpufreq";
  std::string clocks = line_of(frequency / "cpuinfo_max_freq");
  if (!clocks.empty()) clocks += " kHz, " + line_of(frequency / "scaling_governor");
  if (line_of(root / "sys/devices/system/cpu/intel_pstate/no_turbo") == "1" ||
      line_of(root / "sys/devices/system/cpu/cpufreq/boost") == "0")
    clocks += ", no turbo";
  machine["host_clocks"] = or_unknown(clocks);
  machine["os_kernel"] =
      or_unknown(std::string(trimmed(line_of(root / "proc/sys/kernel/osrelease") + " " +
                                     line_of(root / "proc/sys/kernel/version"))));
}

// Docker does not tell a container its digest; Podman does.
std::string container(const fs::path& root) {
  if (const char* given = std::getenv("HIPWRIGHT_CONTAINER_DIGEST"); given && *given) return given;
  std::error_code ignored;
  if (const auto podman = read_file(root / "run/.containerenv")) {
    const std::string id =
        toolchain::following(*podman, "imageid=\"", [](char c) { return c != '"' && c != '\n'; });
    return id.empty() ? "podman, digest unknown" : id;
  }
  return fs::exists(root / ".dockerenv", ignored) ? "docker, digest unknown" : "none";
}

std::string gpu_text(const fs::path& root, const std::string& gfx, std::string_view properties) {
  const auto number = [&](std::string_view name) -> unsigned long {
    const std::string digits = toolchain::following(properties, name, is_digit);
    return digits.empty() || digits.size() > 9 ? 0 : std::stoul(digits);
  };
  const unsigned long simds = number("\nsimd_count "), per_cu = number("\nsimd_per_cu ");
  std::string text = gfx;
  if (simds != 0 && per_cu != 0) text += fmt::format(", {} CUs", simds / per_cu);
  if (const auto clock = number("\nmax_engine_clk_fcompute "); clock != 0)
    text += fmt::format(", {} MHz", clock);
  if (const auto minor = number("\ndrm_render_minor "); minor != 0)
    if (const std::string level =
            line_of(root / fmt::format("sys/class/drm/renderD{}/device", minor) /
                    "power_dpm_force_performance_level");
        !level.empty())
      text += ", performance level " + level;
  return text;
}

void add_amd_gpus(Machine& machine, const fs::path& root) {
  std::error_code error;
  std::vector<std::pair<unsigned long, std::string>> gpus;
  for (const auto& node :
       fs::directory_iterator(root / "sys/class/kfd/kfd/topology/nodes", error)) {
    const auto properties = read_file(node.path() / "properties");
    if (!properties) continue;
    const std::string gfx = toolchain::gpu_of_node(*properties);
    if (gfx.empty()) continue;
    const std::string name = node.path().filename().string();
    const bool is_number = std::ranges::all_of(name, is_digit) && name.size() <= 9;
    gpus.emplace_back(is_number ? std::stoul(name) : 0, gpu_text(root, gfx, "\n" + *properties));
  }
  std::sort(gpus.begin(), gpus.end());
  for (std::size_t i = 0; i < gpus.size(); ++i) machine[fmt::format("gpu{}", i)] = gpus[i].second;
  if (gpus.empty()) return;
  // The driver of the distribution has the version of the operating system's kernel.
  machine["amdgpu_driver"] = or_unknown(line_of(root / "sys/module/amdgpu/version"));
}

void add_nvidia_gpus(Machine& machine, const fs::path& root) {
  const std::string driver = line_of(root / "proc/driver/nvidia/version");
  if (driver.empty()) return;
  machine["nvidia_driver"] = driver;
  std::error_code error;
  std::vector<std::string> models;
  for (const auto& gpu : fs::directory_iterator(root / "proc/driver/nvidia/gpus", error))
    if (const auto text = read_file(gpu.path() / "information"))
      models.push_back(or_unknown(value_of(*text, "Model")));
  std::sort(models.begin(), models.end());
  for (std::size_t i = 0; i < models.size(); ++i)
    machine[fmt::format("nvidia_gpu{}", i)] = models[i];
}

// Variables that choose or disguise devices.
void add_environment(Machine& machine) {
  std::string text;
  for (const char* name : {"CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES",
                           "HSA_OVERRIDE_GFX_VERSION", "ROCR_VISIBLE_DEVICES"})
    if (const char* value = std::getenv(name))
      text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  machine["gpu_environment"] = text.empty() ? "none" : text;
}

}  // namespace

Machine probe_machine(const fs::path& root) {
  Machine machine;
  add_host(machine, root);
  machine["container"] = container(root);
  add_amd_gpus(machine, root);
  add_nvidia_gpus(machine, root);
  add_environment(machine);
  if (root == "/") {
    const auto rocm = toolchain::find_rocm();
    machine["rocm"] = !rocm ? "none" : or_unknown(rocm->version);
  }
  return machine;
}

}  // namespace hipwright::perf
