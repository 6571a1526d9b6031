// SPDX-License-Identifier: MIT
// The runtime's properties of a device, completed from the table of targets.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "arch/names.h"
#include "arch/target.h"
#include "device/hip/bandwidth.h"
#include "device/hip/device.h"

namespace hipwright::device::hip {

namespace {

// The parts that both layouts of the properties share.
struct Reported {
  std::string name, architecture;
  std::uint64_t memory = 0;
  std::size_t shared = 0;
  int multiprocessors = 0, wave = 0, threads = 0, clock_khz = 0, memory_khz = 0, bus_bits = 0;
};

template <class Layout>
Reported reported(const Layout& p) {
  const auto text = [](const auto& field) {
    return std::string(field, ::strnlen(field, sizeof field));
  };
  return {.name = text(p.name),
          .architecture = text(p.gcnArchName),
          .memory = p.totalGlobalMem,
          .shared = p.sharedMemPerBlock,
          .multiprocessors = p.multiProcessorCount,
          .wave = p.warpSize,
          .threads = p.maxThreadsPerBlock,
          .clock_khz = p.clockRate,
          .memory_khz = p.memoryClockRate,
          .bus_bits = p.memoryBusWidth};
}

// A release may fill in more than today's structure has.
template <class Layout>
struct Roomy {
  Layout properties{};
  char room[4096]{};
};

// The product of a device name: "AMD Instinct MI300X" is "MI300X".
const arch::Product* product_of(const arch::ArchInfo& info, const std::string& device_name) {
  const arch::Product* best = nullptr;
  for (const arch::Product& product : info.products) {
    const std::size_t at = device_name.find(product.name);
    if (at == std::string::npos) continue;
    // "RX 7900 XT" is not "RX 7900 XTX".
    const std::size_t end = at + product.name.size();
    if (end < device_name.size() && std::isalnum(static_cast<unsigned char>(device_name[end])))
      continue;
    if (best == nullptr || product.name.size() > best->name.size()) best = &product;
  }
  return best;
}

// Transfers per reported clock: two for HBM2, four for HBM3. Empty for graphics memory and APUs,
// whose reported clock is not meaningful.
double transfers_per_clock(arch::Family family) {
  switch (family) {
    case arch::Family::kGcn5:
    case arch::Family::kCdna1:
    case arch::Family::kCdna2:
      return 2;
    case arch::Family::kCdna3:
    case arch::Family::kCdna4:
      return 4;
    default:
      return 0;
  }
}

}  // namespace

Bandwidth peak_bandwidth(const std::string& name, const std::string& architecture, unsigned cus,
                         double memory_clock_mhz, unsigned bus_bits) {
  const auto target = arch::parse_target(architecture);
  if (!target) return {};
  const arch::Product* product = product_of(*target->info, name);
  if (product != nullptr && product->bandwidth_gbs) {
    const double whole = product->bandwidth_gbs->value;
    const std::string from = fmt::format("{} data sheet", product->name);
    if (!product->cus || product->cus->value == cus) return {whole, from};
    // MI250 and MI250X are two dies, each a device with half of everything.
    if (product->cus->value == 2 * cus) return {whole / 2, from + ", one of two dies"};
  }
  const double transfers = transfers_per_clock(target->info->family);
  const double computed = memory_clock_mhz * transfers * bus_bits / 8 / 1000;
  if (computed == 0) return {};
  return {computed, "memory clock and bus width"};
}

Done HipDevice::read_properties(Kind kind, int index, std::string id) {
  properties_.kind = kind;
  properties_.index = index;
  properties_.id = std::move(id);
  Reported own;
  if (api_->hipGetDevicePropertiesR0600) {
    Roomy<hipDeviceProp_tR0600> buffer;
    HW_CHECK(call(api_->hipGetDevicePropertiesR0600, &buffer.properties, ordinal_));
    own = reported(buffer.properties);
  } else {
    Roomy<hipDeviceProp_tR0000> buffer;
    HW_CHECK(call(api_->hipGetDeviceProperties, &buffer.properties, ordinal_));
    own = reported(buffer.properties);
  }
  const auto number = [](int value) { return static_cast<unsigned>(std::max(value, 0)); };
  properties_.name = own.name;
  properties_.architecture = own.architecture;
  properties_.memory_bytes = own.memory;
  properties_.wave_size = number(own.wave);
  properties_.max_threads_per_block = number(own.threads);
  properties_.shared_bytes_per_block = own.shared;
  properties_.clock_mhz = own.clock_khz / 1e3;
  properties_.memory_clock_mhz = own.memory_khz / 1e3;
  properties_.memory_bus_bits = number(own.bus_bits);
  // HIP counts pairs of compute units on gfx10 to gfx12.0; newer releases also report the real
  // number.
  int physical = 0;
  if (!call(api_->hipDeviceGetAttribute, &physical, hipDeviceAttributePhysicalMultiProcessorCount,
            ordinal_))
    physical = 0;
  properties_.compute_units = number(std::max(own.multiprocessors, physical));
  const Bandwidth bandwidth =
      peak_bandwidth(own.name, own.architecture, properties_.compute_units,
                     properties_.memory_clock_mhz, properties_.memory_bus_bits);
  properties_.bandwidth_gbs = bandwidth.gbs;
  properties_.bandwidth_from = bandwidth.from;
  char pci[64] = {};
  if (call(api_->hipDeviceGetPCIBusId, pci, int{sizeof pci}, ordinal_)) properties_.pci = pci;
  properties_.runtime = api_->version.empty() ? "HIP" : "HIP " + api_->version;
  properties_.library = api_->path;
  return {};
}

}  // namespace hipwright::device::hip
