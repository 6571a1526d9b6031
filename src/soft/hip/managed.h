// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace hipwright::soft::hip {

// What the program has said about memory that is freed now.
void forget_hints(std::uint64_t begin, std::uint64_t size);

}  // namespace hipwright::soft::hip
