// SPDX-License-Identifier: MIT
// Shapes: axes, broadcasts, positions. What the operators' files share.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "graph/op.h"

namespace hipwright::graph {

// Results with more elements are errors: the reference code holds them several times.
constexpr std::int64_t kMostElements = std::int64_t{1} << 28;

std::unexpected<Error> mismatch(std::string why);

// 0 <= axis < rank; negative axes count from the end.
Result<std::size_t> axis_of(std::int64_t axis, std::size_t rank);
// Without duplicates, ascending.
Result<std::vector<std::size_t>> axes_of(const std::vector<std::int64_t>& axes, std::size_t rank);

Result<Dims> broadcast(const Dims& a, const Dims& b);
// Unknown where either is unknown and the other does not decide.
Result<Shape> broadcast(const Shape& a, const Shape& b);
// The number of elements, at most kMostElements.
Result<std::size_t> result_count(const Dims& dims);

Dims strides_of(const Dims& dims);  // in elements
// Strides of `from` in a loop over `to`, to which it broadcasts: 0 where it repeats.
Dims broadcast_strides(const Dims& from, const Dims& to);
// Calls body(offset in each of the operands) for every element of `dims`, in order.
template <class Body>
void each_position(const Dims& dims, const std::vector<Dims>& strides, Body body);

// Without the undefined behaviour of an overflow.
inline Integer wrapped_product(Integer a, Integer b) {
  using Unsigned = unsigned __int128;
  return static_cast<Integer>(static_cast<Unsigned>(a) * static_cast<Unsigned>(b));
}

// The product of dims [begin, end).
std::int64_t product(const Dims& dims, std::size_t begin, std::size_t end);

// The values of a tensor, moved: the element at each offset.
Tensor gathered(const Tensor& from, ElementType type, Dims dims,
                const std::vector<std::int64_t>& offsets);
// The element at `base`, and at steps of `strides` from it.
Result<Tensor> strided(const Tensor& from, Dims dims, const Dims& strides, std::int64_t base = 0);

// Infer functions of many operators.
Result<Types> same_as_first(const TypedCall& call);
Result<Types> broadcast_of_all(const TypedCall& call);
Result<Types> unknown_shape(const TypedCall& call);  // the element type of the first input

template <class Body>
void each_position(const Dims& dims, const std::vector<Dims>& strides, Body body) {
  if (product(dims, 0, dims.size()) == 0) return;
  const std::size_t operands = strides.size(), last = dims.empty() ? 0 : dims.size() - 1;
  const std::int64_t length = dims.empty() ? 1 : dims[last];
  Dims position(dims.size(), 0);
  std::vector<std::int64_t> row(operands, 0), offsets;
  while (true) {
    offsets = row;
    for (std::int64_t i = 0; i < length; ++i) {
      body(offsets.data());
      if (dims.empty()) return;
      for (std::size_t k = 0; k < operands; ++k) offsets[k] += strides[k][last];
    }
    std::size_t d = last;
    while (d-- > 0) {
      const std::int64_t step = ++position[d] == dims[d] ? 1 - dims[d] : 1;
      for (std::size_t k = 0; k < operands; ++k) row[k] += step * strides[k][d];
      if (step == 1 && position[d] != dims[d]) break;
      position[d] = 0;
    }
    if (d == SIZE_MAX) return;
  }
}

}  // namespace hipwright::graph
