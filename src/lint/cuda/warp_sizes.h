// SPDX-License-Identifier: MIT
// Constants that say how many lanes a warp or a wave has.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lint/cuda/values.h"
#include "lint/rule.h"

namespace hipwright::lint {

// WARP_SIZE, kWarpSize, hw_warp_size, MY_WAVE_SIZE, THREADS_PER_WARP…; not half_warp_size.
bool is_warp_size_name(std::string_view name);

struct SizeDefinition {
  cu::TokenIndex name;
  std::optional<std::uint64_t> value;  // nothing: not a number that can be told
};
// Macros without arguments and constants with such names that AMD's compiler can see, in text
// order. Defaults of parameters are the caller's to change, and are none.
std::vector<SizeDefinition> warp_size_definitions(const CudaCheck& check);
// Words of which every file has one that defines such a constant.
const std::vector<syntax::Name>& definition_words();

// template <int warpSize, …>: does the file give the name to a parameter of its own?
bool is_template_parameter(const cu::File& file, std::string_view name);

// Where a name stands in the file, whoever looks for it.
std::vector<cu::TokenIndex> places_of(const cu::File& file, std::string_view name);

}  // namespace hipwright::lint
