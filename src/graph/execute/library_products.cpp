// SPDX-License-Identifier: MIT
// Matrix products and attention.
#include <algorithm>
#include <cmath>

#include "graph/execute/library.h"
#include "graph/ops/shapes.h"

namespace hipwright::graph {

namespace {

using kernels::Gemm;

struct Factor {
  std::int64_t rows, columns, batch;
  std::int64_t elements() const { return rows * columns; }
};
Factor factor_of(const Dims& dims) {
  const std::size_t rank = dims.size();
  return {dims[rank - 2], dims[rank - 1], product(dims, 0, rank - 2)};
}

// The first factor's rows times the second, of which there is one, or one for each batch.
struct Product {
  Factor a, b;
  Dims out;
};
std::optional<Product> product_of(const LibraryCall& call) {
  if (!call.has_type(1) || call.rank() < 2 || call[1].dims.size() < 2) return std::nullopt;
  const Dims &x = call.dims(), &y = call[1].dims;
  Product p{.a = factor_of(x), .b = factor_of(y), .out = x};
  if (p.a.columns != p.b.rows || p.b.elements() == 0) return std::nullopt;
  p.out.back() = p.b.columns;
  if (p.b.batch == 1 && y.size() <= x.size()) {
    p.a = {p.a.rows * p.a.batch, p.a.columns, 1};
    return p;
  }
  const bool has_same_batches =
      x.size() == y.size() && std::equal(x.begin(), x.end() - 2, y.begin());
  return has_same_batches ? std::optional(p) : std::nullopt;
}

LibraryResults multiply(const LibraryCall& call, Gemm form) {
  const auto p = product_of(call);
  if (!p) return {};
  LibraryResult out(call, p->out);
  form.batch = p->a.batch;
  form.out_step = p->a.rows * p->b.columns;
  form.a_step = p->a.elements();
  form.b_step = p->b.elements();
  kernels::gemm(call.kernels(), out.matrix(p->a.rows, p->b.columns),
                call.in(0, p->a.rows, p->a.columns), call.in(1, p->b.rows, p->b.columns), form);
  return one_result(std::move(out));
}

LibraryResults matmul(const LibraryCall& call) {
  return multiply(call, {});
}

LibraryResults linear(const LibraryCall& call) {
  const auto activation = library_activation(call.node.text("activation", ""));
  if (!activation || !call.has_type(1)) return {};
  Gemm form{.activation = *activation};
  if (RunValue* bias = call.input(2)) {
    if (!call.has_type(2) || bias->dims != Dims{call[1].dims.back()}) return {};
    form.bias = call.in(2, 1, bias->count());
  }
  return multiply(call, form);
}

LibraryResults gemm(const LibraryCall& call) {
  if (!call.has_type(1) || call.rank() != 2 || call[1].dims.size() != 2) return {};
  Gemm form{.transpose_a = call.node.integer("transA", 0) != 0,
            .transpose_b = call.node.integer("transB", 0) != 0,
            .scale = call.node.number("alpha", 1)};
  const Dims &a = call.dims(), &b = call[1].dims;
  const std::int64_t rows = a[form.transpose_a ? 1 : 0], columns = b[form.transpose_b ? 0 : 1];
  if (a[form.transpose_a ? 0 : 1] != b[form.transpose_b ? 1 : 0] || columns == 0) return {};
  if (RunValue* c = call.input(2)) {
    if (!call.has_type(2) || call.node.number("beta", 1) != 1) return {};
    if (c->count() == columns && !c->dims.empty() && c->dims.back() == columns)
      form.bias = call.in(2, 1, columns);
    else if (c->dims == Dims{rows, columns})
      form.residual = call.in(2, rows, columns);
    else
      return {};
  }
  LibraryResult out(call, {rows, columns});
  kernels::gemm(call.kernels(), out.matrix(rows, columns), call.in(0, a[0], a[1]),
                call.in(1, b[0], b[1]), form);
  return one_result(std::move(out));
}

// q [batch, heads, rows, d], k [batch, groups, columns, d], v [batch, groups, columns, e]
struct Attended {
  std::int64_t batch, heads, groups, rows, columns, d, e;
  std::int64_t heads_of_group() const { return heads / groups; }
};
std::optional<Attended> attended(const LibraryCall& call) {
  for (const std::size_t i : {0, 1, 2})
    if (!call.has_type(i) || call[i].dims.size() != 4 || call[i].count() == 0) return std::nullopt;
  const Dims &q = call.dims(), &k = call[1].dims, &v = call[2].dims;
  if (k[0] != q[0] || v[0] != q[0] || k[3] != q[3] || v[2] != k[2] || v[1] != k[1] ||
      q[1] % k[1] != 0)
    return std::nullopt;
  return Attended{q[0], q[1], k[1], q[2], k[2], q[3], v[3]};
}

float scale_of(const LibraryCall& call, const Attended& p) {
  return call.node.number("scale", 1 / std::sqrt(static_cast<float>(p.d)));
}

// Every head is a sequence of its own.
LibraryResults one_kernel(const LibraryCall& call, const Attended& p, bool is_causal) {
  LibraryResult out(call, {p.batch, p.heads, p.rows, p.e});
  const std::int64_t sequences = p.batch * p.heads;
  kernels::attention(call.kernels(), out.matrix(sequences * p.rows, p.e),
                     call.in(0, sequences * p.rows, p.d), call.in(1, sequences * p.columns, p.d),
                     call.in(2, sequences * p.columns, p.e),
                     {.scale = scale_of(call, p), .causal = is_causal, .batch = sequences});
  return one_result(std::move(out));
}

// Where the mask of a head begins, and how far its rows are apart: 0 for a row that all share.
struct Mask {
  const float* begin = nullptr;
  Dims strides;

  const float* at(std::int64_t batch, std::int64_t head) const {
    return begin + batch * strides[0] + head * strides[1];
  }
};

// Two products with a softmax between them, for the heads that share keys and values.
class ThreeSteps {
 public:
  ThreeSteps(const LibraryCall& call, const Attended& problem)
      : call_(call),
        p_(problem),
        // Without groups, all heads of a batch at once.
        step_(p_.groups == p_.heads ? p_.heads : p_.heads_of_group()),
        out_(call, {p_.batch, p_.heads, p_.rows, p_.e}),
        scores_(call, {step_, p_.rows, p_.columns}) {}

  bool set_mask(std::size_t input) {
    const Dims scores{p_.batch, p_.heads, p_.rows, p_.columns};
    RunValue& mask = call_[input];
    const auto both = broadcast(mask.dims, scores);
    if (!both || *both != scores || mask.count() == 0) return false;
    mask_.strides = broadcast_strides(mask.dims, scores);
    if (mask_.strides[3] != 1 && p_.columns != 1) return false;
    mask_.begin = static_cast<const float*>(call_.store.to_read(mask));
    return true;
  }

  LibraryResults run() {
    for (std::int64_t batch = 0; batch < p_.batch; ++batch)
      for (std::int64_t head = 0; head < p_.heads; head += step_) run_heads(batch, head);
    call_.store.finish_node();  // the scores live until here
    return one_result(std::move(out_));
  }

 private:
  const float* element(std::size_t input, std::int64_t offset) const {
    return static_cast<const float*>(call_.store.to_read(call_[input])) + offset;
  }

  bool shares_keys() const { return p_.groups != p_.heads; }
  std::int64_t group_of(std::int64_t batch, std::int64_t head) const {
    return batch * p_.groups + head / p_.heads_of_group();
  }

  void add_mask(Gemm& form, std::int64_t batch, std::int64_t head) const {
    if (mask_.begin == nullptr) return;
    if (mask_.strides[2] == 0) {
      form.bias.emplace(mask_.at(batch, head), p_.columns);
      return;
    }
    form.residual.emplace(mask_.at(batch, head), p_.rows, p_.columns, mask_.strides[2]);
    form.residual_step = mask_.strides[1];
  }

  // The scores of `count` heads from `head` on.
  void score(float* scores, std::int64_t batch, std::int64_t head, std::int64_t count) const {
    Gemm form{.transpose_b = true,
              .scale = scale_of(call_, p_),
              .batch = count,
              .out_step = p_.rows * p_.columns,
              .a_step = p_.rows * p_.d,
              .b_step = shares_keys() ? 0 : p_.columns * p_.d};
    add_mask(form, batch, head);
    kernels::gemm(call_.kernels(), {scores, p_.rows, p_.columns},
                  {element(0, (batch * p_.heads + head) * p_.rows * p_.d), p_.rows, p_.d},
                  {element(1, group_of(batch, head) * p_.columns * p_.d), p_.columns, p_.d}, form);
  }

  void run_heads(std::int64_t batch, std::int64_t head) {
    const std::int64_t first = batch * p_.heads + head;
    auto* const scores = static_cast<float*>(scores_.data);
    // A bias is the same for a whole batch of products.
    const bool has_bias_of_head =
        mask_.begin != nullptr && mask_.strides[1] != 0 && mask_.strides[2] == 0;
    const std::int64_t at_once = has_bias_of_head ? 1 : step_;
    for (std::int64_t i = 0; i < step_; i += at_once)
      score(scores + i * p_.rows * p_.columns, batch, head + i, at_once);
    const std::int64_t rows = step_ * p_.rows;
    kernels::softmax(call_.kernels(), {scores, rows, p_.columns}, {scores, rows, p_.columns});
    kernels::gemm(call_.kernels(),
                  {static_cast<float*>(out_.data) + first * p_.rows * p_.e, p_.rows, p_.e},
                  {scores, p_.rows, p_.columns},
                  {element(2, group_of(batch, head) * p_.columns * p_.e), p_.columns, p_.e},
                  {.batch = step_,
                   .out_step = p_.rows * p_.e,
                   .a_step = p_.rows * p_.columns,
                   .b_step = shares_keys() ? 0 : p_.columns * p_.e});
  }

  const LibraryCall& call_;
  const Attended p_;
  const std::int64_t step_;
  LibraryResult out_, scores_;
  Mask mask_;
};

LibraryResults attention(const LibraryCall& call) {
  constexpr std::int64_t kMostHead = 256;  // of the library
  const auto p = attended(call);
  if (!p) return {};
  const bool is_causal = call.node.integer("is_causal", 0) != 0;
  const bool has_mask = call.input(3) != nullptr;
  // The library's last query sees all keys; ONNX's first query sees the first key.
  if (!has_mask && p->heads == p->groups && p->d == p->e && p->d <= kMostHead &&
      (!is_causal || p->rows == p->columns))
    return one_kernel(call, *p, is_causal);
  if (is_causal || call.type() != ElementType::kF32) return {};
  ThreeSteps steps(call, *p);
  if (has_mask && (!call.has_type(3) || !steps.set_mask(3))) return {};
  return steps.run();
}

constexpr LibraryRow kProducts[] = {
    {"MatMul", matmul},
    {"Linear", linear},
    {"Gemm", gemm},
    {"Attention", attention},
};

}  // namespace

std::span<const LibraryRow> library_of_products() {
  return kProducts;
}

}  // namespace hipwright::graph
