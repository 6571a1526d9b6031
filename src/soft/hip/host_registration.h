// SPDX-License-Identifier: MIT
// Memory of the program that kernels may use.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace hipwright::soft::hip {

class Runtime;

// What hipHostMalloc or hipHostRegister was given for the memory that begins there.
void remember_host_flags(std::uint64_t begin, unsigned flags);
void forget_host_flags(std::uint64_t begin);
std::optional<unsigned> host_flags(std::uint64_t begin);

// Takes registered memory that the program has unmapped from kernels, and says so.
void drop_unmapped(Runtime& runtime);
// What device work lost of registered memory since the last call, as a sentence; empty: nothing.
std::string take_lost_memory();

}  // namespace hipwright::soft::hip
