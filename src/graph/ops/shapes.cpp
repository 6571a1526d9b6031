// SPDX-License-Identifier: MIT
#include "graph/ops/shapes.h"

#include <algorithm>
#include <cstring>

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

namespace {

// Copies rows of `length` elements; those of a row are `step` elements apart.
template <class Element>
void copy_rows(const Tensor& from, const Dims& rows, const Dims& strides, std::int64_t base,
               std::int64_t length, std::int64_t step, std::string& bytes) {
  const char* data = from.bytes->data();
  char* to = bytes.data();
  each_position(rows, {strides}, [&](const std::int64_t* at) {
    const char* row = data + (base + at[0]) * static_cast<std::int64_t>(sizeof(Element));
    if (step == 1) {
      std::memcpy(to, row, static_cast<std::size_t>(length) * sizeof(Element));
      to += static_cast<std::size_t>(length) * sizeof(Element);
      return;
    }
    for (std::int64_t i = 0; i < length; ++i, to += sizeof(Element))
      std::memcpy(to, row + i * step * static_cast<std::int64_t>(sizeof(Element)), sizeof(Element));
  });
}

}  // namespace

Result<Tensor> strided(const Tensor& from, Dims dims, const Dims& strides, std::int64_t base) {
  HW_TRY(const std::size_t count, result_count(dims));
  const std::size_t size = size_of(from.type);
  std::string bytes(count * size, '\0');
  if (count != 0) {
    const auto head = [](const Dims& all) {
      return Dims(all.begin(), all.empty() ? all.end() : all.end() - 1);
    };
    const std::int64_t length = dims.empty() ? 1 : dims.back();
    const std::int64_t step = strides.empty() ? 1 : strides.back();
    const auto copy = size == 1   ? copy_rows<std::uint8_t>
                      : size == 2 ? copy_rows<std::uint16_t>
                      : size == 4 ? copy_rows<std::uint32_t>
                                  : copy_rows<std::uint64_t>;
    copy(from, head(dims), head(strides), base, length, step, bytes);
  }
  return raw_tensor(from.type, std::move(dims), std::move(bytes));
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
