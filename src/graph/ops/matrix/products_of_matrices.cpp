// SPDX-License-Identifier: MIT
// Matrix products.
#include <algorithm>
#include <cmath>

#include "graph/ops/activation.h"
#include "graph/ops/shapes.h"

namespace hipwright::graph::ops {

namespace {

// out[m, n] += a[m, k] · b[k, n], rows one after the other.
template <class Number>
void multiply(const Number* a, const Number* b, Number* out, std::size_t m, std::size_t k,
              std::size_t n) {
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t p = 0; p < k; ++p) {
      const Number left = a[i * k + p];
      for (std::size_t j = 0; j < n; ++j) out[i * n + j] += left * b[p * n + j];
    }
}

struct Plan {
  Dims a, b;        // with two dimensions at least
  Dims batch, out;  // `out` without the dimensions that were put in
  std::size_t m, k, n;
};

template <class Shapes>
Shapes matrix_result(const Shapes& a, const Shapes& b, Shapes batch) {
  if (a.size() > 1) batch.push_back(a[a.size() - 2]);
  if (b.size() > 1) batch.push_back(b.back());
  return batch;
}

Result<Plan> plan_of(const Dims& a, const Dims& b) {
  if (a.empty() || b.empty()) return mismatch("a factor is a scalar");
  Plan plan{.a = a, .b = b};
  if (a.size() == 1) plan.a.insert(plan.a.begin(), 1);
  if (b.size() == 1) plan.b.push_back(1);
  if (plan.a.back() != plan.b[plan.b.size() - 2])
    return mismatch(dims_text(a) + " by " + dims_text(b));
  HW_TRY(plan.batch,
         broadcast(Dims(plan.a.begin(), plan.a.end() - 2), Dims(plan.b.begin(), plan.b.end() - 2)));
  plan.out = matrix_result(a, b, plan.batch);
  plan.m = static_cast<std::size_t>(plan.a[plan.a.size() - 2]);
  plan.k = static_cast<std::size_t>(plan.a.back());
  plan.n = static_cast<std::size_t>(plan.b.back());
  return plan;
}

template <class Number>
std::vector<Number> products(const Plan& plan, const std::vector<Number>& a,
                             const std::vector<Number>& b, std::size_t count) {
  std::vector<Number> out(count);
  if (count == 0 || plan.k == 0) return out;
  std::size_t next = 0;
  each_position(plan.batch,
                {broadcast_strides(Dims(plan.a.begin(), plan.a.end() - 2), plan.batch),
                 broadcast_strides(Dims(plan.b.begin(), plan.b.end() - 2), plan.batch)},
                [&](const std::int64_t* at) {
                  multiply(&a[static_cast<std::size_t>(at[0]) * plan.m * plan.k],
                           &b[static_cast<std::size_t>(at[1]) * plan.k * plan.n], &out[next],
                           plan.m, plan.k, plan.n);
                  next += plan.m * plan.n;
                });
  return out;
}

Result<Tensors> run_matmul(const Call& call) {
  if (call[0].type != call[1].type) return mismatch("the factors have different element types");
  HW_TRY(const Plan plan, plan_of(call[0].dims, call[1].dims));
  HW_TRY(const std::size_t count, result_count(plan.out));
  if (!is_float(call[0].type))
    return Tensors{tensor_of_integers(
        call[0].type, plan.out, products(plan, integers_of(call[0]), integers_of(call[1]), count))};
  return Tensors{tensor_of(call[0].type, plan.out,
                           products(plan, floats_of(call[0]), floats_of(call[1]), count))};
}

Result<Types> infer_matmul(const TypedCall& call) {
  const Shape *a = call.shape(0), *b = call.shape(1);
  if (a == nullptr || b == nullptr) return unknown_shape(call);
  if (a->empty() || b->empty()) return mismatch("a factor is a scalar");
  const Dim &left = a->back(), &right = b->size() == 1 ? b->front() : (*b)[b->size() - 2];
  if (left.is_known() && right.is_known() && left.size != right.size)
    return mismatch(to_string(*a) + " by " + to_string(*b));
  const auto batch_of = [](const Shape& shape) {
    return Shape(shape.begin(), shape.end() - std::min<std::ptrdiff_t>(
                                                  2, static_cast<std::ptrdiff_t>(shape.size())));
  };
  HW_TRY(Shape batch, broadcast(batch_of(*a), batch_of(*b)));
  return Types{{call.element(0), matrix_result(*a, *b, std::move(batch))}};
}

// A product, a bias that is added to its rows, an activation; rounded once.
Result<Tensors> run_linear(const Call& call) {
  HW_TRY(const Plan plan, plan_of(call[0].dims, call[1].dims));
  HW_TRY(const std::size_t count, result_count(plan.out));
  std::vector<double> out = products(plan, floats_of(call[0]), floats_of(call[1]), count);
  if (call.input(2) != nullptr) {
    const std::vector<double> bias = floats_of(call[2]);
    if (bias.size() != plan.n) return mismatch("the bias is not one for each column");
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += bias[i % plan.n];
  }
  HW_CHECK(activate(call.node.text("activation", ""), out));
  return Tensors{tensor_of(call[0].type, plan.out, out)};
}

Tensor transposed(const Tensor& x) {
  Tensor out = x;
  std::vector<double> values = floats_of(x), moved(values.size());
  const auto rows = static_cast<std::size_t>(x.dims[0]),
             columns = static_cast<std::size_t>(x.dims[1]);
  for (std::size_t i = 0; i < values.size(); ++i)
    moved[i % columns * rows + i / columns] = values[i];
  return tensor_of(x.type, {x.dims[1], x.dims[0]}, moved);
}

Result<Tensors> run_gemm(const Call& call) {
  if (call[0].dims.size() != 2 || call[1].dims.size() != 2)
    return mismatch("a factor is not a matrix");
  const Tensor a = call.node.integer("transA", 0) != 0 ? transposed(call[0]) : call[0];
  const Tensor b = call.node.integer("transB", 0) != 0 ? transposed(call[1]) : call[1];
  HW_TRY(const Plan plan, plan_of(a.dims, b.dims));
  HW_TRY(const std::size_t count, result_count(plan.out));
  std::vector<double> out = products(plan, floats_of(a), floats_of(b), count);
  const double alpha = call.node.number("alpha", 1), beta = call.node.number("beta", 1);
  for (double& value : out) value *= alpha;
  if (const Tensor* c = call.input(2)) {
    HW_TRY(const Dims both, broadcast(c->dims, plan.out));
    if (both != plan.out) return mismatch("C does not broadcast to the result");
    const std::vector<double> values = floats_of(*c);
    std::size_t next = 0;
    each_position(plan.out, {broadcast_strides(c->dims, plan.out)}, [&](const std::int64_t* at) {
      out[next++] += beta * values[static_cast<std::size_t>(at[0])];
    });
  }
  return Tensors{tensor_of(call[0].type, plan.out, out)};
}

Result<Types> infer_gemm(const TypedCall& call) {
  const Shape *a = call.shape(0), *b = call.shape(1);
  if (a == nullptr || b == nullptr) return Types{{call.element(0), Shape(2)}};
  if (a->size() != 2 || b->size() != 2) return mismatch("a factor is not a matrix");
  const std::size_t row = call.node.integer("transA", 0) != 0 ? 1 : 0;
  const std::size_t column = call.node.integer("transB", 0) != 0 ? 0 : 1;
  const Dim &left = (*a)[1 - row], &right = (*b)[1 - column];
  if (left.is_known() && right.is_known() && left.size != right.size)
    return mismatch(to_string(*a) + " by " + to_string(*b));
  return Types{{call.element(0), Shape{(*a)[row], (*b)[column]}}};
}

}  // namespace

Operators products_of_matrices() {
  return {{"MatMul", 2, 2, infer_matmul, run_matmul},
          {"Gemm", 2, 3, infer_gemm, run_gemm},
          {"Linear", 2, 3, infer_matmul, run_linear, 1, kOwnDomain}};
}

}  // namespace hipwright::graph::ops
