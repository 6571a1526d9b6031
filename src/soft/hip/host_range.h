// SPDX-License-Identifier: MIT
// What the host may do with a range of its own memory.
#pragma once

#include <cstdint>

namespace hipwright::soft::hip {

enum class HostRange : std::uint8_t { kUnmapped, kReadOnly, kWritable };

// The least that holds for all of it. kUnmapped also for a range that no process can have.
HostRange host_range(std::uint64_t begin, std::uint64_t size);

}  // namespace hipwright::soft::hip
