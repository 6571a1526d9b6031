// SPDX-License-Identifier: MIT
// The settings for ROCmCompiler: the device named by HIPWRIGHT_DEVICE decides the architecture,
// then the requested family, then the compiler.
#include <cstdlib>

#include <fmt/format.h>

#include "arch/target.h"
#include "device/device.h"
#include "hipwright/config.h"
#include "runtime/config/architecture.h"
#include "runtime/raise.h"
#include "runtime/select.h"
#include "toolchain/probe.h"

namespace hipwright {

using namespace runtime;

namespace {

[[noreturn]] void raise_index(const device::Selector& selector, std::size_t index,
                              std::size_t count) {
  raise({device::FailureKind::kDevice, "cannot choose the architecture of device",
         std::to_string(index),
         fmt::format("HIPWRIGHT_DEVICE={} has {} device{}, counted from 0", selector.text, count,
                     count == 1 ? "" : "s"),
         "Set device_id or HIPWRIGHT_DEVICE to an existing device."});
}

// The architecture of the device that HIPWRIGHT_DEVICE names; empty if it names none or the CPU. A
// software GPU is not opened for its name.
std::string named_architecture(int device_id) {
  const device::Selector selector = value_or_raise(device::selector_from_environment());
  if (!selector.kind || *selector.kind == device::Kind::kCpu) return {};
  const auto index = static_cast<std::size_t>(selector.index >= 0 ? selector.index : device_id);
  if (*selector.kind == device::Kind::kSoft) {
    if (index >= selector.targets.size()) raise_index(selector, index, selector.targets.size());
    const std::string& target = selector.targets[index];
    return target.substr(0, target.find('#'));  // "gfx942#1": the second such device
  }
  const auto devices = value_or_raise(device::open_all(selector));
  if (index >= devices.size()) raise_index(selector, index, devices.size());
  return devices[index]->properties().architecture;
}

// This machine's GPU of the family, or the family's first target; "auto" for AUTO.
std::string architecture_for(AMDArchitecture family) {
  const arch::ArchInfo* const first = first_target(family);
  if (first == nullptr) return "auto";
  for (const std::string& gpu : toolchain::local_gpus())
    if (const auto target = arch::parse_target(gpu);
        target && architecture_of(target->info->family) == family)
      return target->id();
  return std::string(first->gfx);
}

}  // namespace

AMDConfig::operator CompilerConfig() const {
  EffectiveConfig settings = effective();
  const std::string named = named_architecture(settings.device_id);
  if (!named.empty()) {
    settings = effective(named);
    for (const std::string& warning : settings.warnings) warn_once(warning);
  }
  // A preset's family is a default for its pool, not a request to compile for it.
  const auto asked = [&] {
    for (const EffectiveConfig::Row& row : settings.rows)
      if (row.field == "architecture" && row.origin.starts_with("preset "))
        return AMDArchitecture::AUTO;
    return settings.architecture;
  };
  return {.architecture = named.empty() ? architecture_for(asked()) : named,
          .hip_kernel_cache_enabled = settings.hip_kernel_cache_enabled,
          .hip_compiler_cache_size = settings.hip_compiler_cache_size,
          .hip_compiler_cache_dir = settings.hip_compiler_cache_dir};
}

}  // namespace hipwright
