// SPDX-License-Identifier: MIT
// A tensor in host memory: what kernels are given, what they leave behind, what is stored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "hipwright/checkpoint.h"

namespace hipwright::verify {

using Shape = std::vector<std::int64_t>;

struct Values {
  DataType type = DataType::kF32;
  Shape shape;
  std::string bytes;  // row-major, little-endian; size_of(type) for each element

  std::size_t count() const { return bytes.size() / size_of(type); }
  // Of every type; 64-bit integers beyond 2^53 are rounded, and compared as integers elsewhere.
  double at(std::size_t index) const;
};

// Rounds to nearest even, as GPUs store; what is too large for the type becomes its infinity, or
// its largest value where it has none.
void store(Values& values, std::size_t index, double value);

Values zeros(DataType type, Shape shape);

// "[2, 3, 0]" of element 4 in a shape {2, 3}.
std::string index_text(const Shape& shape, std::size_t index);

}  // namespace hipwright::verify
