// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

namespace hipwright {

// The number of letters to insert, remove, replace, or swap with their neighbour to turn one word
// into the other: small for typos.
std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace hipwright
