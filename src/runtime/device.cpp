// SPDX-License-Identifier: MIT
#include "device/device.h"

#include "hipwright/device.h"
#include "runtime/capture.h"
#include "runtime/raise.h"

namespace hipwright {

namespace {

const device::Properties& properties_of(const std::shared_ptr<device::Device>& driver,
                                        const char* call) {
  if (!driver) runtime::raise_misuse(call, {}, "empty device", "Open one with Device::open().");
  return driver->properties();
}

}  // namespace

Device Device::open(std::string_view selector) {
  const auto parsed = runtime::value_or_raise(device::parse_selector(selector));
  auto devices = runtime::value_or_raise(device::open_all(parsed));
  return Device(devices[parsed.index < 0 ? 0 : static_cast<std::size_t>(parsed.index)]);
}

std::vector<Device> list_devices(std::string_view selector) {
  const auto parsed = runtime::value_or_raise(device::parse_selector(selector));
  auto drivers = runtime::value_or_raise(device::open_all(parsed));
  if (parsed.index >= 0) drivers = {drivers[static_cast<std::size_t>(parsed.index)]};
  std::vector<Device> devices;
  for (auto& driver : drivers) devices.emplace_back(std::move(driver));
  return devices;
}

std::string Device::type() const {
  return std::string(device::to_string(properties_of(driver_, "Device::type").kind));
}

int Device::index() const {
  return properties_of(driver_, "Device::index").index;
}

std::string Device::id() const {
  return properties_of(driver_, "Device::id").id;
}

DeviceInfo Device::info() const {
  const device::Properties& from = properties_of(driver_, "Device::info");
  return {.type = std::string(device::to_string(from.kind)),
          .index = from.index,
          .id = from.id,
          .name = from.name,
          .architecture = from.architecture,
          .total_memory_mb = static_cast<double>(from.memory_bytes) / (1024.0 * 1024.0),
          .compute_units = from.compute_units,
          .wave_size = from.wave_size,
          .max_threads_per_block = from.max_threads_per_block,
          .shared_bytes_per_block = from.shared_bytes_per_block,
          .clock_mhz = from.clock_mhz,
          .memory_clock_mhz = from.memory_clock_mhz,
          .memory_bus_bits = from.memory_bus_bits,
          .bandwidth_gbs = from.bandwidth_gbs,
          .bandwidth_from = from.bandwidth_from,
          .pci = from.pci,
          .runtime = from.runtime,
          .library = from.library};
}

void Device::synchronize() const {
  properties_of(driver_, "Device::synchronize");
  runtime::synchronize_device(*driver_, "synchronize()");
}

}  // namespace hipwright
