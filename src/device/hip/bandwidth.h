// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace hipwright::device::hip {

// Peak memory bandwidth in 10^9 bytes/s and the source of the number: the product's data sheet if
// the table of targets has it, otherwise the runtime's clock and bus width. 0 if unknown.
struct Bandwidth {
  double gbs = 0;
  std::string from;
};
Bandwidth peak_bandwidth(const std::string& name, const std::string& architecture, unsigned cus,
                         double memory_clock_mhz, unsigned bus_bits);

}  // namespace hipwright::device::hip
