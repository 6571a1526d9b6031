// SPDX-License-Identifier: MIT
#include "toolchain/rocminfo.h"

#include <cstdlib>

#include "base/words.h"

namespace hipwright::toolchain {

namespace {

struct Agent : GpuAgent {
  bool is_gpu = false;
  bool in_isas = false;
};

// Messages of rocminfo and of the runtime below it; the rest of the output is "Key: value".
bool is_problem(std::string_view line) {
  return has_any(line, {"NOT loaded", "Unable to open", "Permission denied", "not member of",
                        "not a member of", "hsa api call failure", "HSA_STATUS_ERROR",
                        "No such file or directory", "Segmentation fault", "Aborted"});
}

unsigned number(std::string_view text) {
  return static_cast<unsigned>(std::strtoul(std::string(text.substr(0, 9)).c_str(), nullptr, 10));
}

void take(Agent& agent, std::string_view key, std::string_view value) {
  constexpr std::string_view kTriple = "amdgcn-amd-amdhsa--";
  if (key == "ISA Info") agent.in_isas = true;
  if (agent.in_isas) {
    if (key == "Name" && agent.isa.empty() && value.starts_with(kTriple))
      agent.isa = value.substr(kTriple.size());
    return;
  }
  if (key == "Name") agent.name = value;
  if (key == "Marketing Name") agent.marketing_name = value;
  if (key == "Uuid") agent.uuid = value;
  if (key == "Device Type") agent.is_gpu = value == "GPU";
  if (key == "Compute Unit") agent.compute_units = number(value);
  if (key == "Memory Properties") agent.is_apu = contains_word(value, "apu");
}

}  // namespace

Rocminfo read_rocminfo(std::string_view output) {
  Rocminfo found;
  Agent agent;
  const auto finish = [&] {
    if (agent.is_gpu && !agent.name.empty()) found.gpus.push_back(std::move(agent));
    agent = {};
  };
  while (!output.empty()) {
    const std::size_t end = std::min(output.find('\n'), output.size());
    const std::string_view line = trimmed(output.substr(0, end));
    output.remove_prefix(std::min(end + 1, output.size()));
    if (line.starts_with("Agent ") && line.find(':') == line.npos) {
      finish();
    } else if (is_problem(line)) {
      found.problems.emplace_back(line);
    } else if (const std::size_t colon = line.find(':'); colon != line.npos) {
      take(agent, trimmed(line.substr(0, colon)), trimmed(line.substr(colon + 1)));
    }
  }
  finish();
  return found;
}

}  // namespace hipwright::toolchain
