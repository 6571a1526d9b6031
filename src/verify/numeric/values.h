// SPDX-License-Identifier: MIT
// A tensor in host memory: a kernel's input or output, or a stored result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "hipwright/checkpoint.h"

namespace hipwright::verify {

using Shape = std::vector<std::int64_t>;

struct Values {
  DataType type = DataType::kF32;
  Shape shape;
  std::string bytes;  // row-major, little-endian; size_of(type) for each element

  std::size_t count() const { return bytes.size() / size_of(type); }
  // For every type. 64-bit integers beyond 2^53 are rounded; compare() handles them as integers.
  double at(std::size_t index) const;
};

// Rounds to nearest even, as GPUs do. A value too large for the type becomes infinity, or the
// largest value if the type has no infinity (e4m3, integers). NaN becomes 0 in an integer.
void store(Values& values, std::size_t index, double value);

Values zeros(DataType type, Shape shape);

bool is_float(DataType type);
// "f32", "bf16", "i64", "bool", "f8e4m3", "f8e5m2"; also as safetensors and C spell them ("F32",
// "float"). The two 8-bit types are OCP's. AMD's gfx940 family computes with others ("fnuz",
// another bias, no negative zero): they have no name here, and their bits read as OCP are half or
// twice the value, which compare() recognises.
Result<DataType> parse_type(std::string_view word);
std::string_view short_name(DataType type);  // "f32"

// "[1, 1]" for element 4 of a shape {2, 3}.
std::string index_text(const Shape& shape, std::size_t index);
// An element for people: as many digits as distinguish it from its neighbours.
std::string value_text(const Values& values, std::size_t index);

}  // namespace hipwright::verify
