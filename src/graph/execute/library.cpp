// SPDX-License-Identifier: MIT
#include "graph/execute/library.h"

#include <exception>
#include <initializer_list>
#include <map>
#include <string>

#include "graph/op.h"
#include "hipwright/kernels.h"

namespace hipwright::graph {

namespace {

using kernels::ConstMatrix;
using kernels::Kernels;
using kernels::Matrix;

std::optional<DataType> library_type(ElementType type) {
  switch (type) {
    case ElementType::kF32:
      return DataType::kF32;
    case ElementType::kF16:
      return DataType::kF16;
    case ElementType::kBF16:
      return DataType::kBF16;
    default:
      return std::nullopt;
  }
}

// A result of the shape of the first input, as rows of its last dimension.
class Rows {
 public:
  Rows(const Tensor& like, DataType type) : like_(like), type_(type) {
    columns_ = like.dims.empty() ? 1 : like.dims.back();
    rows_ = columns_ == 0 ? 0 : like.count() / columns_;
  }
  ConstMatrix in(const Tensor& tensor) const {
    return {type_, tensor.bytes->data(), rows_, columns_, columns_};
  }
  ConstMatrix row(const Tensor& tensor) const {
    return {type_, tensor.bytes->data(), 1, columns_, columns_};
  }
  Matrix out(std::string& bytes) const {
    bytes.resize(like_.bytes->size());
    return {type_, bytes.data(), rows_, columns_, columns_};
  }
  Tensor tensor(std::string bytes) const {
    return raw_tensor(like_.type, like_.dims, std::move(bytes));
  }
  std::int64_t columns() const { return columns_; }
  std::int64_t rows() const { return rows_; }

 private:
  const Tensor& like_;
  DataType type_;
  std::int64_t rows_, columns_;
};

struct LibraryCall {
  Kernels& kernels;
  const Node& node;
  const std::vector<const Tensor*>& inputs;
  Rows rows;

  const Tensor& operator[](std::size_t index) const { return *inputs[index]; }
  std::size_t count() const { return inputs.size(); }
  float epsilon() const { return node.number("epsilon", 1e-5F); }
  // Inputs [from, from + count) have the shape of the first.
  bool are_like(std::size_t from, std::size_t count_of) const {
    for (std::size_t i = from; i < from + count_of; ++i)
      if (i >= inputs.size() || inputs[i] == nullptr || inputs[i]->dims != inputs[0]->dims ||
          inputs[i]->type != inputs[0]->type)
        return false;
    return true;
  }
  // Inputs from `from` on are one row each.
  bool are_rows(std::size_t from, std::size_t count_of) const {
    if (inputs.size() != from + count_of) return false;
    for (std::size_t i = from; i < from + count_of; ++i)
      if (inputs[i] == nullptr || inputs[i]->dims != Dims{rows.columns()} ||
          inputs[i]->type != inputs[0]->type)
        return false;
    return true;
  }
  bool is_last_axis() const {
    const std::int64_t axis = node.integer("axis", -1);
    return axis == -1 || axis == static_cast<std::int64_t>(inputs[0]->dims.size()) - 1;
  }
};

using Results = std::optional<std::vector<Tensor>>;

// The library writes to the strings until the device has finished: only then may they move.
Results finished(const LibraryCall& call, std::initializer_list<std::string*> outputs) {
  call.kernels.device().synchronize();
  std::vector<Tensor> tensors;
  for (std::string* bytes : outputs) tensors.push_back(call.rows.tensor(std::move(*bytes)));
  return tensors;
}

Results add(const LibraryCall& call) {
  if (!call.are_like(1, 1)) return {};
  std::string out;
  kernels::add(call.kernels, call.rows.out(out), call.rows.in(call[0]), call.rows.in(call[1]));
  return finished(call, {&out});
}

Results softmax(const LibraryCall& call) {
  if (!call.is_last_axis()) return {};
  std::string out;
  kernels::softmax(call.kernels, call.rows.out(out), call.rows.in(call[0]));
  return finished(call, {&out});
}

Results rms_norm(const LibraryCall& call) {
  if (!call.is_last_axis() || !call.are_rows(1, 1)) return {};
  std::string out;
  kernels::rms_norm(call.kernels, call.rows.out(out), call.rows.in(call[0]), call.rows.row(call[1]),
                    call.epsilon());
  return finished(call, {&out});
}

Results layer_norm(const LibraryCall& call) {
  if (!call.is_last_axis() || !call.are_rows(1, 2) || call.node.outputs.size() != 1) return {};
  std::string out;
  kernels::layer_norm(call.kernels, call.rows.out(out), call.rows.in(call[0]),
                      call.rows.row(call[1]), call.rows.row(call[2]), call.epsilon());
  return finished(call, {&out});
}

Results add_rms_norm(const LibraryCall& call) {
  if (!call.are_like(1, 1) || !call.are_rows(2, 1)) return {};
  std::string out, sum;
  kernels::add_rms_norm(call.kernels, call.rows.out(out), call.rows.out(sum), call.rows.in(call[0]),
                        call.rows.in(call[1]), call.rows.row(call[2]), call.epsilon());
  return finished(call, {&out, &sum});
}

Results add_layer_norm(const LibraryCall& call) {
  if (!call.are_like(1, 1) || !call.are_rows(2, 2)) return {};
  std::string out, sum;
  kernels::add_layer_norm(call.kernels, call.rows.out(out), call.rows.out(sum),
                          call.rows.in(call[0]), call.rows.in(call[1]), call.rows.row(call[2]),
                          call.rows.row(call[3]), call.epsilon());
  return finished(call, {&out, &sum});
}

Results silu_mul(const LibraryCall& call) {
  if (!call.are_like(1, 1)) return {};
  std::string out;
  kernels::silu_mul(call.kernels, call.rows.out(out), call.rows.in(call[0]), call.rows.in(call[1]));
  return finished(call, {&out});
}

Results gelu_mul(const LibraryCall& call) {
  if (!call.are_like(1, 1)) return {};
  std::string out;
  const bool is_tanh = call.node.text("approximate", "none") == "tanh";
  kernels::gelu_mul(call.kernels, call.rows.out(out), call.rows.in(call[0]), call.rows.in(call[1]),
                    is_tanh ? kernels::Gelu::kTanh : kernels::Gelu::kErf);
  return finished(call, {&out});
}

const std::map<std::string_view, Results (*)(const LibraryCall&)> kCalls = {
    {"Add", add},
    {"Softmax", softmax},
    {"RMSNormalization", rms_norm},
    {"LayerNormalization", layer_norm},
    {"AddRMSNormalization", add_rms_norm},
    {"AddLayerNormalization", add_layer_norm},
    {"SiluMul", silu_mul},
    {"GeluMul", gelu_mul},
};

}  // namespace

Result<std::optional<std::vector<Tensor>>> run_in_library(
    const Node& node, const std::vector<const Tensor*>& inputs) {
  const auto found = kCalls.find(node.op);
  if (found == kCalls.end() || (!node.domain.empty() && node.domain != kOwnDomain) ||
      inputs.empty() || inputs[0] == nullptr)
    return std::nullopt;
  const auto type = library_type(inputs[0]->type);
  if (!type) return std::nullopt;
  const Rows rows(*inputs[0], *type);
  if (rows.rows() == 0 || rows.columns() == 0) return std::nullopt;
  try {
    static Kernels library(Device::open("cpu"));
    return found->second({library, node, inputs, rows});
  } catch (const std::exception& error) {
    return fail("cannot run the node", node_text(node), error.what());
  }
}

}  // namespace hipwright::graph
