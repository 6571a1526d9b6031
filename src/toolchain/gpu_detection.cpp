// SPDX-License-Identifier: MIT
#include "toolchain/gpu_detection.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/words.h"
#include "toolchain/rocminfo.h"

namespace hipwright::toolchain {

namespace {

struct Gpu {
  std::string name;  // perhaps with features
  bool is_apu = false;
};

struct Source {
  const char* name;
  std::vector<Gpu> gpus;
};

// Only rocminfo tells which GPUs are integrated.
std::vector<Gpu> named(const std::vector<std::string>& names, const Rocminfo& rocminfo) {
  std::vector<Gpu> gpus;
  for (const std::string& name : names) {
    const std::string_view processor = std::string_view(name).substr(0, name.find(':'));
    gpus.push_back({name, std::ranges::any_of(rocminfo.gpus, [&](const GpuAgent& agent) {
                      return agent.is_apu && agent.name == processor;
                    })});
  }
  return gpus;
}

void add(std::vector<arch::Target>& targets, arch::Target target) {
  target.sramecc.reset();
  target.xnack.reset();
  if (std::ranges::find(targets, target) == targets.end()) targets.push_back(std::move(target));
}

// An integrated GPU beside a discrete one is left out where ROCm does not support it.
bool is_unsupported_apu(const Gpu& gpu, const arch::Target& target, bool has_discrete) {
  return gpu.is_apu && has_discrete && !target.info->rocm;
}

Result<DetectedTargets> from_gpus(const Source& source) {
  DetectedTargets found{.source = source.name};
  const bool has_discrete =
      std::ranges::any_of(source.gpus, [](const Gpu& gpu) { return !gpu.is_apu; });
  std::vector<std::string> unknown;
  for (const Gpu& gpu : source.gpus) {
    auto target = arch::parse_target(gpu.name);
    if (!target) {
      unknown.push_back(gpu.name);
      found.notes.push_back(fmt::format("omitted {}: not in the table of targets", gpu.name));
    } else if (is_unsupported_apu(gpu, *target, has_discrete)) {
      found.notes.push_back(fmt::format(
          "omitted {}: an integrated GPU without ROCm support, beside a discrete GPU", gpu.name));
    } else {
      add(found.targets, *std::move(target));
    }
  }
  if (found.targets.empty())
    return fail("cannot build for this machine's GPU", unknown.empty() ? "" : unknown.front(),
                fmt::format("{} reports a target that the table lacks", source.name),
                fmt::format("Name the targets yourself: {}=gfx942", kArchesVariable));
  // The table is in ascending order.
  std::ranges::sort(found.targets, {}, [](const arch::Target& target) { return target.info; });
  return found;
}

Result<DetectedTargets> from_override(const std::string& variable, const std::string& value) {
  auto targets = arch::parse_targets(value);
  if (!targets) {
    Error error = std::move(targets).error();
    error.what = fmt::format("invalid {}: {}", variable, error.what);
    return std::unexpected(std::move(error));
  }
  return DetectedTargets{.targets = *std::move(targets), .source = variable};
}

}  // namespace

std::vector<std::string> targets_in_hipconfig(std::string_view output) {
  constexpr std::string_view kOption = "--offload-arch=";
  std::vector<std::string> names;
  for (std::size_t at = output.find(kOption); at != output.npos;
       at = output.find(kOption, at + 1)) {
    const std::string_view rest = output.substr(at + kOption.size());
    names.emplace_back(rest.substr(0, rest.find_first_of(" \t\r\n,;\"'")));
  }
  return names;
}

Result<DetectedTargets> detect_targets(const GpuSources& sources) {
  for (const auto& [variable, value] : sources.overrides)
    if (!trimmed(value).empty()) return from_override(variable, value);
  const Rocminfo rocminfo = read_rocminfo(sources.rocminfo);
  std::vector<std::string> agents;
  for (const GpuAgent& agent : rocminfo.gpus) agents.push_back(agent.name);
  const Source ordered[] = {{"the HIP runtime", named(sources.runtime, rocminfo)},
                            {"rocminfo", named(agents, rocminfo)},
                            {"hipconfig", named(targets_in_hipconfig(sources.hipconfig), rocminfo)},
                            {"the kernel driver", named(sources.kfd, rocminfo)}};
  for (const Source& source : ordered)
    if (!source.gpus.empty()) return from_gpus(source);
  if (sources.fallback.empty())
    return fail("no AMD GPU found", "",
                rocminfo.problems.empty()
                    ? "neither the HIP runtime, rocminfo, hipconfig nor the kernel driver names one"
                    : fmt::format("rocminfo says: {}", fmt::join(rocminfo.problems, "; ")),
                fmt::format("Name the targets: {}=gfx942, or --default gfx942", kArchesVariable));
  HW_TRY(auto fallback, from_override("default", sources.fallback));
  fallback.is_fallback = true;
  return fallback;
}

}  // namespace hipwright::toolchain
