// SPDX-License-Identifier: MIT
// Memory of the program that kernels may use.
#pragma once

#include <cstdint>
#include <optional>

namespace hipwright::soft::hip {

// What hipHostMalloc or hipHostRegister was given for the memory that begins there.
void remember_host_flags(std::uint64_t begin, unsigned flags);
void forget_host_flags(std::uint64_t begin);
std::optional<unsigned> host_flags(std::uint64_t begin);

}  // namespace hipwright::soft::hip
