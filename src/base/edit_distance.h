// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

namespace hipwright {

// How many letters must be inserted, removed, replaced, or swapped with their neighbour to turn
// one word into the other: small for typing mistakes.
std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace hipwright
