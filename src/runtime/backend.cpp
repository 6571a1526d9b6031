// SPDX-License-Identifier: MIT
#include "hipwright/backend.h"

#include <map>
#include <mutex>

#include <fmt/format.h>

#include "arch/target.h"
#include "runtime/kernel.h"
#include "runtime/raise.h"
#include "runtime/select.h"
#include "runtime/stream.h"

namespace hipwright {

using runtime::value_or_raise;

namespace {

// What a backend has on one device.
struct PerDevice {
  PerDevice(const Device& device, const AMDConfig& config)
      : memory(device, config), utilities(device, config, &memory) {}

  AMDMemoryManager memory;
  HIPUtilities utilities;
};

bool runs(std::string_view architecture, std::string_view device) {
  if (architecture == device) return true;
  const auto code = arch::parse_target(architecture);
  const auto target = arch::parse_target(device);
  return code && target && arch::fitness(*code, *target) > 0;
}

void check_runs(const std::string& architecture, const device::Properties& properties) {
  if (!runs(architecture, properties.architecture))
    runtime::raise(
        {device::FailureKind::kCompilation, "load_kernel", properties.id,
         fmt::format("it cannot run code for {}; it is {}", architecture, properties.architecture),
         "Do not set CompileOptions::architecture, or compile with compiler()."});
}

}  // namespace

struct Backend::State {
  State(runtime::Vendor vendor, const AMDConfig& given)
      : config(given), selection(runtime::select_device(vendor, given)), compiler(given) {
    configs.emplace(selection.chosen, selection.config);
  }

  PerDevice& current() {
    const std::lock_guard lock(mutex);
    auto& slot = per_device[selection.chosen];
    if (!slot) slot = std::make_unique<PerDevice>(Device(selection.device()), config);
    return *slot;
  }

  const AMDConfig config;
  mutable std::mutex mutex;  // of what follows
  runtime::Selection selection;
  std::map<std::size_t, std::unique_ptr<PerDevice>> per_device;
  std::map<std::size_t, EffectiveConfig> configs;  // of the devices that were used
  ROCmCompiler compiler;
};

Backend::Backend(Vendor vendor, const AMDConfig& config)
    : state_(std::make_unique<State>(
          vendor == Vendor::kAmd ? runtime::Vendor::kAmd : runtime::Vendor::kNvidia, config)) {}

Backend::Backend(Backend&&) noexcept = default;
Backend& Backend::operator=(Backend&&) noexcept = default;
Backend::~Backend() = default;

bool Backend::is_available() const {
  return !device().is_cpu();
}

const std::string& Backend::fallback_reason() const {
  return state_->selection.fallback_reason;
}

Device Backend::device() const {
  const std::lock_guard lock(state_->mutex);
  return Device(state_->selection.device());
}

DeviceInfo Backend::get_device_info() const {
  return device().info();
}

std::vector<Device> Backend::devices() const {
  std::vector<Device> devices;
  for (const auto& driver : state_->selection.devices) devices.emplace_back(driver);
  return devices;
}

std::vector<DeviceInfo> Backend::get_all_devices() const {
  std::vector<DeviceInfo> infos;
  for (const Device& each : devices()) infos.push_back(each.info());
  return infos;
}

void Backend::set_device(int index) {
  const std::lock_guard lock(state_->mutex);
  const std::size_t chosen = runtime::checked_index(state_->selection, index);
  if (!state_->configs.contains(chosen)) {
    EffectiveConfig config =
        runtime::effective_on(*state_->selection.devices[chosen], state_->config);
    config.device_id = index;
    for (EffectiveConfig::Row& row : config.rows)
      if (row.field == "device_id") row = {row.field, std::to_string(index), "set_device()"};
    for (const std::string& warning : config.warnings) runtime::warn_once(warning);
    state_->configs.emplace(chosen, std::move(config));
  }
  state_->selection.chosen = chosen;
}

void Backend::synchronize() const {
  device().synchronize();
}

void Backend::empty_cache() {
  memory().empty_cache();
}

void Backend::cleanup() {
  const std::lock_guard lock(state_->mutex);
  for (auto& [index, per_device] : state_->per_device) per_device->utilities.cleanup();
  state_->per_device.clear();
}

AMDMemoryManager& Backend::memory() {
  return state_->current().memory;
}

HIPUtilities& Backend::utilities() {
  return state_->current().utilities;
}

ROCmCompiler& Backend::compiler() {
  return state_->compiler;
}

const EffectiveConfig& Backend::config() const {
  const std::lock_guard lock(state_->mutex);
  return state_->configs.at(state_->selection.chosen);
}

Kernel Backend::load_kernel(std::string_view source, const std::string& name,
                            const CompileOptions& options) {
  const std::shared_ptr<device::Device> driver = device().driver();
  const device::Properties& properties = driver->properties();
  if (properties.kind == device::Kind::kCpu) return runtime::make_kernel(driver, {}, name, name);
  CompileOptions for_device = options;
  if (for_device.architecture.empty())
    for_device.architecture = properties.architecture;
  else
    check_runs(for_device.architecture, properties);
  const CompiledKernel compiled = state_->compiler.compile_kernel(source, name, for_device);
  return runtime::make_kernel(driver, compiled.code_object(), compiled.symbol, name);
}

Kernel Backend::load_code_object(std::string_view code_object, const std::string& symbol) {
  return runtime::make_kernel(device().driver(), code_object, symbol, symbol);
}

}  // namespace hipwright
