// SPDX-License-Identifier: MIT
// The parts of the probe that start programs.
#include "ci/host/probe.h"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "base/json.h"
#include "base/process.h"
#include "base/words.h"
#include "ci/host/files.h"
#include "toolchain/probe.h"

namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace hipwright::ci {

namespace {

CommandOutput output_of(std::vector<std::string> argv, std::chrono::seconds limit = 20s) {
  CommandOutput output;
  if (argv.front().find('/') == std::string::npos && !find_program(argv.front())) return output;
  const auto finished = run({.argv = std::move(argv), .timeout = limit});
  if (!finished) return output;
  output.exit_code = finished->exit_code;
  output.timed_out = finished->timed_out;
  output.out = finished->out + finished->err;
  return output;
}

// A tool that may lie in ROCm's directory although PATH does not name it.
std::string rocm_tool(const HostFacts& facts, const char* name) {
  const fs::path path = fs::path(facts.rocm_path) / "bin" / name;
  std::error_code error;
  return !facts.rocm_path.empty() && fs::exists(path, error) ? path.string() : name;
}

// The first number with a dot in the first lines: "cmake version 3.25.1", "Python 3.11.2".
std::string first_version(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] < '0' || text[i] > '9') continue;
    std::size_t end = i;
    while (end < text.size() && ((text[end] >= '0' && text[end] <= '9') || text[end] == '.')) ++end;
    if (text.substr(i, end - i).find('.') != text.npos) return std::string(text.substr(i, end - i));
    i = end;
  }
  return {};
}

void probe_programs(HostFacts& facts) {
  for (const char* name : {"git", "cmake", "ninja", "python3", "hipcc", "rocminfo", "amd-smi",
                           "rocm-smi", "docker", "shellcheck", "actionlint", "zizmor"}) {
    const auto path = find_program(name);
    if (!path) continue;
    Program program{.path = path->string()};
    if (!is_any(name, {"rocminfo", "amd-smi", "rocm-smi"}))
      program.version = first_version(output_of({path->string(), "--version"}).out);
    facts.programs[name] = std::move(program);
  }
}

void probe_libraries(HostFacts& facts) {
  std::vector<fs::path> folders;
  if (!facts.rocm_path.empty()) folders.push_back(fs::path(facts.rocm_path) / "lib");
  for (const char* variable : {"ROCM_EXTRA_LIB_DIRS", "LD_LIBRARY_PATH"}) {
    std::string_view list = std::getenv(variable) == nullptr ? "" : std::getenv(variable);
    for (std::size_t at = 0; at < list.size();) {
      const std::size_t end = std::min(list.find_first_of(":;", at), list.size());
      if (end > at) folders.emplace_back(list.substr(at, end - at));
      at = end + 1;
    }
  }
  folders.emplace_back("/usr/lib/x86_64-linux-gnu");
  std::error_code error;
  for (const char* name :
       {"libamdhip64.so", "librocblas.so", "libhipblaslt.so", "libhipfft.so", "librccl.so"})
    for (const fs::path& folder : folders)
      if (fs::exists(folder / name, error)) {
        facts.libraries.emplace(name, (folder / name).string());
        break;
      }
}

void probe_runtime(const fs::path& hipwright, HostFacts& facts) {
  const CommandOutput output =
      output_of({hipwright.string(), "devices", "--device", "hip", "--json"}, 30s);
  if (output.timed_out) facts.runtime_error = "the HIP runtime did not answer in 30 s";
  if (!output.exit_code || output.timed_out) return;
  if (*output.exit_code != 0) {
    facts.runtime_error = trimmed(output.out);
    return;
  }
  const auto json = parse_json(output.out, "devices");
  if (!json || !json->contains("devices")) return;
  auto& names = facts.runtime.emplace();
  for (const Json& device : json->at("devices"))
    names.push_back(device.value("architecture", std::string()));
}

void probe_torch(HostFacts& facts) {
  constexpr const char* kAsk = R"(import json
facts = {"found": True}
try:
    import torch
    facts["version"] = torch.__version__
    facts["hip"] = torch.version.hip or ""
    facts["cuda"] = torch.version.cuda or ""
    facts["is_available"] = torch.cuda.is_available()
    facts["device_count"] = torch.cuda.device_count()
    if facts["is_available"]:
        facts["device_name"] = torch.cuda.get_device_name(0)
except ImportError as error:
    facts = {"found": False, "error": str(error)}
except Exception as error:
    facts["error"] = str(error)
print("\n" + json.dumps(facts))
)";
  const CommandOutput output = output_of({"python3", "-c", kAsk}, 120s);
  if (!output.exit_code) return;
  Torch& torch = facts.torch.emplace();
  // Libraries print warnings around it.
  const std::size_t at = output.out.rfind("\n{\"");
  const auto json = at == std::string::npos
                        ? Result<Json>(fail("", "", ""))
                        : parse_json(output.out.substr(at, output.out.find('\n', at + 1) - at), "");
  if (!json) {
    torch.error = output.timed_out ? "Python did not answer in 120 s"
                                   : std::string(trimmed(output.out.substr(0, 400)));
    return;
  }
  torch.found = json->value("found", false);
  torch.version = json->value("version", "");
  torch.hip = json->value("hip", "");
  torch.cuda = json->value("cuda", "");
  if (json->contains("is_available")) torch.is_available = json->at("is_available").get<bool>();
  torch.device_count = json->value("device_count", 0U);
  torch.device_name = json->value("device_name", "");
  torch.error = json->value("error", "");
}

void probe_network(const std::vector<std::string>& hosts, HostFacts& facts) {
  if (hosts.empty() || !find_program("curl")) return;
  auto& reached = facts.network.emplace();
  for (const std::string& host : hosts) {
    const CommandOutput output =
        output_of({"curl", "--silent", "--show-error", "--output", "/dev/null", "--connect-timeout",
                   "5", "--max-time", "10", "https://" + host + "/"});
    const bool ok = output.exit_code == 0;
    reached.push_back({host, ok, ok ? "" : std::string(trimmed(output.out))});
  }
}

void probe_kernel_log(HostFacts& facts) {
  const CommandOutput output = output_of({"dmesg"});
  if (output.exit_code != 0) return;
  auto& lines = facts.kernel_log.emplace();
  for (std::size_t at = 0; at < output.out.size();) {
    const std::size_t end = std::min(output.out.find('\n', at), output.out.size());
    const std::string_view line = std::string_view(output.out).substr(at, end - at);
    at = end + 1;
    const bool is_gpu = has_any(line, {"amdgpu", "kfd"});
    if (is_gpu && has_any(line, {"timeout", "GPU reset", "hang", "VRAM is lost", "uncorrectable",
                                 "poison", "failed to remove", "failed to suspend"}))
      lines.emplace_back(line);
  }
}

}  // namespace

HostFacts probe_host(const ProbeRequest& request) {
  HostFacts facts;
  probe_machine_files(request.root, facts);
  probe_gpu_files(request.root, facts);
  probe_runner_files(request.root, facts);
  if (const auto rocm = toolchain::find_rocm()) {
    facts.rocm_path = rocm->prefix.string();
    facts.rocm_version = rocm->version;
  }
  probe_programs(facts);
  probe_libraries(facts);
  facts.rocminfo = output_of({rocm_tool(facts, "rocminfo")}, 30s);
  facts.hipconfig = output_of({rocm_tool(facts, "hipconfig"), "--full"});
  if (!request.hipwright.empty()) probe_runtime(request.hipwright, facts);
  if (request.torch) probe_torch(facts);
  probe_network(request.hosts, facts);
  probe_kernel_log(facts);
  return facts;
}

}  // namespace hipwright::ci
