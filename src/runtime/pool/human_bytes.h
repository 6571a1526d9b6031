// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include <fmt/format.h>

namespace hipwright::runtime {

// "512 B", "1.5 KiB", "20.0 MiB", "3.42 GiB"
inline std::string human_bytes(std::uint64_t bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  const auto value = static_cast<double>(bytes);
  if (bytes < (1ULL << 20)) return fmt::format("{:.1f} KiB", value / 1024);
  if (bytes < (1ULL << 30)) return fmt::format("{:.1f} MiB", value / (1024.0 * 1024));
  return fmt::format("{:.2f} GiB", value / (1024.0 * 1024 * 1024));
}

}  // namespace hipwright::runtime
