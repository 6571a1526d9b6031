// SPDX-License-Identifier: MIT
#include "runtime/select.h"

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "runtime/raise.h"

namespace hipwright::runtime {

namespace {

// The part of HIPWRIGHT_DEVICE that applies to a backend of this vendor; empty if there is none.
std::optional<device::Selector> named_by_environment(Vendor vendor) {
  const char* text = std::getenv("HIPWRIGHT_DEVICE");
  if (text == nullptr || *text == '\0') return std::nullopt;
  device::Selector selector = value_or_raise(device::selector_from_environment());
  const bool is_amd = selector.kind == device::Kind::kHip || selector.kind == device::Kind::kSoft;
  if (vendor == Vendor::kNvidia && is_amd) return std::nullopt;
  return selector;
}

struct Found {
  std::vector<std::shared_ptr<device::Device>> devices;
  std::string fallback_reason;
};

Found stand_in(std::string reason) {
  return {value_or_raise(device::open_cpu()), std::move(reason)};
}

Found find_devices(Vendor vendor, const std::optional<device::Selector>& named) {
  if (named && named->kind) return {value_or_raise(device::open_all(*named)), {}};
  if (named) {  // auto
    auto devices = value_or_raise(device::open_all(*named));
    if (devices.front()->properties().kind != device::Kind::kCpu) return {std::move(devices), {}};
    return stand_in(device::open_hip().error().message() + " " +
                    device::open_cuda().error().message());
  }
  auto devices = vendor == Vendor::kAmd ? device::open_hip() : device::open_cuda();
  if (devices) return {*std::move(devices), {}};
  return stand_in(devices.error().message());
}

}  // namespace

std::size_t checked_index(const Selection& selection, int index) {
  const auto count = selection.devices.size();
  if (index >= 0 && static_cast<std::size_t>(index) < count) return static_cast<std::size_t>(index);
  device::Failure failure(
      device::FailureKind::kDevice, "cannot use device", std::to_string(index),
      fmt::format("there {} {} (counted from 0): {}", count == 1 ? "is" : "are", count,
                  [&] {
                    std::string ids;
                    for (const auto& each : selection.devices)
                      ids += (ids.empty() ? "" : ", ") + each->id();
                    return ids;
                  }()),
      "`hipwright devices` lists them.");
  if (!selection.fallback_reason.empty())
    failure.why += fmt::format(", used as a fallback: {}", selection.fallback_reason);
  raise(failure);
}

EffectiveConfig effective_on(const device::Device& driver, const AMDConfig& config) {
  const device::Properties& properties = driver.properties();
  return config.effective(properties.kind == device::Kind::kCpu ? "cpu" : properties.architecture);
}

Selection decide(Vendor vendor, const AMDConfig& config) {
  const auto named = named_by_environment(vendor);
  Found found = find_devices(vendor, named);
  Selection selection{.devices = std::move(found.devices),
                      .fallback_reason = std::move(found.fallback_reason)};
  const EffectiveConfig asked = config.effective();
  const bool fallback = !selection.fallback_reason.empty();
  const char* wanted = vendor == Vendor::kAmd ? "an AMD GPU" : "an NVIDIA GPU";
  if (fallback && asked.enable_strict_validation)
    raise({device::FailureKind::kNotAvailable, "cannot find", wanted, selection.fallback_reason,
           "Disable enable_strict_validation to fall back to the CPU."});
  const bool has_index = named && named->index >= 0;
  selection.chosen = checked_index(selection, has_index ? named->index : asked.device_id);
  selection.config = effective_on(*selection.device(), config);
  selection.warnings = selection.config.warnings;
  if (fallback)
    selection.warnings.push_back(
        fmt::format("using the CPU instead of {}: {}", wanted, selection.fallback_reason));
  return selection;
}

Selection select_device(Vendor vendor, const AMDConfig& config) {
  Selection selection = decide(vendor, config);
  for (const std::string& warning : selection.warnings) warn_once(warning);
  return selection;
}

Choice default_choice(Vendor vendor) {
  const char* const text = std::getenv("HIPWRIGHT_DEVICE");
  const bool set = text != nullptr && *text != '\0';
  try {
    const Selection selection = decide(vendor, {});
    Choice choice{.device = selection.device()->id(),
                  .by = set ? fmt::format("HIPWRIGHT_DEVICE={}", text)
                            : std::string("HIPWRIGHT_DEVICE is not set")};
    for (const EffectiveConfig::Row& row : selection.config.rows)
      if (row.field == "device_id" && row.origin != "default")
        choice.by += fmt::format(", {}={}", row.origin, row.value);
    return choice;
  } catch (const AMDBackendError& error) {
    return {.device = {}, .by = error.what()};
  }
}

void warn_once(const std::string& text) {
  // Never destroyed: destructors that run after main() may warn.
  static auto* const mutex = new std::mutex;
  static auto* const said = new std::set<std::string>;
  const std::lock_guard lock(*mutex);
  if (said->insert(text).second) std::fprintf(stderr, "hipwright: warning: %s\n", text.c_str());
}

}  // namespace hipwright::runtime
