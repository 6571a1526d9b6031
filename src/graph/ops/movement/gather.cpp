// SPDX-License-Identifier: MIT
// Operators whose places are data.
#include <algorithm>

#include "graph/ops/shapes.h"

namespace hipwright::graph::ops {

namespace {

Result<std::int64_t> index_of(Integer index, std::int64_t length) {
  if (index < -length || index >= length) return mismatch("an index is out of range");
  return static_cast<std::int64_t>(index < 0 ? index + length : index);
}

Result<Tensors> run_gather(const Call& call) {
  const Tensor& x = call[0];
  HW_TRY(const std::size_t axis, axis_of(call.node.integer("axis", 0), x.dims.size()));
  Dims dims(x.dims.begin(), x.dims.begin() + static_cast<std::ptrdiff_t>(axis));
  dims.insert(dims.end(), call[1].dims.begin(), call[1].dims.end());
  dims.insert(dims.end(), x.dims.begin() + static_cast<std::ptrdiff_t>(axis) + 1, x.dims.end());
  HW_TRY(const std::size_t count, result_count(dims));
  const std::vector<Integer> indices = integers_of(call[1]);
  const std::size_t part =
      static_cast<std::size_t>(product(x.dims, axis + 1, x.dims.size())) * size_of(x.type);
  std::string bytes;
  bytes.reserve(count * size_of(x.type));
  const std::int64_t outer = product(x.dims, 0, axis);
  for (std::int64_t i = 0; i < outer; ++i)
    for (const Integer each : indices) {
      HW_TRY(const std::int64_t index, index_of(each, x.dims[axis]));
      bytes.append(*x.bytes, static_cast<std::size_t>(i * x.dims[axis] + index) * part, part);
    }
  return Tensors{raw_tensor(x.type, std::move(dims), std::move(bytes))};
}

Result<Types> infer_gather(const TypedCall& call) {
  const Shape *shape = call.shape(0), *indices = call.shape(1);
  if (shape == nullptr || indices == nullptr) return unknown_shape(call);
  HW_TRY(const std::size_t axis, axis_of(call.node.integer("axis", 0), shape->size()));
  Shape out(shape->begin(), shape->begin() + static_cast<std::ptrdiff_t>(axis));
  out.insert(out.end(), indices->begin(), indices->end());
  out.insert(out.end(), shape->begin() + static_cast<std::ptrdiff_t>(axis) + 1, shape->end());
  return Types{{call.element(0), out}};
}

Result<Types> infer_like_indices(const TypedCall& call) {
  Types types{{call.element(0), std::nullopt}};
  if (const Shape* shape = call.shape(1)) types[0].shape = *shape;
  return types;
}

// Calls body(i, offset into x) for every index.
Status each_element(const Tensor& x, const Tensor& indices, std::int64_t axis_given,
                    const std::function<void(std::size_t, std::size_t)>& body) {
  HW_TRY(const std::size_t axis, axis_of(axis_given, x.dims.size()));
  if (indices.dims.size() != x.dims.size()) return mismatch("the indices differ in dimensions");
  for (std::size_t i = 0; i < x.dims.size(); ++i)
    if (i != axis && indices.dims[i] > x.dims[i]) return mismatch("more indices than elements");
  const std::vector<Integer> at = integers_of(indices);
  Dims strides = strides_of(x.dims);
  const std::int64_t stride = strides[axis];
  strides[axis] = 0;
  std::size_t next = 0;
  Status status;
  each_position(indices.dims, {strides}, [&](const std::int64_t* offset) {
    const auto index = index_of(at[next], x.dims[axis]);
    if (index)
      body(next, static_cast<std::size_t>(offset[0] + *index * stride));
    else
      status = std::unexpected(index.error());
    ++next;
  });
  return status;
}

Result<Tensors> run_gather_elements(const Call& call) {
  std::vector<std::int64_t> offsets;
  HW_CHECK(each_element(call[0], call[1], call.node.integer("axis", 0),
                        [&](std::size_t, std::size_t offset) {
                          offsets.push_back(static_cast<std::int64_t>(offset));
                        }));
  return Tensors{gathered(call[0], call[0].type, call[1].dims, offsets)};
}

double combined(const std::string& how, double old, double update) {
  if (how == "add") return old + update;
  if (how == "mul") return old * update;
  if (how == "max") return std::max(old, update);
  if (how == "min") return std::min(old, update);
  return update;
}

Result<Tensors> run_scatter_elements(const Call& call) {
  if (call[1].dims != call[2].dims || call[0].type != call[2].type)
    return mismatch("the updates do not fit");
  const std::string how = call.node.text("reduction", "none");
  std::vector<double> out = floats_of(call[0]);
  const std::vector<double> updates = floats_of(call[2]);
  HW_CHECK(each_element(call[0], call[1], call.node.integer("axis", 0),
                        [&](std::size_t i, std::size_t offset) {
                          out[offset] = combined(how, out[offset], updates[i]);
                        }));
  return Tensors{tensor_of(call[0].type, call[0].dims, out)};
}

// Where the parts that an ND index names begin, and how long they are.
struct Parts {
  std::vector<std::size_t> begins;
  std::size_t length;
  Dims tail;
};

Result<Parts> parts_of(const Tensor& x, const Tensor& indices, std::size_t batch) {
  if (indices.dims.empty() || x.dims.empty()) return mismatch("the inputs are scalars");
  const auto depth = static_cast<std::size_t>(indices.dims.back());
  if (indices.dims.size() <= batch || batch + depth > x.dims.size())
    return mismatch("the indices have too many numbers");
  for (std::size_t i = 0; i < batch; ++i)
    if (x.dims[i] != indices.dims[i]) return mismatch("the batches differ");
  Parts parts{.begins = {}, .length = 0, .tail = {}};
  parts.tail.assign(x.dims.begin() + static_cast<std::ptrdiff_t>(batch + depth), x.dims.end());
  parts.length = static_cast<std::size_t>(product(x.dims, batch + depth, x.dims.size()));
  const Dims strides = strides_of(x.dims);
  const std::vector<Integer> numbers = integers_of(indices);
  const auto count = static_cast<std::size_t>(product(indices.dims, 0, indices.dims.size() - 1));
  const auto in_batch =
      static_cast<std::size_t>(product(indices.dims, batch, indices.dims.size() - 1));
  const auto batch_size = static_cast<std::size_t>(product(x.dims, batch, x.dims.size()));
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t begin = i / in_batch * batch_size;
    for (std::size_t k = 0; k < depth; ++k) {
      HW_TRY(const std::int64_t index, index_of(numbers[i * depth + k], x.dims[batch + k]));
      begin += static_cast<std::size_t>(index * strides[batch + k]);
    }
    parts.begins.push_back(begin);
  }
  return parts;
}

Result<Tensors> run_gather_nd(const Call& call) {
  const std::int64_t batch = call.node.integer("batch_dims", 0);
  if (batch < 0 || batch > 64) return mismatch("invalid batch_dims");
  HW_TRY(const Parts parts, parts_of(call[0], call[1], static_cast<std::size_t>(batch)));
  Dims dims(call[1].dims.begin(), call[1].dims.end() - 1);
  dims.insert(dims.end(), parts.tail.begin(), parts.tail.end());
  HW_CHECK(result_count(dims));
  const std::size_t size = size_of(call[0].type);
  std::string bytes;
  for (const std::size_t begin : parts.begins)
    bytes.append(*call[0].bytes, begin * size, parts.length * size);
  return Tensors{raw_tensor(call[0].type, std::move(dims), std::move(bytes))};
}

Result<Tensors> run_scatter_nd(const Call& call) {
  HW_TRY(const Parts parts, parts_of(call[0], call[1], 0));
  if (call[2].type != call[0].type ||
      call[2].count() != static_cast<std::int64_t>(parts.begins.size() * parts.length))
    return mismatch("the updates do not fit");
  const std::string how = call.node.text("reduction", "none");
  std::vector<double> out = floats_of(call[0]);
  const std::vector<double> updates = floats_of(call[2]);
  for (std::size_t i = 0; i < parts.begins.size(); ++i)
    for (std::size_t k = 0; k < parts.length; ++k) {
      double& to = out[parts.begins[i] + k];
      to = combined(how, to, updates[i * parts.length + k]);
    }
  return Tensors{tensor_of(call[0].type, call[0].dims, out)};
}

Result<Tensors> run_non_zero(const Call& call) {
  const Tensor& x = call[0];
  const std::vector<double> values = floats_of(x);
  const Dims strides = strides_of(x.dims);
  std::vector<std::int64_t> found;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] != 0) found.push_back(static_cast<std::int64_t>(i));
  std::vector<std::int64_t> out;
  for (std::size_t d = 0; d < x.dims.size(); ++d)
    for (const std::int64_t offset : found) out.push_back(offset / strides[d] % x.dims[d]);
  return Tensors{int64_tensor(
      {static_cast<std::int64_t>(x.dims.size()), static_cast<std::int64_t>(found.size())}, out)};
}

Result<Types> infer_non_zero(const TypedCall&) {
  return Types{{ElementType::kI64, Shape(2)}};
}

}  // namespace

Operators gather() {
  return {{"Gather", 2, 2, infer_gather, run_gather},
          {"GatherElements", 2, 2, infer_like_indices, run_gather_elements},
          {"GatherND", 2, 2, unknown_shape, run_gather_nd},
          {"ScatterElements", 3, 3, same_as_first, run_scatter_elements},
          {"ScatterND", 3, 3, same_as_first, run_scatter_nd},
          {"NonZero", 1, 1, infer_non_zero, run_non_zero}};
}

}  // namespace hipwright::graph::ops
