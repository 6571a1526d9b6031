// SPDX-License-Identifier: MIT
#include "graph/ops/shapes.h"

#include <algorithm>

#include <fmt/format.h>

namespace hipwright::graph {

std::unexpected<Error> mismatch(std::string why) {
  return fail("inputs do not fit", "", std::move(why));
}

Result<std::size_t> axis_of(std::int64_t axis, std::size_t rank) {
  const auto count = static_cast<std::int64_t>(rank);
  if (axis < -count || axis >= count)
    return mismatch(fmt::format("axis {} of a tensor with {} dimensions", axis, rank));
  return static_cast<std::size_t>(axis < 0 ? axis + count : axis);
}

Result<std::vector<std::size_t>> axes_of(const std::vector<std::int64_t>& axes, std::size_t rank) {
  std::vector<std::size_t> out;
  for (const std::int64_t each : axes) {
    HW_TRY(const std::size_t axis, axis_of(each, rank));
    if (std::ranges::find(out, axis) != out.end())
      return mismatch(fmt::format("axis {} twice", each));
    out.push_back(axis);
  }
  std::ranges::sort(out);
  return out;
}

Result<Dims> broadcast(const Dims& a, const Dims& b) {
  Dims out(std::max(a.size(), b.size()), 1);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1;
    const std::int64_t y = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (x != y && x != 1 && y != 1)
      return mismatch(fmt::format("{} and {} do not broadcast", dims_text(a), dims_text(b)));
    out[out.size() - 1 - i] = x == 1 ? y : x;
  }
  return out;
}

Result<Shape> broadcast(const Shape& a, const Shape& b) {
  Shape out(std::max(a.size(), b.size()), Dim(1));
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Dim x = i < a.size() ? a[a.size() - 1 - i] : Dim(1);
    const Dim y = i < b.size() ? b[b.size() - 1 - i] : Dim(1);
    if (x.is_known() && y.is_known() && x.size != y.size && x.size != 1 && y.size != 1)
      return mismatch(fmt::format("{} and {} do not broadcast", to_string(a), to_string(b)));
    Dim& to = out[out.size() - 1 - i];
    if (x == Dim(1) || x == y)
      to = y;
    else if (y == Dim(1))
      to = x;
    else if (x.is_known() || y.is_known())
      to = x.is_known() ? x : y;  // the other is the same, or 1
    else
      to = Dim();
  }
  return out;
}

Result<std::size_t> result_count(const Dims& dims) {
  HW_TRY(const std::int64_t count, count_elements(dims));
  if (count > kMostElements)
    return mismatch(
        fmt::format("the result {} is too large for the reference code", dims_text(dims)));
  return static_cast<std::size_t>(count);
}

Dims strides_of(const Dims& dims) {
  Dims strides(dims.size(), 1);
  for (std::size_t i = dims.size(); i-- > 1;) strides[i - 1] = strides[i] * dims[i];
  return strides;
}

Dims broadcast_strides(const Dims& from, const Dims& to) {
  const Dims own = strides_of(from);
  Dims strides(to.size(), 0);
  for (std::size_t i = 0; i < from.size(); ++i)
    if (from[i] != 1) strides[to.size() - from.size() + i] = own[i];
  return strides;
}

void each_position(const Dims& dims, const std::vector<Dims>& strides,
                   const std::function<void(const std::int64_t* offsets)>& body) {
  std::int64_t count = 1;
  for (const std::int64_t dim : dims) count *= dim;
  Dims position(dims.size(), 0);
  std::vector<std::int64_t> offsets(strides.size(), 0);
  for (std::int64_t i = 0; i < count; ++i) {
    body(offsets.data());
    for (std::size_t d = dims.size(); d-- > 0;) {
      const std::int64_t step = ++position[d] == dims[d] ? 1 - dims[d] : 1;
      for (std::size_t k = 0; k < strides.size(); ++k) offsets[k] += step * strides[k][d];
      if (step == 1 && position[d] != dims[d]) break;
      position[d] = 0;
    }
  }
}

std::int64_t product(const Dims& dims, std::size_t begin, std::size_t end) {
  std::int64_t out = 1;
  for (std::size_t i = begin; i < end; ++i) out *= dims[i];
  return out;
}

Tensor gathered(const Tensor& from, ElementType type, Dims dims,
                const std::vector<std::int64_t>& offsets) {
  const std::size_t size = size_of(type);
  std::string bytes;
  bytes.reserve(offsets.size() * size);
  for (const std::int64_t offset : offsets)
    bytes.append(*from.bytes, static_cast<std::size_t>(offset) * size, size);
  return raw_tensor(type, std::move(dims), std::move(bytes));
}

Result<Types> same_as_first(const TypedCall& call) {
  const Type* type = call.type(0);
  return Types{type == nullptr ? Type{} : *type};
}

Result<Types> broadcast_of_all(const TypedCall& call) {
  std::optional<Shape> shape = Shape{};
  for (std::size_t i = 0; i < call.node.inputs.size(); ++i) {
    if (call.type(i) == nullptr) continue;
    const Shape* next = call.shape(i);
    if (next == nullptr || !shape) {
      shape.reset();
      continue;
    }
    HW_TRY(Shape both, broadcast(*shape, *next));
    shape = std::move(both);
  }
  return Types{{call.element(0), std::move(shape)}};
}

Result<Types> unknown_shape(const TypedCall& call) {
  return Types{{call.element(0), std::nullopt}};
}

}  // namespace hipwright::graph
