// SPDX-License-Identifier: MIT
// Operators that copy elements to other places.
#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "graph/ops/shapes.h"

namespace hipwright::graph::ops {

namespace {

Result<std::vector<std::size_t>> permutation_of(const Node& node, std::size_t rank) {
  std::vector<std::size_t> out(rank);
  for (std::size_t i = 0; i < rank; ++i) out[i] = rank - 1 - i;
  const auto given = node.integers("perm");
  if (!given) return out;
  HW_TRY(const auto axes, axes_of(*given, rank));
  if (axes.size() != rank) return mismatch("perm does not name every axis once");
  for (std::size_t i = 0; i < rank; ++i) {
    HW_TRY(out[i], axis_of((*given)[i], rank));
  }
  return out;
}

Result<Tensors> run_transpose(const Call& call) {
  const Tensor& x = call[0];
  HW_TRY(const auto order, permutation_of(call.node, x.dims.size()));
  const Dims own = strides_of(x.dims);
  Dims dims, strides;
  for (const std::size_t axis : order) {
    dims.push_back(x.dims[axis]);
    strides.push_back(own[axis]);
  }
  HW_TRY(Tensor out, strided(x, std::move(dims), strides));
  return Tensors{std::move(out)};
}

Result<Types> infer_transpose(const TypedCall& call) {
  const Shape* shape = call.shape(0);
  const auto perm = call.node.integers("perm");
  if (shape == nullptr && perm) HW_CHECK(permutation_of(call.node, perm->size()));
  if (shape == nullptr) return unknown_shape(call);
  HW_TRY(const auto order, permutation_of(call.node, shape->size()));
  Shape out;
  for (const std::size_t axis : order) out.push_back((*shape)[axis]);
  return Types{{call.element(0), out}};
}

Result<Tensors> run_expand(const Call& call) {
  HW_TRY(const Dims dims, broadcast(call[0].dims, int64s_of(call[1])));
  HW_TRY(Tensor out, strided(call[0], dims, broadcast_strides(call[0].dims, dims)));
  return Tensors{std::move(out)};
}

Result<Types> infer_expand(const TypedCall& call) {
  const Shape* shape = call.shape(0);
  const Tensor* wanted = call.constant(1);
  if (shape == nullptr || wanted == nullptr) return unknown_shape(call);
  for (const std::int64_t dim : int64s_of(*wanted))
    if (dim < 0) return mismatch("a dimension is negative");
  HW_TRY(Shape out, broadcast(*shape, shape_of(int64s_of(*wanted))));
  return Types{{call.element(0), std::move(out)}};
}

Result<Tensors> run_concat(const Call& call) {
  if (!call.node.has("axis")) return mismatch("the axis is missing");
  HW_TRY(const std::size_t axis, axis_of(call.node.integer("axis", 0), call[0].dims.size()));
  Dims dims = call[0].dims;
  dims[axis] = 0;
  for (const Tensor* each : call.inputs) {
    if (each == nullptr || each->type != call[0].type || each->dims.size() != dims.size())
      return mismatch("the parts differ in type or dimensions");
    for (std::size_t i = 0; i < dims.size(); ++i)
      if (i != axis && each->dims[i] != dims[i])
        return mismatch(dims_text(each->dims) + " beside " + dims_text(call[0].dims));
    dims[axis] += each->dims[axis];
  }
  HW_TRY(const std::size_t count, result_count(dims));
  const std::size_t size = size_of(call[0].type);
  std::string bytes;
  bytes.reserve(count * size);
  const std::int64_t outer = product(dims, 0, axis);
  for (std::int64_t i = 0; i < outer; ++i)
    for (const Tensor* each : call.inputs) {
      const std::size_t part =
          static_cast<std::size_t>(product(each->dims, axis, dims.size())) * size;
      bytes.append(*each->bytes, static_cast<std::size_t>(i) * part, part);
    }
  return Tensors{raw_tensor(call[0].type, std::move(dims), std::move(bytes))};
}

Result<Types> infer_concat(const TypedCall& call) {
  const Shape* first = call.shape(0);
  if (first == nullptr) return unknown_shape(call);
  HW_TRY(const std::size_t axis, axis_of(call.node.integer("axis", 0), first->size()));
  Shape out = *first;
  out[axis] = 0;
  for (std::size_t i = 0; i < call.node.inputs.size(); ++i) {
    const Shape* shape = call.shape(i);
    if (shape == nullptr) {
      out[axis] = Dim();
      continue;
    }
    if (shape->size() != out.size()) return mismatch("the parts differ in dimensions");
    if (!(*shape)[axis].is_known())
      out[axis] = Dim();
    else if (out[axis].is_known())
      out[axis].size += (*shape)[axis].size;
  }
  return Types{{call.element(0), out}};
}

// The sizes of the parts: given, or equal ones with a smaller last.
Result<Dims> parts_of(const Node& node, const Tensor* given, std::int64_t length) {
  if (given != nullptr) {
    Dims parts = int64s_of(*given);
    std::int64_t sum = 0;
    for (const std::int64_t part : parts) {
      if (part < 0 || part > length) return mismatch("a part does not fit");
      sum += part;
    }
    if (sum != length || parts.size() < node.outputs.size())
      return mismatch("the parts are not the whole");
    return parts;
  }
  const auto count = node.integer("num_outputs", static_cast<std::int64_t>(node.outputs.size()));
  if (count <= 0 || count != static_cast<std::int64_t>(node.outputs.size()))
    return mismatch("invalid number of parts");
  const std::int64_t part = (length + count - 1) / count;
  Dims parts(static_cast<std::size_t>(count), part);
  parts.back() = length - part * (count - 1);
  if (parts.back() < 0) return mismatch("more parts than elements");
  return parts;
}

Result<Tensors> run_split(const Call& call) {
  const Tensor& x = call[0];
  HW_TRY(const std::size_t axis, axis_of(call.node.integer("axis", 0), x.dims.size()));
  HW_TRY(const Dims parts, parts_of(call.node, call.input(1), x.dims[axis]));
  const Dims strides = strides_of(x.dims);
  Tensors out;
  std::int64_t begin = 0;
  for (const std::int64_t part : parts) {
    Dims dims = x.dims;
    dims[axis] = part;
    HW_TRY(Tensor each, strided(x, std::move(dims), strides, begin * strides[axis]));
    out.push_back(std::move(each));
    begin += part;
  }
  return out;
}

Result<Types> infer_split(const TypedCall& call) {
  const Shape* shape = call.shape(0);
  Types types(call.node.outputs.size(), {call.element(0), std::nullopt});
  if (shape == nullptr) return types;
  HW_TRY(const std::size_t axis, axis_of(call.node.integer("axis", 0), shape->size()));
  Shape part = *shape;
  part[axis] = Dim();
  const bool is_known = (*shape)[axis].is_known() && (call.type(1) == nullptr || call.constant(1));
  Dims parts;
  if (is_known) {
    HW_TRY(parts, parts_of(call.node, call.constant(1), (*shape)[axis].size));
  }
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (is_known) part[axis] = parts[i];
    types[i].shape = part;
  }
  return types;
}

struct Range {
  std::int64_t begin, step, count;
};

Result<Range> range_of(std::int64_t begin, std::int64_t end, std::int64_t step,
                       std::int64_t length) {
  if (step == 0 || step == INT64_MIN) return mismatch("invalid step");
  const std::int64_t low = step > 0 ? 0 : -1, high = step > 0 ? length : length - 1;
  const auto clamped = [&](std::int64_t at) {
    if (at < 0) at = at < -length ? (step > 0 ? 0 : -1) : at + length;
    return std::clamp(at, std::min(low, high), std::max(low, high));
  };
  begin = clamped(begin);
  end = clamped(end);
  const std::int64_t distance = step > 0 ? end - begin : begin - end;
  const std::int64_t stride = step > 0 ? step : -step;
  return Range{begin, step, distance <= 0 ? 0 : (distance - 1) / stride + 1};
}

struct Slices {
  std::vector<std::size_t> axes;
  Dims starts, ends, steps;
};

Result<Slices> slices_of(const Tensor& starts, const Tensor& ends, const Tensor* axes,
                         const Tensor* steps, std::size_t rank) {
  Slices out{.axes = {}, .starts = int64s_of(starts), .ends = int64s_of(ends), .steps = {}};
  Dims given(out.starts.size());
  std::iota(given.begin(), given.end(), 0);
  if (axes != nullptr) given = int64s_of(*axes);
  out.steps.assign(out.starts.size(), 1);
  if (steps != nullptr) out.steps = int64s_of(*steps);
  if (out.ends.size() != out.starts.size() || given.size() != out.starts.size() ||
      out.steps.size() != out.starts.size())
    return mismatch("starts, ends, axes and steps differ in length");
  HW_TRY([[maybe_unused]] const auto unique, axes_of(given, rank));
  for (const std::int64_t each : given) {
    HW_TRY(const std::size_t axis, axis_of(each, rank));
    out.axes.push_back(axis);
  }
  return out;
}

Result<Tensors> run_slice(const Call& call) {
  const Tensor& x = call[0];
  HW_TRY(const Slices slices,
         slices_of(call[1], call[2], call.input(3), call.input(4), x.dims.size()));
  Dims dims = x.dims, strides = strides_of(x.dims);
  std::int64_t base = 0;
  for (std::size_t i = 0; i < slices.axes.size(); ++i) {
    const std::size_t axis = slices.axes[i];
    HW_TRY(const Range range,
           range_of(slices.starts[i], slices.ends[i], slices.steps[i], x.dims[axis]));
    dims[axis] = range.count;
    base += range.begin * strides[axis];
    if (range.count > 1) strides[axis] *= range.step;
  }
  HW_TRY(Tensor out, strided(x, std::move(dims), strides, base));
  return Tensors{std::move(out)};
}

Result<Types> infer_slice(const TypedCall& call) {
  const Shape* shape = call.shape(0);
  if (shape == nullptr) return unknown_shape(call);
  Shape out = *shape;
  const bool has_all = call.constant(1) != nullptr && call.constant(2) != nullptr &&
                       (call.type(3) == nullptr || call.constant(3) != nullptr) &&
                       (call.type(4) == nullptr || call.constant(4) != nullptr);
  if (!has_all) return Types{{call.element(0), Shape(out.size())}};
  HW_TRY(const Slices slices, slices_of(*call.constant(1), *call.constant(2), call.constant(3),
                                        call.constant(4), out.size()));
  for (std::size_t i = 0; i < slices.axes.size(); ++i) {
    Dim& dim = out[slices.axes[i]];
    if (!dim.is_known()) {
      dim = Dim();
      continue;
    }
    HW_TRY(const Range range,
           range_of(slices.starts[i], slices.ends[i], slices.steps[i], dim.size));
    dim = range.count;
  }
  return Types{{call.element(0), out}};
}

Result<Dims> repeats_of(const Tensor& repeats, std::size_t rank) {
  Dims out = int64s_of(repeats);
  if (out.size() != rank) return mismatch("repeats has not one number for each dimension");
  HW_CHECK(count_elements(out));
  return out;
}

Result<Tensors> run_tile(const Call& call) {
  const Tensor& x = call[0];
  HW_TRY(const Dims repeats, repeats_of(call[1], x.dims.size()));
  Dims dims;
  for (std::size_t i = 0; i < repeats.size(); ++i) {
    HW_CHECK(result_count({x.dims[i], repeats[i]}));
    dims.push_back(x.dims[i] * repeats[i]);
  }
  HW_TRY(const std::size_t count, result_count(dims));
  const Dims strides = strides_of(x.dims), own = strides_of(dims);
  std::vector<std::int64_t> offsets;
  for (std::size_t i = 0; i < count; ++i) {
    std::int64_t offset = 0;
    for (std::size_t d = 0; d < dims.size(); ++d)
      offset += static_cast<std::int64_t>(i) / own[d] % dims[d] % x.dims[d] * strides[d];
    offsets.push_back(offset);
  }
  return Tensors{gathered(x, x.type, std::move(dims), offsets)};
}

Result<Types> infer_rank(const TypedCall& call) {
  const Shape* shape = call.shape(0);
  if (shape == nullptr) return unknown_shape(call);
  return Types{{call.element(0), Shape(shape->size())}};
}

Result<Tensors> run_trilu(const Call& call) {
  const Tensor& x = call[0];
  if (x.dims.size() < 2) return mismatch("the input is not a matrix");
  if (call.input(1) != nullptr && !call[1].is_scalar()) return mismatch("k is not a scalar");
  const std::int64_t k = call.input(1) == nullptr ? 0 : int64s_of(call[1])[0];
  const bool upper = call.node.integer("upper", 1) != 0;
  const std::int64_t columns = x.dims.back(), rows = x.dims[x.dims.size() - 2];
  std::string bytes = *x.bytes;
  const std::size_t size = size_of(x.type);
  for (std::int64_t i = 0; i < x.count(); ++i) {
    const auto distance = static_cast<Integer>(i % columns) - i / columns % rows;
    if (upper ? distance < k : distance > k)
      std::fill_n(
          bytes.begin() + static_cast<std::ptrdiff_t>(i) * static_cast<std::ptrdiff_t>(size), size,
          '\0');
  }
  return Tensors{raw_tensor(x.type, x.dims, std::move(bytes))};
}

// How far each side of each dimension grows.
Result<Tensors> run_pad(const Call& call) {
  const Tensor& x = call[0];
  const std::string mode = call.node.text("mode", "constant");
  const std::size_t rank = x.dims.size();
  Dims axes(rank), pads = int64s_of(call[1]);
  std::iota(axes.begin(), axes.end(), 0);
  if (call.input(3) != nullptr) axes = int64s_of(call[3]);
  HW_CHECK(axes_of(axes, rank));
  if (pads.size() != 2 * axes.size()) return mismatch("pads has not two numbers for each axis");
  Dims before(rank), dims = x.dims;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    HW_TRY(const std::size_t axis, axis_of(axes[i], rank));
    const std::int64_t most = kMostElements;
    if (std::abs(pads[i]) > most || std::abs(pads[i + axes.size()]) > most)
      return mismatch("a pad is too large");
    before[axis] = pads[i];
    dims[axis] += pads[i] + pads[i + axes.size()];
    if (dims[axis] < 0) return mismatch("more is cut off than there is");
    if (mode != "constant" && x.dims[axis] == 0 && dims[axis] != 0)
      return mismatch("there is nothing to repeat");
  }
  HW_TRY(const std::size_t count, result_count(dims));
  const Dims strides = strides_of(x.dims), own = strides_of(dims);
  const std::size_t size = size_of(x.type);
  std::string fill(size, '\0');
  if (call.input(2) != nullptr) {
    if (!call[2].is_scalar() || call[2].type != x.type) return mismatch("invalid pad value");
    fill = *call[2].bytes;
  }
  std::string bytes;
  bytes.reserve(count * size);
  for (std::size_t i = 0; i < count; ++i) {
    std::int64_t offset = 0;
    bool is_outside = false;
    for (std::size_t d = 0; d < rank; ++d) {
      std::int64_t at = static_cast<std::int64_t>(i) / own[d] % dims[d] - before[d];
      const std::int64_t length = x.dims[d];
      if (mode == "reflect") {
        const std::int64_t period = std::max<std::int64_t>(1, 2 * (length - 1));
        at = (at % period + period) % period;
        if (at >= length) at = period - at;
      } else if (mode == "edge") {
        at = std::clamp<std::int64_t>(at, 0, length - 1);
      } else if (mode == "wrap") {
        at = (at % length + length) % length;
      } else if (mode != "constant") {
        return mismatch("unknown mode " + mode);
      }
      is_outside |= at < 0 || at >= length;
      offset += at * strides[d];
    }
    if (is_outside)
      bytes += fill;
    else
      bytes.append(*x.bytes, static_cast<std::size_t>(offset) * size, size);
  }
  return Tensors{raw_tensor(x.type, std::move(dims), std::move(bytes))};
}

}  // namespace

Operators move() {
  return {{"Transpose", 1, 1, infer_transpose, run_transpose},
          {"Expand", 2, 2, infer_expand, run_expand},
          {"Concat", 1, kAnyNumber, infer_concat, run_concat},
          {"Split", 1, 2, infer_split, run_split},
          {"Slice", 3, 5, infer_slice, run_slice},
          {"Tile", 2, 2, infer_rank, run_tile},
          {"Trilu", 1, 2, same_as_first, run_trilu, 14},
          {"Pad", 2, 4, infer_rank, run_pad}};
}

}  // namespace hipwright::graph::ops
