// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>

#include "graph/ops/shapes.h"

namespace hipwright::graph::ops {

namespace {

std::size_t size(std::int64_t dim) {
  return static_cast<std::size_t>(dim);
}

// q [batch, heads, rows, d], k [batch, groups, columns, d], v [batch, groups, columns, e]; a mask
// is added to the scores, and broadcasts to them. Heads share keys and values in groups.
struct Problem {
  std::size_t batch, heads, groups, rows, columns, d, e;
};

Result<Problem> problem_of(const Call& call) {
  for (const std::size_t i : {0, 1, 2})
    if (call[i].dims.size() != 4) return mismatch("an input has not four dimensions");
  const Dims &q = call[0].dims, &k = call[1].dims, &v = call[2].dims;
  if (k[0] != q[0] || v[0] != q[0] || k[3] != q[3] || v[2] != k[2] || v[1] != k[1] || k[1] == 0 ||
      q[1] % k[1] != 0)
    return mismatch(dims_text(q) + ", " + dims_text(k) + " and " + dims_text(v));
  return Problem{size(q[0]), size(q[1]), size(k[1]), size(q[2]),
                 size(k[2]), size(q[3]), size(v[3])};
}

// One row of scores becomes weights. A row without any column is all zeros.
void softmax(std::vector<double>& row) {
  double most = -std::numeric_limits<double>::infinity(), sum = 0;
  for (const double value : row) most = std::max(most, value);
  for (double& value : row) sum += value = std::exp(value - most);
  for (double& value : row) value /= sum;
}

Result<Tensors> run_attention(const Call& call) {
  HW_TRY(const Problem p, problem_of(call));
  const std::vector<double> q = floats_of(call[0]), k = floats_of(call[1]), v = floats_of(call[2]);
  const Dims scores{call[0].dims[0], call[0].dims[1], call[0].dims[2], call[1].dims[2]};
  std::vector<double> mask;
  Dims mask_strides(4, 0);
  if (const Tensor* given = call.input(3)) {
    HW_TRY(const Dims both, broadcast(given->dims, scores));
    if (both != scores) return mismatch("the mask does not broadcast to the scores");
    mask = floats_of(*given);
    mask_strides = broadcast_strides(given->dims, scores);
  }
  const Dims out_dims{call[0].dims[0], call[0].dims[1], call[0].dims[2], call[2].dims[3]};
  HW_TRY(const std::size_t count, result_count(out_dims));
  const double scale = call.node.number("scale", 1 / std::sqrt(static_cast<float>(p.d)));
  const bool causal = call.node.integer("is_causal", 0) != 0;
  std::vector<double> out(count), row(p.columns);
  for (std::size_t b = 0; b < p.batch; ++b)
    for (std::size_t h = 0; h < p.heads; ++h) {
      const std::size_t group = b * p.groups + h / (p.heads / p.groups);
      for (std::size_t i = 0; i < p.rows; ++i) {
        const double* query = q.data() + ((b * p.heads + h) * p.rows + i) * p.d;
        for (std::size_t j = 0; j < p.columns; ++j) {
          double sum = 0;
          for (std::size_t x = 0; x < p.d; ++x)
            sum += query[x] * k[(group * p.columns + j) * p.d + x];
          const std::int64_t at[] = {static_cast<std::int64_t>(b), static_cast<std::int64_t>(h),
                                     static_cast<std::int64_t>(i), static_cast<std::int64_t>(j)};
          std::int64_t offset = 0;
          for (std::size_t x = 0; x < 4; ++x) offset += at[x] * mask_strides[x];
          row[j] = sum * scale + (mask.empty() ? 0 : mask[size(offset)]);
          if (causal && j > i) row[j] = -std::numeric_limits<double>::infinity();
        }
        softmax(row);
        double* to = out.data() + ((b * p.heads + h) * p.rows + i) * p.e;
        for (std::size_t j = 0; j < p.columns; ++j)
          for (std::size_t x = 0; x < p.e; ++x)
            to[x] += row[j] * v[(group * p.columns + j) * p.e + x];
      }
    }
  return Tensors{tensor_of(call[0].type, out_dims, out)};
}

Result<Types> infer_attention(const TypedCall& call) {
  const Shape *q = call.shape(0), *v = call.shape(2);
  if (q == nullptr || v == nullptr) return unknown_shape(call);
  if (q->size() != 4 || v->size() != 4) return mismatch("an input has not four dimensions");
  return Types{{call.element(0), Shape{(*q)[0], (*q)[1], (*q)[2], (*v)[3]}}};
}

}  // namespace

Operators attention() {
  return {{"Attention", 3, 4, infer_attention, run_attention, 1, kOwnDomain}};
}

}  // namespace hipwright::graph::ops
