// SPDX-License-Identifier: MIT
// The product that stands for a target where a program asks for one device: its name as ROCm
// prints it, and the rates that programs compute theoretical peaks from. Public data sheets.
#pragma once

#include <string_view>

namespace hipwright::arch {

struct ReferenceDevice {
  std::string_view gfx;
  std::string_view name;  // empty: the first product of the table
  unsigned clock_khz;
  unsigned memory_clock_khz;
  unsigned bus_bits;
  unsigned l2_bytes;
  unsigned compute_units;  // 0: those of the first product of the table
};

// Targets without a product of their own get round numbers.
const ReferenceDevice& reference_device(std::string_view gfx);

}  // namespace hipwright::arch
