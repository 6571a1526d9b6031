// SPDX-License-Identifier: MIT
// Norms, activations, sums and look-ups: operations on rows, or on elements.
#include <algorithm>

#include "graph/execute/library.h"

namespace hipwright::graph {

namespace {

float epsilon_of(const Node& node) {
  return node.number("epsilon", 1e-5F);
}

bool is_last_axis(const LibraryCall& call) {
  const std::int64_t axis = call.node.integer("axis", -1);
  return axis == -1 || axis == static_cast<std::int64_t>(call.rank()) - 1;
}

// A result of the first input's shape.
LibraryResult like_first(const LibraryCall& call) {
  return {call, call.dims()};
}
kernels::Matrix rows_of(const LibraryCall& call, const LibraryResult& result) {
  return result.matrix(call.rows(), call.columns());
}

// One number for each column, perhaps with dimensions of 1 before it.
bool broadcasts_as_row(const RunValue& row, const RunValue& x) {
  return row.type == x.type && row.dims.size() <= x.dims.size() && !row.dims.empty() &&
         row.dims.back() == x.dims.back() && row.count() == x.dims.back();
}

LibraryResults add(const LibraryCall& call) {
  if (!call.has_type(1)) return {};
  if (call.is_like_first(1)) {
    LibraryResult out = like_first(call);
    kernels::add(call.kernels(), rows_of(call, out), call.rows_of(0), call.rows_of(1));
    return one_result(std::move(out));
  }
  for (const std::size_t wide : {0, 1}) {
    RunValue &x = call[wide], &row = call[1 - wide];
    if (!broadcasts_as_row(row, x) || x.count() == 0) continue;
    const std::int64_t columns = row.count(), rows = x.count() / columns;
    LibraryResult out(call, x.dims);
    kernels::bias_activation(call.kernels(), out.matrix(rows, columns),
                             call.in(wide, rows, columns), call.in(1 - wide, 1, columns),
                             kernels::Activation::kNone);
    return one_result(std::move(out));
  }
  return {};
}

LibraryResults activation(const LibraryCall& call, kernels::Activation function) {
  LibraryResult out = like_first(call);
  const kernels::ConstMatrix zeros(*library_type(call.type()),
                                   call.store.zeros(call.type(), call.columns()), 1, call.columns(),
                                   call.columns());
  kernels::bias_activation(call.kernels(), rows_of(call, out), call.rows_of(0), zeros, function);
  return one_result(std::move(out));
}
LibraryResults relu(const LibraryCall& call) {
  return activation(call, kernels::Activation::kRelu);
}
LibraryResults silu(const LibraryCall& call) {
  if (call.node.has("alpha")) return {};
  return activation(call, kernels::Activation::kSilu);
}
LibraryResults gelu(const LibraryCall& call) {
  const bool is_tanh = call.node.text("approximate", "none") == "tanh";
  return activation(call, is_tanh ? kernels::Activation::kGeluTanh : kernels::Activation::kGeluErf);
}

LibraryResults softmax(const LibraryCall& call) {
  if (!is_last_axis(call)) return {};
  LibraryResult out = like_first(call);
  kernels::softmax(call.kernels(), rows_of(call, out), call.rows_of(0));
  return one_result(std::move(out));
}

LibraryResults rms_norm(const LibraryCall& call) {
  if (!is_last_axis(call) || !call.is_row(1)) return {};
  LibraryResult out = like_first(call);
  kernels::rms_norm(call.kernels(), rows_of(call, out), call.rows_of(0), call.row_of(1),
                    epsilon_of(call.node));
  return one_result(std::move(out));
}

LibraryResults layer_norm(const LibraryCall& call) {
  if (!is_last_axis(call) || !call.is_row(1) || !call.is_row(2) || call.node.outputs.size() != 1)
    return {};
  LibraryResult out = like_first(call);
  kernels::layer_norm(call.kernels(), rows_of(call, out), call.rows_of(0), call.row_of(1),
                      call.row_of(2), epsilon_of(call.node));
  return one_result(std::move(out));
}

LibraryResults two_results(LibraryResult first, LibraryResult second) {
  LibraryResults results = one_result(std::move(first));
  results->push_back(std::move(second.value));
  return results;
}

LibraryResults add_rms_norm(const LibraryCall& call) {
  if (!call.is_like_first(1) || !call.is_row(2)) return {};
  LibraryResult out = like_first(call), sum = like_first(call);
  kernels::add_rms_norm(call.kernels(), rows_of(call, out), rows_of(call, sum), call.rows_of(0),
                        call.rows_of(1), call.row_of(2), epsilon_of(call.node));
  return two_results(std::move(out), std::move(sum));
}

LibraryResults add_layer_norm(const LibraryCall& call) {
  if (!call.is_like_first(1) || !call.is_row(2) || !call.is_row(3)) return {};
  LibraryResult out = like_first(call), sum = like_first(call);
  kernels::add_layer_norm(call.kernels(), rows_of(call, out), rows_of(call, sum), call.rows_of(0),
                          call.rows_of(1), call.row_of(2), call.row_of(3), epsilon_of(call.node));
  return two_results(std::move(out), std::move(sum));
}

LibraryResults silu_mul(const LibraryCall& call) {
  if (!call.is_like_first(1)) return {};
  LibraryResult out = like_first(call);
  kernels::silu_mul(call.kernels(), rows_of(call, out), call.rows_of(0), call.rows_of(1));
  return one_result(std::move(out));
}

LibraryResults gelu_mul(const LibraryCall& call) {
  if (!call.is_like_first(1)) return {};
  LibraryResult out = like_first(call);
  const bool is_tanh = call.node.text("approximate", "none") == "tanh";
  kernels::gelu_mul(call.kernels(), rows_of(call, out), call.rows_of(0), call.rows_of(1),
                    is_tanh ? kernels::Gelu::kTanh : kernels::Gelu::kErf);
  return one_result(std::move(out));
}

// Rows of a table. The library reads the row numbers unchecked.
LibraryResults gather(const LibraryCall& call) {
  if (call.node.integer("axis", 0) != 0 || call.rank() != 2 || call.input(1) == nullptr ||
      call[1].type != ElementType::kI64 || call[1].count() == 0)
    return {};
  const std::vector<std::int64_t> indices = int64s_of(call.store.on_host(call[1]));
  if (!std::ranges::all_of(indices, [&](std::int64_t i) { return i >= 0 && i < call.dims()[0]; }))
    return {};
  Dims dims = call[1].dims;
  dims.push_back(call.columns());
  LibraryResult out(call, std::move(dims));
  const std::int64_t count = call[1].count();
  kernels::embedding(call.kernels(), out.matrix(count, call.columns()), call.rows_of(0),
                     {DataType::kI64, call.store.to_read(call[1]), 1, count, count});
  return one_result(std::move(out));
}

constexpr LibraryRow kRows[] = {
    {"Add", add},
    {"Relu", relu},
    {"Silu", silu},
    {"Gelu", gelu},
    {"Softmax", softmax},
    {"RMSNormalization", rms_norm},
    {"LayerNormalization", layer_norm},
    {"AddRMSNormalization", add_rms_norm},
    {"AddLayerNormalization", add_layer_norm},
    {"SiluMul", silu_mul},
    {"GeluMul", gelu_mul},
    {"Gather", gather},
};

}  // namespace

std::span<const LibraryRow> library_of_rows() {
  return kRows;
}

}  // namespace hipwright::graph
