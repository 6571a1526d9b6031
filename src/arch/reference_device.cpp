// SPDX-License-Identifier: MIT
#include "arch/reference_device.h"

#include <algorithm>
#include <iterator>

namespace hipwright::arch {

namespace {

constexpr ReferenceDevice kDevices[] = {
    {"gfx90a", "AMD Instinct MI210", 1'700'000, 1'600'000, 4096, 8 << 20, 104},
    {"gfx942", "AMD Instinct MI300X", 2'100'000, 1'300'000, 8192, 4 << 20, 304},
    {"gfx950", "AMD Instinct MI355X", 2'400'000, 2'000'000, 8192, 4 << 20, 256},
    {"gfx1100", "AMD Radeon RX 7900 XTX", 2'500'000, 1'250'000, 384, 6 << 20, 96},
    {"gfx1201", "AMD Radeon RX 9070 XT", 2'970'000, 1'258'000, 256, 8 << 20, 64},
};
constexpr ReferenceDevice kAnyOther = {"", "", 2'000'000, 1'000'000, 256, 4 << 20, 0};

}  // namespace

const ReferenceDevice& reference_device(std::string_view gfx) {
  const auto* found = std::ranges::find(kDevices, gfx, &ReferenceDevice::gfx);
  return found == std::end(kDevices) ? kAnyOther : *found;
}

}  // namespace hipwright::arch
