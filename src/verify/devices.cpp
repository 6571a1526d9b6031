// SPDX-License-Identifier: MIT
#include "verify/devices.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "arch/target.h"
#include "device/device.h"
#include "hipwright/device.h"

namespace hipwright::verify {

namespace {

constexpr const char* kWhat = "cannot run on";

std::string name_of(const device::Selector& selector) {
  if (selector.kind == device::Kind::kSoft)
    return fmt::format("soft:{}", fmt::join(selector.targets, ","));
  return fmt::format("{}:{}", to_string(*selector.kind), std::max(selector.index, 0));
}

Result<std::string> device_id(const std::string& name, std::span<const std::string_view> kinds,
                              bool must_be_here) {
  const auto selector = device::parse_selector(name);
  const std::string known = fmt::format(
      "Supported kinds: {} (for example soft:gfx942). hipwright devices lists the devices here.",
      fmt::join(kinds, ", "));
  if (!selector) return fail(kWhat, name, selector.error().why, known);
  if (!selector->kind ||
      std::find(kinds.begin(), kinds.end(), to_string(*selector->kind)) == kinds.end() ||
      selector->targets.size() > 1)
    return fail(kWhat, name, "not a single device of a supported kind", known);
  if (!must_be_here) return name_of(*selector);
  try {
    return Device::open(name).id();
  } catch (const AMDBackendError& error) {
    return fail(kWhat, name, error.what());
  }
}

}  // namespace

std::vector<std::string> hardware_here(std::span<const std::string_view> kinds) {
  std::vector<std::string> devices;
  for (const std::string_view kind : kinds) {
    try {
      for (const Device& device : list_devices(kind)) devices.push_back(device.id());
    } catch (const AMDBackendError&) {
      // None of this kind; reports name the devices that ran.
    }
  }
  return devices;
}

Result<std::vector<std::string>> device_ids(const std::vector<std::string>& names,
                                            std::span<const std::string_view> kinds,
                                            bool must_be_here) {
  std::vector<std::string> ids;
  for (const std::string& name : names) {
    HW_TRY(std::string id, device_id(name, kinds, must_be_here));
    if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(std::move(id));
  }
  return ids;
}

std::string why_not_run(const std::vector<std::string>& targets, const std::string& device) {
  try {
    const auto own = arch::parse_target(Device::open(device).info().architecture);
    for (const std::string& each : targets) {
      const auto target = arch::parse_target(each);
      if (own && target && arch::fitness(*target, *own) > 0) return {};
    }
  } catch (const AMDBackendError& error) {
    return error.what();
  }
  return fmt::format("it was compiled only for {}; add the device's target to --arch",
                     fmt::join(targets, ", "));
}

bool is_soft(std::string_view device) {
  return device.starts_with("soft:");
}

unsigned wave_of(std::string_view device) {
  if (!is_soft(device)) return 0;
  const auto target = arch::parse_target(device.substr(5, device.find('#') - 5));
  return target ? target->info->default_wave_size() : 0;
}

}  // namespace hipwright::verify
