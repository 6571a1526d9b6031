// SPDX-License-Identifier: MIT
// How much memory is checked for races: a record of the accesses takes many times its size.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstdint>

namespace hipwright::soft {

// Pages of device memory, whose records take a quarter of what this machine has free now; 64 MiB
// of device memory at least.
inline std::size_t most_race_pages(std::size_t page_bytes, std::size_t record_bytes) {
  const auto free_bytes = static_cast<std::uint64_t>(sysconf(_SC_AVPHYS_PAGES)) *
                          static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return std::max<std::size_t>((std::size_t{64} << 20) / page_bytes, free_bytes / 4 / record_bytes);
}

}  // namespace hipwright::soft
