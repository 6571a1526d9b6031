// SPDX-License-Identifier: MIT
#include <cerrno>
#include <cstring>
#include <memory>

#include "base/json.h"
#include "cli/command.h"
#include "device/inventory.h"
#include "runtime/select.h"
#include "soft/decode/targets.h"

namespace hipwright::cli {

namespace {

int show(const std::string& device, bool json) {
  const auto failed = [](const device::Failure& failure) {
    return report({.what = failure.message()});
  };
  device::DeviceInventory inventory;
  if (device.empty()) {
    inventory = device::take_inventory(soft::supported_targets());
    const runtime::Choice choice = runtime::default_choice(runtime::Vendor::kAmd);
    inventory.chosen = choice.device;
    inventory.chosen_by = choice.by;
    inventory.chosen_nvidia = runtime::default_choice(runtime::Vendor::kNvidia).device;
  } else {
    const auto selector = device::parse_selector(device);
    if (!selector) return failed(selector.error());
    auto found = device::take_inventory(*selector);
    if (!found) return failed(found.error());
    inventory = *std::move(found);
  }
  print(json ? json_text(device::inventory_json(inventory))
             : device::inventory_text(inventory, globals().colour_out));
  // A device that could not be looked for is not known to be absent.
  for (const device::DeviceInventory::Absent& absent : inventory.absent)
    if (absent.why.message().find(std::strerror(EMFILE)) != std::string::npos)
      return report({.what = "cannot look for devices", .why = std::strerror(EMFILE)});
  return kOk;
}

const Command::Registration kCommand({
    .name = "devices",
    .summary = "List the devices that programs can use",
    .define = [](App app) -> std::function<int()> {
      auto device = std::make_shared<std::string>();
      auto json = std::make_shared<bool>(false);
      app.add_option(
             "--device", *device,
             "List only matching devices: auto, hip[:N], cuda[:N], soft:TARGET[,TARGET], cpu")
          .type_name("DEVICE");
      app.add_flag("--json", *json, "Print JSON");
      return [device, json] { return show(*device, *json); };
    },
});

}  // namespace

}  // namespace hipwright::cli
