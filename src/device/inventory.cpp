// SPDX-License-Identifier: MIT
#include "device/inventory.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/json.h"
#include "base/table.h"
#include "toolchain/soft_library.h"

namespace hipwright::device {

namespace {

std::string measured(double value, std::string_view unit, int digits = 0) {
  return value == 0 ? std::string() : fmt::format("{:.{}f} {}", value, digits, unit);
}

std::string memory_text(std::uint64_t bytes) {
  return measured(static_cast<double>(bytes) / (1ULL << 30), "GiB", 1);
}

std::string reason(const Failure& failure) {
  std::string text = failure.why;
  if (!failure.code_name.empty()) text += fmt::format(" ({}, {})", failure.code_name, failure.code);
  if (!failure.advice.empty()) text += ". " + failure.advice;
  return text;
}

Json json_of_device(const Properties& p) {
  return {{"id", p.id},
          {"kind", to_string(p.kind)},
          {"index", p.index},
          {"name", p.name},
          {"architecture", p.architecture},
          {"memory_bytes", p.memory_bytes},
          {"compute_units", p.compute_units},
          {"wave_size", p.wave_size},
          {"max_threads_per_block", p.max_threads_per_block},
          {"shared_bytes_per_block", p.shared_bytes_per_block},
          {"clock_mhz", p.clock_mhz},
          {"memory_clock_mhz", p.memory_clock_mhz},
          {"memory_bus_bits", p.memory_bus_bits},
          {"bandwidth_gb_per_s", p.bandwidth_gbs},
          {"bandwidth_from", p.bandwidth_from},
          {"pci", p.pci},
          {"runtime", p.runtime},
          {"library", p.library}};
}

}  // namespace

DeviceInventory take_inventory(std::vector<std::string> soft_targets) {
  DeviceInventory inventory;
  const auto add = [&](Kind kind, const auto& opened) {
    if (!opened) return inventory.absent.push_back({kind, opened.error()});
    for (const auto& device : *opened) inventory.devices.push_back(device->properties());
  };
  add(Kind::kHip, open_hip());
  add(Kind::kCuda, open_cuda());
  add(Kind::kCpu, open_cpu());
  inventory.soft_targets = std::move(soft_targets);
  if (const auto folder = toolchain::find_soft_folder(); !folder)
    inventory.soft_missing = folder.error().why;
  return inventory;
}

Outcome<DeviceInventory> take_inventory(const Selector& selector) {
  HW_TRY(const auto devices, open_all(selector));
  DeviceInventory inventory;
  for (std::size_t i = 0; i < devices.size(); ++i)
    if (selector.index < 0 || static_cast<std::size_t>(selector.index) == i)
      inventory.devices.push_back(devices[i]->properties());
  return inventory;
}

std::string inventory_text(const DeviceInventory& inventory, bool colour) {
  Table table({"device", "name", "architecture", ">memory", ">units", ">wave", ">clock",
               ">bandwidth", "runtime"});
  for (const Properties& p : inventory.devices)
    table.add({p.id, p.name, p.architecture, memory_text(p.memory_bytes),
               p.compute_units == 0 ? std::string() : std::to_string(p.compute_units),
               std::to_string(p.wave_size), measured(p.clock_mhz, "MHz"),
               measured(p.bandwidth_gbs, "GB/s"), p.runtime});
  std::string text = table.text(colour);
  if (!inventory.absent.empty() || !inventory.soft_targets.empty()) text += '\n';
  for (const auto& [kind, why] : inventory.absent)
    text += fmt::format("no {}: {}\n", to_string(kind), reason(why));
  if (!inventory.soft_missing.empty())
    text += fmt::format("no soft: {}\n", inventory.soft_missing);
  else if (!inventory.soft_targets.empty())
    text += fmt::format("soft:TARGET on request, with TARGET one of {}\n",
                        fmt::join(inventory.soft_targets, ", "));
  if (!inventory.chosen.empty())
    text += fmt::format("programs use {} ({})\n", inventory.chosen, inventory.chosen_by);
  else if (!inventory.chosen_by.empty())
    text += fmt::format("programs get no device: {}\n", inventory.chosen_by);
  if (inventory.chosen_nvidia != inventory.chosen && !inventory.chosen_nvidia.empty())
    text += fmt::format("programs with an NVIDIABackend use {}\n", inventory.chosen_nvidia);
  return text;
}

Json inventory_json(const DeviceInventory& inventory) {
  Json devices = Json::array(), absent = Json::array();
  for (const Properties& p : inventory.devices) devices.push_back(json_of_device(p));
  for (const auto& [kind, why] : inventory.absent)
    absent.push_back({{"kind", to_string(kind)},
                      {"why", why.why},
                      {"code", why.code},
                      {"code_name", why.code_name},
                      {"advice", why.advice}});
  Json json = {{"devices", std::move(devices)}, {"absent", std::move(absent)}};
  if (!inventory.soft_targets.empty())
    json["soft"] = {{"available", inventory.soft_missing.empty()},
                    {"why_not", inventory.soft_missing},
                    {"targets", inventory.soft_targets}};
  if (!inventory.chosen_by.empty())
    json["chosen"] = {{"device", inventory.chosen},
                      {"by", inventory.chosen_by},
                      {"nvidia_backend_device", inventory.chosen_nvidia}};
  return json;
}

}  // namespace hipwright::device
