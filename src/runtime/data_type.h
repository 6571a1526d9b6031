// SPDX-License-Identifier: MIT
// Sizes of tensors, checked.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "hipwright/checkpoint.h"

namespace hipwright::runtime {

std::optional<DataType> parse_data_type(std::string_view name);  // as to_string() spells it

// The error names the invalid dimension.
Result<std::uint64_t> count_elements(std::span<const std::int64_t> shape);
Result<std::uint64_t> count_bytes(DataType type, std::span<const std::int64_t> shape);

std::string shape_text(std::span<const std::int64_t> shape);  // "[2, 3]"

}  // namespace hipwright::runtime
