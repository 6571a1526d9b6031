// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace hipwright::device::hip {

// Peak memory bandwidth in 10^9 bytes/s and where the number is from: the product's data sheet
// where the table of targets has it, else what the runtime's clock and bus width give. 0: not
// known.
struct Bandwidth {
  double gbs = 0;
  std::string from;
};
Bandwidth peak_bandwidth(const std::string& name, const std::string& architecture, unsigned cus,
                         double memory_clock_mhz, unsigned bus_bits);

}  // namespace hipwright::device::hip
