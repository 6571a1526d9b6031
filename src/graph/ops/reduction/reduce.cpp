// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include "graph/ops/shapes.h"

namespace hipwright::graph::ops {

namespace {

// Axes are an attribute, or from an opset on the second input. None: all, or none at all.
Result<std::vector<std::size_t>> axes_for(const Node& node, const Tensor* input, std::size_t rank) {
  std::vector<std::int64_t> axes = node.integers("axes").value_or(std::vector<std::int64_t>{});
  if (input != nullptr) axes = int64s_of(*input);
  if (axes.empty() && node.integer("noop_with_empty_axes", 0) == 0)
    for (std::size_t i = 0; i < rank; ++i) axes.push_back(static_cast<std::int64_t>(i));
  return axes_of(axes, rank);
}

template <class Number>
struct Reduction {
  Number start;
  Number (*add)(Number sum, Number value);
  double (*finish)(double sum, double count);
};

double as_it_is(double sum, double) {
  return sum;
}
double divided(double sum, double count) {
  return sum / count;
}
double root(double sum, double) {
  return std::sqrt(sum);
}
double logarithm(double sum, double) {
  return std::log(sum);
}

template <class Number>
Number plus(Number a, Number b) {
  return a + b;
}
double product_of(double a, double b) {
  return a * b;
}
Integer product_of(Integer a, Integer b) {
  return wrapped_product(a, b);
}
template <class Number>
Number times(Number a, Number b) {
  return product_of(a, b);
}
template <class Number>
Number plus_abs(Number a, Number b) {
  return a + (b < 0 ? -b : b);
}
template <class Number>
Number plus_square(Number a, Number b) {
  return a + product_of(b, b);
}
template <class Number>
Number largest(Number a, Number b) {
  return a > b || a != a ? a : b;
}
template <class Number>
Number smallest(Number a, Number b) {
  return a < b || a != a ? a : b;
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Integer kMost = static_cast<Integer>(1) << 100;

struct Kind {
  std::string_view name;
  Reduction<double> real;
  Reduction<Integer> whole;
};
constexpr Kind kKinds[] = {
    {"ReduceSum", {0, plus, as_it_is}, {0, plus, as_it_is}},
    {"ReduceMean", {0, plus, divided}, {0, plus, divided}},
    {"ReduceProd", {1, times, as_it_is}, {1, times, as_it_is}},
    {"ReduceMax", {-kInfinity, largest, as_it_is}, {-kMost, largest, as_it_is}},
    {"ReduceMin", {kInfinity, smallest, as_it_is}, {kMost, smallest, as_it_is}},
    {"ReduceSumSquare", {0, plus_square, as_it_is}, {0, plus_square, as_it_is}},
    {"ReduceL1", {0, plus_abs, as_it_is}, {0, plus_abs, as_it_is}},
    {"ReduceL2", {0, plus_square, root}, {0, plus_square, root}},
    {"ReduceLogSum", {0, plus, logarithm}, {0, plus, logarithm}},
};

// Each result's elements: `reduced` is the shape with 1 for the axes.
struct Plan {
  Dims reduced, result;
  double terms = 1;
};

Plan plan_of(const Dims& dims, const std::vector<std::size_t>& axes, bool keeps) {
  Plan plan{.reduced = dims};
  for (const std::size_t axis : axes) {
    plan.terms *= static_cast<double>(dims[axis]);
    plan.reduced[axis] = 1;
  }
  for (std::size_t i = 0; i < dims.size(); ++i)
    if (keeps || std::ranges::find(axes, i) == axes.end()) plan.result.push_back(plan.reduced[i]);
  return plan;
}

template <class Number>
std::vector<Number> reduced(const std::vector<Number>& values, const Dims& dims, const Plan& plan,
                            const Reduction<Number>& reduction) {
  std::vector<Number> out(static_cast<std::size_t>(product(plan.result, 0, plan.result.size())),
                          reduction.start);
  std::size_t next = 0;
  each_position(dims, {broadcast_strides(plan.reduced, dims)}, [&](const std::int64_t* at) {
    Number& sum = out[static_cast<std::size_t>(at[0])];
    sum = reduction.add(sum, values[next++]);
  });
  return out;
}

Result<Tensors> run_reduce(const Call& call) {
  const Tensor& x = call[0];
  HW_TRY(const auto axes, axes_for(call.node, call.input(1), x.dims.size()));
  const Plan plan = plan_of(x.dims, axes, call.node.integer("keepdims", 1) != 0);
  const Kind& kind = *std::ranges::find(kKinds, call.node.op, &Kind::name);
  HW_TRY([[maybe_unused]] const std::size_t count, result_count(plan.result));
  const bool divides = kind.real.finish != as_it_is;
  if (is_float(x.type) || divides) {
    std::vector<double> out = reduced(floats_of(x), x.dims, plan, kind.real);
    for (double& value : out) value = kind.real.finish(value, plan.terms);
    return Tensors{tensor_of(x.type, plan.result, out)};
  }
  std::vector<Integer> out = reduced(integers_of(x), x.dims, plan, kind.whole);
  return Tensors{tensor_of_integers(x.type, plan.result, out)};
}

// max + log Σ exp(x - max)
Result<Tensors> run_log_sum_exp(const Call& call) {
  const Tensor& x = call[0];
  HW_TRY(const auto axes, axes_for(call.node, call.input(1), x.dims.size()));
  const Plan plan = plan_of(x.dims, axes, call.node.integer("keepdims", 1) != 0);
  HW_TRY([[maybe_unused]] const std::size_t count, result_count(plan.result));
  std::vector<double> values = floats_of(x);
  std::vector<double> most = reduced(values, x.dims, plan, {-kInfinity, largest, as_it_is});
  for (double& value : most)
    if (!std::isfinite(value)) value = 0;
  std::size_t next = 0;
  each_position(x.dims, {broadcast_strides(plan.reduced, x.dims)}, [&](const std::int64_t* at) {
    double& value = values[next++];
    value = std::exp(value - most[static_cast<std::size_t>(at[0])]);
  });
  std::vector<double> out = reduced(values, x.dims, plan, {0, plus, as_it_is});
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = std::log(out[i]) + most[i];
  return Tensors{tensor_of(x.type, plan.result, out)};
}

Result<Types> infer_reduce(const TypedCall& call) {
  const Shape* shape = call.shape(0);
  const bool has_axes = call.type(1) == nullptr || call.constant(1) != nullptr;
  if (shape == nullptr || !has_axes) return unknown_shape(call);
  HW_TRY(const auto axes, axes_for(call.node, call.constant(1), shape->size()));
  Shape out;
  for (std::size_t i = 0; i < shape->size(); ++i)
    if (std::ranges::find(axes, i) == axes.end())
      out.push_back((*shape)[i]);
    else if (call.node.integer("keepdims", 1) != 0)
      out.emplace_back(1);
  return Types{{call.element(0), out}};
}

// The index of the greatest or least element along an axis.
Result<Tensors> run_arg(const Call& call) {
  const Tensor& x = call[0];
  HW_TRY(const std::size_t axis, axis_of(call.node.integer("axis", 0), x.dims.size()));
  const bool keeps = call.node.integer("keepdims", 1) != 0;
  const bool last = call.node.integer("select_last_index", 0) != 0;
  const bool wants_most = call.node.op == "ArgMax";
  const Plan plan = plan_of(x.dims, {axis}, keeps);
  HW_TRY(const std::size_t count, result_count(plan.result));
  if (x.dims[axis] == 0 && count != 0) return mismatch("the axis has no elements");
  std::vector<std::int64_t> out(count, -1);
  std::vector<double> best(count);
  const std::vector<double> values = floats_of(x);
  const std::int64_t inner = product(x.dims, axis + 1, x.dims.size());
  std::size_t next = 0;
  each_position(x.dims, {broadcast_strides(plan.reduced, x.dims)}, [&](const std::int64_t* at) {
    const auto to = static_cast<std::size_t>(at[0]);
    const double value = wants_most ? values[next] : -values[next];
    const std::int64_t index = static_cast<std::int64_t>(next) / inner % x.dims[axis];
    if (out[to] < 0 || value > best[to] || (last && value == best[to])) {
      out[to] = index;
      best[to] = value;
    }
    ++next;
  });
  return Tensors{int64_tensor(plan.result, out)};
}

Result<Types> infer_arg(const TypedCall& call) {
  Types types{{ElementType::kI64, std::nullopt}};
  if (const Shape* shape = call.shape(0)) {
    HW_TRY(const std::size_t axis, axis_of(call.node.integer("axis", 0), shape->size()));
    types[0].shape = *shape;
    if (call.node.integer("keepdims", 1) != 0)
      (*types[0].shape)[axis] = Dim(1);
    else
      types[0].shape->erase(types[0].shape->begin() + static_cast<std::ptrdiff_t>(axis));
  }
  return types;
}

Result<Tensors> run_cumsum(const Call& call) {
  const Tensor& x = call[0];
  if (!call[1].is_scalar()) return mismatch("the axis is not a scalar");
  HW_TRY(const std::size_t axis, axis_of(int64s_of(call[1])[0], x.dims.size()));
  const bool exclusive = call.node.integer("exclusive", 0) != 0;
  const bool reverse = call.node.integer("reverse", 0) != 0;
  const auto length = static_cast<std::size_t>(x.dims[axis]);
  const auto inner = static_cast<std::size_t>(product(x.dims, axis + 1, x.dims.size()));
  std::vector<double> values = floats_of(x);
  for (std::size_t block = 0; length != 0 && block < values.size(); block += length * inner)
    for (std::size_t i = 0; i < inner; ++i) {
      double sum = 0;
      for (std::size_t k = 0; k < length; ++k) {
        double& value = values[block + i + (reverse ? length - 1 - k : k) * inner];
        const double own = value;
        value = exclusive ? sum : sum + own;
        sum += own;
      }
    }
  return Tensors{tensor_of(x.type, x.dims, values)};
}

Operator row(const Kind& kind) {
  return {kind.name, 1, 2, infer_reduce, run_reduce};
}

}  // namespace

Operators reduce() {
  Operators rows;
  for (const Kind& kind : kKinds) rows.push_back(row(kind));
  rows.push_back({"ReduceLogSumExp", 1, 2, infer_reduce, run_log_sum_exp});
  rows.push_back({"ArgMax", 1, 1, infer_arg, run_arg});
  rows.push_back({"ArgMin", 1, 1, infer_arg, run_arg});
  rows.push_back({"CumSum", 2, 2, same_as_first, run_cumsum, 14});
  return rows;
}

}  // namespace hipwright::graph::ops
