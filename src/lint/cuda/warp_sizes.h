// SPDX-License-Identifier: MIT
// Constants for the number of lanes of a warp or a wave.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lint/rule.h"
#include "syntax/cuda/lane_ops.h"
#include "syntax/cuda/values.h"

namespace hipwright::lint {

struct SizeDefinition {
  cu::TokenIndex name;
  std::optional<std::uint64_t> value;  // empty if it cannot be evaluated
};
// Macros without arguments and constants with such names that AMD's compiler can see, in source
// order. Parameter defaults do not count: the caller can override them.
std::vector<SizeDefinition> warp_size_definitions(const CudaCheck& check);
// Every file that defines such a constant contains one of these words.
const std::vector<syntax::Name>& definition_words();

// template <int warpSize, …>: does the file use the name for a template parameter?
bool is_template_parameter(const cu::File& file, std::string_view name);

}  // namespace hipwright::lint
