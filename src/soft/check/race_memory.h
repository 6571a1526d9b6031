// SPDX-License-Identifier: MIT
// How much memory is checked for races: a record of the accesses takes many times its size.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstdint>

namespace hipwright::soft {

// Pages of device memory, whose records take an eighth of this machine's memory; 64 MiB of device
// memory at least.
inline std::size_t most_race_pages(std::size_t page_bytes, std::size_t record_bytes) {
  const auto machine = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                       static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return std::max<std::size_t>((std::size_t{64} << 20) / page_bytes, machine / 8 / record_bytes);
}

}  // namespace hipwright::soft
