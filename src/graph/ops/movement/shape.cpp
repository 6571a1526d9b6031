// SPDX-License-Identifier: MIT
// Operators that make, or change, shapes: the elements keep their order.
#include <algorithm>
#include <cmath>

#include "graph/ops/shapes.h"

namespace hipwright::graph::ops {

namespace {

Tensor with_dims(const Tensor& x, Dims dims) {
  return {x.type, std::move(dims), x.bytes};
}

std::size_t from_end(std::int64_t at, std::size_t rank) {
  const auto count = static_cast<std::int64_t>(rank);
  return static_cast<std::size_t>(std::clamp(at < 0 ? at + count : at, std::int64_t{0}, count));
}

// 0 copies a dimension, -1 is what is left.
Result<Dims> reshaped(const Dims& dims, std::vector<std::int64_t> wanted, bool allows_zero) {
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] == 0 && !allows_zero) {
      if (i >= dims.size()) return mismatch("a 0 in the shape copies no dimension");
      wanted[i] = dims[i];
    }
    if (wanted[i] < -1) return mismatch("a dimension is negative");
  }
  HW_TRY(const std::int64_t count, count_elements(dims));
  const auto unknown = std::ranges::count(wanted, -1);
  if (unknown > 1) return mismatch("two dimensions are -1");
  if (unknown == 1) {
    Dims known = wanted;
    std::erase(known, -1);
    HW_TRY(const std::int64_t rest, count_elements(known));
    if (rest == 0 || count % rest != 0)
      return mismatch(dims_text(dims) + " does not reshape to " + dims_text(wanted));
    *std::ranges::find(wanted, -1) = count / rest;
  }
  HW_TRY(const std::int64_t result, count_elements(wanted));
  if (result != count)
    return mismatch(dims_text(dims) + " does not reshape to " + dims_text(wanted));
  return wanted;
}

Result<Tensors> run_reshape(const Call& call) {
  HW_TRY(Dims dims,
         reshaped(call[0].dims, int64s_of(call[1]), call.node.integer("allowzero", 0) != 0));
  return Tensors{with_dims(call[0], std::move(dims))};
}

Result<Types> infer_reshape(const TypedCall& call) {
  const Tensor* wanted = call.constant(1);
  const Shape* shape = call.shape(0);
  if (wanted == nullptr) {
    // The number of dimensions is known.
    const Shape* count = call.shape(1);
    if (count == nullptr || count->size() != 1 || !(*count)[0].is_known() || (*count)[0].size > 64)
      return unknown_shape(call);
    return Types{{call.element(0), Shape(static_cast<std::size_t>((*count)[0].size))}};
  }
  const bool allows_zero = call.node.integer("allowzero", 0) != 0;
  if (shape != nullptr)
    if (const auto dims = dims_of(*shape)) {
      HW_TRY(const Dims out, reshaped(*dims, int64s_of(*wanted), allows_zero));
      return Types{{call.element(0), shape_of(out)}};
    }
  Shape out;
  for (const std::int64_t each : int64s_of(*wanted)) {
    if (each == 0 && !allows_zero)
      out.push_back(shape != nullptr && out.size() < shape->size() ? (*shape)[out.size()] : Dim());
    else
      out.push_back(each < 0 ? Dim() : Dim(each));
  }
  return Types{{call.element(0), out}};
}

Result<Tensors> run_flatten(const Call& call) {
  const Dims& dims = call[0].dims;
  const std::size_t axis = from_end(call.node.integer("axis", 1), dims.size());
  return Tensors{with_dims(call[0], {product(dims, 0, axis), product(dims, axis, dims.size())})};
}

Result<Types> infer_flatten(const TypedCall& call) {
  Shape out(2);
  if (const Shape* shape = call.shape(0)) {
    const std::size_t axis = from_end(call.node.integer("axis", 1), shape->size());
    const auto middle = shape->begin() + static_cast<std::ptrdiff_t>(axis);
    if (const auto dims = dims_of({shape->begin(), middle})) out[0] = product(*dims, 0, axis);
    if (const auto dims = dims_of({middle, shape->end()})) out[1] = product(*dims, 0, dims->size());
    if (axis == 1) out[0] = shape->front();
  }
  return Types{{call.element(0), out}};
}

// The result's shape, without axes of size 1 / with axes of size 1 put in.
template <class Shapes>
Result<Shapes> squeezed(const Shapes& shape, const std::vector<std::int64_t>* given,
                        const std::function<bool(const typename Shapes::value_type&)>& is_one) {
  std::vector<std::size_t> axes;
  if (given != nullptr) {
    HW_TRY(axes, axes_of(*given, shape.size()));
  } else {
    for (std::size_t i = 0; i < shape.size(); ++i)
      if (is_one(shape[i])) axes.push_back(i);
  }
  Shapes out;
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (std::ranges::find(axes, i) == axes.end())
      out.push_back(shape[i]);
    else if (!is_one(shape[i]))
      return mismatch("a dimension that is squeezed is not 1");
  return out;
}

template <class Shapes>
Result<Shapes> unsqueezed(const Shapes& shape, const std::vector<std::int64_t>& given) {
  HW_TRY(const auto axes, axes_of(given, shape.size() + given.size()));
  Shapes out = shape;
  for (const std::size_t axis : axes)
    out.insert(out.begin() + static_cast<std::ptrdiff_t>(axis), 1);
  return out;
}

Result<Tensors> run_squeeze(const Call& call) {
  std::vector<std::int64_t> axes;
  if (call.input(1) != nullptr) axes = int64s_of(call[1]);
  HW_TRY(Dims dims, squeezed<Dims>(call[0].dims, call.input(1) == nullptr ? nullptr : &axes,
                                   [](const std::int64_t& dim) { return dim == 1; }));
  return Tensors{with_dims(call[0], std::move(dims))};
}

Result<Types> infer_squeeze(const TypedCall& call) {
  const Shape* shape = call.shape(0);
  const bool has_axes = call.type(1) != nullptr;
  if (shape == nullptr || (has_axes ? call.constant(1) == nullptr : !dims_of(*shape)))
    return unknown_shape(call);
  std::vector<std::int64_t> axes;
  if (has_axes) axes = int64s_of(*call.constant(1));
  HW_TRY(Shape out, squeezed<Shape>(*shape, has_axes ? &axes : nullptr, [&](const Dim& dim) {
           return dim == Dim(1) || (has_axes && !dim.is_known());
         }));
  return Types{{call.element(0), std::move(out)}};
}

Result<Tensors> run_unsqueeze(const Call& call) {
  HW_TRY(Dims dims, unsqueezed(call[0].dims, int64s_of(call[1])));
  return Tensors{with_dims(call[0], std::move(dims))};
}

Result<Types> infer_unsqueeze(const TypedCall& call) {
  const Shape* shape = call.shape(0);
  if (shape == nullptr || call.constant(1) == nullptr) return unknown_shape(call);
  HW_TRY(Shape out, unsqueezed(*shape, int64s_of(*call.constant(1))));
  return Types{{call.element(0), std::move(out)}};
}

std::pair<std::size_t, std::size_t> shape_range(const Node& node, std::size_t rank) {
  const std::size_t begin = from_end(node.integer("start", 0), rank);
  const std::size_t end = node.has("end") ? from_end(node.integer("end", 0), rank) : rank;
  return {begin, std::max(begin, end)};
}

Result<Tensors> run_shape(const Call& call) {
  const Dims& dims = call[0].dims;
  const auto [begin, end] = shape_range(call.node, dims.size());
  const Dims out(dims.begin() + static_cast<std::ptrdiff_t>(begin),
                 dims.begin() + static_cast<std::ptrdiff_t>(end));
  return Tensors{int64_tensor({static_cast<std::int64_t>(out.size())}, out)};
}

Result<Types> infer_shape(const TypedCall& call) {
  const Shape* shape = call.shape(0);
  if (shape == nullptr) return Types{{ElementType::kI64, Shape(1)}};
  const auto [begin, end] = shape_range(call.node, shape->size());
  return Types{{ElementType::kI64, Shape{Dim(static_cast<std::int64_t>(end - begin))}}};
}

Result<Tensors> run_size(const Call& call) {
  return Tensors{int64_tensor({}, {call[0].count()})};
}

Result<Types> infer_size(const TypedCall&) {
  return Types{{ElementType::kI64, Shape{}}};
}

Result<Tensor> constant_of(const Node& node) {
  const auto found = [&](std::string_view name) {
    const auto at = node.attributes.find(name);
    return at == node.attributes.end() ? nullptr : &at->second;
  };
  if (const auto* value = found("value"))
    if (const auto* tensor = std::get_if<Tensor>(value); tensor && has_arithmetic(tensor->type))
      return *tensor;
  if (found("value_int") != nullptr) return int64_tensor({}, {node.integer("value_int", 0)});
  if (const auto list = node.integers("value_ints"))
    return int64_tensor({static_cast<std::int64_t>(list->size())}, *list);
  if (found("value_float") != nullptr)
    return tensor_of(ElementType::kF32, {}, {node.number("value_float", 0)});
  if (const auto* value = found("value_floats"))
    if (const auto* list = std::get_if<std::vector<float>>(value))
      return tensor_of(ElementType::kF32, {static_cast<std::int64_t>(list->size())},
                       {list->begin(), list->end()});
  return mismatch("the constant is not a tensor of numbers");
}

Result<Tensors> run_constant(const Call& call) {
  HW_TRY(Tensor value, constant_of(call.node));
  return Tensors{std::move(value)};
}

Result<Types> infer_constant(const TypedCall& call) {
  HW_TRY(const Tensor value, constant_of(call.node));
  return Types{{value.type, shape_of(value.dims)}};
}

Tensor fill_of(const Node& node) {
  const auto at = node.attributes.find("value");
  if (at != node.attributes.end())
    if (const auto* tensor = std::get_if<Tensor>(&at->second)) return *tensor;
  return tensor_of(ElementType::kF32, {1}, {0});
}

Result<Tensors> run_constant_of_shape(const Call& call) {
  const Tensor fill = fill_of(call.node);
  if (fill.count() != 1) return mismatch("the value is not one element");
  Dims dims = int64s_of(call[0]);
  HW_TRY(const std::size_t count, result_count(dims));
  return Tensors{gathered(fill, fill.type, std::move(dims), std::vector<std::int64_t>(count, 0))};
}

Result<Types> infer_constant_of_shape(const TypedCall& call) {
  Types types{{fill_of(call.node).type, std::nullopt}};
  if (const Tensor* dims = call.constant(0)) {
    HW_TRY([[maybe_unused]] const std::size_t count, result_count(int64s_of(*dims)));
    types[0].shape = shape_of(int64s_of(*dims));
  }
  return types;
}

Result<Tensors> run_range(const Call& call) {
  for (const std::size_t i : {0, 1, 2})
    if (!call[i].is_scalar()) return mismatch("a bound is not a scalar");
  const double start = floats_of(call[0])[0], step = floats_of(call[2])[0];
  const double steps = std::ceil((floats_of(call[1])[0] - start) / step);
  if (!(steps <= static_cast<double>(kMostElements))) return mismatch("the range is too long");
  const auto count = static_cast<std::int64_t>(std::max(0.0, steps));
  std::vector<double> out;
  for (std::int64_t i = 0; i < count; ++i) out.push_back(start + static_cast<double>(i) * step);
  return Tensors{tensor_of(call[0].type, {count}, out)};
}

Result<Types> infer_range(const TypedCall& call) {
  return Types{{call.element(0), Shape(1)}};
}

}  // namespace

Operators shape() {
  constexpr bool kByShape = true;
  return {{"Reshape", 2, 2, infer_reshape, run_reshape, 1, "", kByShape},
          {"Flatten", 1, 1, infer_flatten, run_flatten, 1, "", kByShape},
          {"Squeeze", 1, 2, infer_squeeze, run_squeeze, 1, "", kByShape},
          {"Unsqueeze", 2, 2, infer_unsqueeze, run_unsqueeze, 1, "", kByShape},
          {"Shape", 1, 1, infer_shape, run_shape, 1, "", kByShape},
          {"Size", 1, 1, infer_size, run_size, 1, "", kByShape},
          {"Constant", 0, 0, infer_constant, run_constant},
          {"ConstantOfShape", 1, 1, infer_constant_of_shape, run_constant_of_shape},
          {"Range", 3, 3, infer_range, run_range}};
}

}  // namespace hipwright::graph::ops
