// SPDX-License-Identifier: MIT
#include "device/inventory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.h"

namespace hipwright::device {

namespace {

using testing::HasSubstr;
using testing::Not;

DeviceInventory sample() {
  DeviceInventory inventory;
  Properties p;
  p.kind = Kind::kHip;
  p.id = "hip:0";
  p.name = "AMD Instinct MI300X";
  p.architecture = "gfx942:sramecc+:xnack-";
  p.memory_bytes = 192ULL << 30;
  p.compute_units = 304;
  p.wave_size = 64;
  p.clock_mhz = 2100;
  p.bandwidth_gbs = 5300;
  p.bandwidth_from = "MI300X data sheet";
  p.runtime = "HIP 6.4.2";
  inventory.devices.push_back(p);
  Failure why(FailureKind::kNotAvailable, "cannot open an NVIDIA GPU", "", "no driver",
              "Install NVIDIA's driver.");
  inventory.absent.push_back({Kind::kCuda, why});
  inventory.soft_targets = {"gfx90a", "gfx942"};
  inventory.chosen = "hip:0";
  inventory.chosen_by = "HIPWRIGHT_DEVICE is not set";
  return inventory;
}

TEST(Inventory, ShowsDevicesAndReasons) {
  EXPECT_EQ(inventory_text(sample(), false),
            "device  name                 architecture               memory  units  wave     clock"
            "  bandwidth  runtime\n"
            "hip:0   AMD Instinct MI300X  gfx942:sramecc+:xnack-  192.0 GiB    304    64  2100 MHz"
            "  5300 GB/s  HIP 6.4.2\n"
            "\n"
            "no cuda: no driver. Install NVIDIA's driver.\n"
            "soft:TARGET on request, with TARGET one of gfx90a, gfx942\n"
            "programs use hip:0 (HIPWRIGHT_DEVICE is not set)\n");
}

TEST(Inventory, UnknownNumbersAreOmitted) {
  DeviceInventory inventory = sample();
  inventory.devices[0].bandwidth_gbs = inventory.devices[0].clock_mhz = 0;
  EXPECT_THAT(inventory_text(inventory, false), Not(HasSubstr(" MHz")));
  EXPECT_THAT(inventory_text(inventory, false), Not(HasSubstr("GB/s")));
}

TEST(Inventory, ExplainsAnEmptyChoiceAndAMissingSoftwareGpu) {
  DeviceInventory inventory = sample();
  inventory.chosen.clear();
  inventory.chosen_by = "HIPWRIGHT_DEVICE: cannot choose the device 'gpu'";
  inventory.soft_missing = "it is not in /usr/lib/hipwright";
  const std::string text = inventory_text(inventory, false);
  EXPECT_THAT(text, HasSubstr("programs get no device: HIPWRIGHT_DEVICE: cannot choose"));
  EXPECT_THAT(text, HasSubstr("no soft: it is not in /usr/lib/hipwright"));
  const Json json = inventory_json(inventory);
  EXPECT_EQ(json["soft"]["available"], false);
  EXPECT_EQ(json["chosen"]["device"], "");
  EXPECT_EQ(json["absent"][0]["kind"], "cuda");
  EXPECT_EQ(json["devices"][0]["bandwidth_gb_per_s"], 5300);
}

TEST(Inventory, ReportsWhenAnNvidiaBackendChoosesAnotherDevice) {
  DeviceInventory inventory = sample();
  inventory.chosen_nvidia = "hip:0";
  EXPECT_THAT(inventory_text(inventory, false), Not(HasSubstr("NVIDIABackend")));
  inventory.chosen_nvidia = "cuda:0";
  EXPECT_THAT(inventory_text(inventory, false),
              HasSubstr("programs with an NVIDIABackend use cuda:0\n"));
  EXPECT_EQ(inventory_json(inventory)["chosen"]["nvidia_backend_device"], "cuda:0");
}

TEST(Inventory, ASelectorFiltersIt) {
  const auto two = take_inventory(*parse_selector("soft:gfx942,gfx1100"));
  ASSERT_TRUE(two) << two.error().message();
  ASSERT_EQ(two->devices.size(), 2U);
  EXPECT_EQ(two->devices[1].id, "soft:gfx1100");
  EXPECT_FALSE(take_inventory(*parse_selector("soft:gfx1010")));
}

TEST(Inventory, OfThisMachineHasTheCpuAndAReasonForEveryOtherKind) {
  const DeviceInventory inventory = take_inventory({"gfx942"});
  std::size_t kinds = 0;
  for (const Kind kind : {Kind::kHip, Kind::kCuda, Kind::kCpu}) {
    bool found = false;
    for (const Properties& p : inventory.devices) found = found || p.kind == kind;
    for (const auto& absent : inventory.absent)
      if (absent.kind == kind) {
        EXPECT_FALSE(found);
        EXPECT_FALSE(absent.why.why.empty());
        found = true;
      }
    kinds += found;
  }
  EXPECT_EQ(kinds, 3U);
}

}  // namespace

}  // namespace hipwright::device
