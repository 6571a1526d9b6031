// SPDX-License-Identifier: MIT
// What is known about a machine: probed once, saved as JSON, and all that checks decide from. An
// absent value could not be found out; that is never the same as "no".
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/json_fwd.h"

namespace hipwright::ci {

// A program that was run. `exit_code` is absent when it is not installed.
struct CommandOutput {
  std::optional<int> exit_code;
  bool timed_out = false;
  std::string out;  // standard output, then standard error
};

struct Account {
  std::string name;
  std::optional<unsigned> uid;
  std::vector<unsigned> groups;  // gids
  std::string home;
};

struct DeviceNode {
  std::string path;
  bool exists = false, opens = false;
  std::string error;  // of opening it for reading and writing
  std::optional<unsigned> gid;
  std::string group;  // of that gid; empty: it has no name here
  std::string mode;   // "0660"
};

// A GPU in the kernel driver's topology.
struct KfdGpu {
  unsigned node = 0;
  std::string gfx;
  std::string pci;  // "0000:03:00.0"
  std::uint64_t gpu_id = 0;
};

// An AMD card of the display driver.
struct Card {
  std::string name;  // "card1"
  std::string pci;
  std::string device;  // PCI device id: "0x74a1"
  std::optional<std::uint64_t> vram_total, vram_used;
  std::optional<std::uint64_t> uncorrectable_errors;  // ECC, since the driver was loaded
};

struct GpuProcess {
  unsigned pid = 0;
  std::string name;  // empty: the process is gone, or not visible here
  std::string user;
  bool is_alive = false;
  std::uint64_t vram = 0;
};

struct Disk {
  std::string path;
  std::uint64_t total = 0, free = 0;
};

struct Program {
  std::string path;
  std::string version;  // empty: it does not say
};

struct Container {
  bool inside = false;
  std::string kind;  // "docker", "podman", "kubernetes"
  std::optional<std::uint64_t> shm_bytes;
};

// A GitHub Actions runner that is installed here.
struct Runner {
  std::string directory;
  std::optional<bool> ephemeral;
  std::string url;
  Account account;  // that the service runs as; no name: unknown
  bool has_job_started_hook = false, has_job_completed_hook = false;
};

struct Torch {
  bool found = false;
  std::string version, hip, cuda;
  std::optional<bool> is_available;
  unsigned device_count = 0;
  std::string device_name;
  std::string error;
};

struct Reached {
  std::string host;
  bool reachable = false;
  std::string error;
};

struct WindowsFacts {
  std::optional<unsigned> build;  // 22621 is 22H2
  std::string edition;
  std::string hip_path;
  std::optional<bool> hip_path_exists;
  std::optional<bool> amdhip64_loads;
  std::string amdhip64_error;
  std::optional<bool> visual_cpp;  // Visual Studio 2022 with the C++ tools
  std::string visual_studio;       // its path
  std::optional<bool> long_paths;
  std::string workspace;  // where jobs check out
  std::vector<std::string> display_adapters, driver_versions;
  CommandOutput hipinfo;
  std::optional<bool> winget, choco;
};

struct HostFacts {
  std::string host;
  std::string time;  // UTC, ISO 8601
  std::string os;    // "linux", "windows"
  std::string os_name, kernel, machine;
  Account account;
  std::optional<unsigned> cpus;
  std::optional<std::uint64_t> memory_total, memory_available;
  std::optional<std::uint64_t> memory_limit;  // of the cgroup; absent: none
  std::optional<double> cpu_limit;            // of the cgroup, in CPUs
  std::vector<Disk> disks;                    // of /, the home directory, the runner's workspace
  std::optional<bool> numa_balancing;
  std::optional<unsigned> numa_nodes;
  std::string kernel_command_line;
  std::optional<bool> iommu;  // groups exist
  Container container;

  std::optional<bool> driver_loaded;  // amdgpu
  std::string driver_version;         // of AMD's own module; empty for the kernel's
  std::vector<DeviceNode> nodes;      // /dev/kfd and /dev/dri/renderD*
  std::vector<KfdGpu> kfd;
  std::vector<Card> cards;
  std::optional<std::vector<GpuProcess>> processes;
  std::optional<std::vector<std::string>> kernel_log;  // its lines about GPU faults

  std::map<std::string, std::string> environment;  // the variables that matter to ROCm
  std::map<std::string, Program> programs;         // those that are installed
  std::map<std::string, std::string> libraries;    // soname to path, those that are installed
  std::string rocm_path, rocm_version;
  CommandOutput rocminfo, hipconfig;
  std::optional<std::vector<std::string>> runtime;  // gcnArchName of the HIP runtime's devices
  std::string runtime_error;
  std::optional<Torch> torch;
  std::optional<std::vector<Reached>> network;
  std::optional<Runner> runner;
  std::optional<WindowsFacts> windows;
};

Json facts_json(const HostFacts& facts);

// Errors name `origin` and the field: one of the wrong type, or unknown.
Result<HostFacts> read_facts(std::string_view text, const std::string& origin);

}  // namespace hipwright::ci
