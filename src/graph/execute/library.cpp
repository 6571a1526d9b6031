// SPDX-License-Identifier: MIT
#include "graph/execute/library.h"

#include <exception>
#include <map>
#include <new>

#include "graph/op.h"

namespace hipwright::graph {

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

std::optional<kernels::Activation> library_activation(std::string_view name) {
  using enum kernels::Activation;
  if (name.empty()) return kNone;
  if (name == "relu") return kRelu;
  if (name == "silu") return kSilu;
  if (name == "gelu") return kGeluErf;
  if (name == "gelu_tanh") return kGeluTanh;
  return std::nullopt;
}

kernels::ConstMatrix LibraryCall::in(std::size_t index, std::int64_t rows,
                                     std::int64_t columns) const {
  RunValue& value = *inputs[index];
  return {*library_type(value.type), store.to_read(value), rows, columns, columns};
}

LibraryResult::LibraryResult(const LibraryCall& call, Dims dims)
    : value(call.type(), {}), data(nullptr) {
  std::tie(value, data) = call.store.to_write(call.type(), std::move(dims));
}

kernels::Matrix LibraryResult::matrix(std::int64_t rows, std::int64_t columns) const {
  return {*library_type(value.type), data, rows, columns, columns};
}

LibraryResults one_result(LibraryResult result) {
  std::vector<RunValue> results;
  results.push_back(std::move(result.value));
  return results;
}

namespace {

std::map<std::string_view, LibraryResults (*)(const LibraryCall&)> all_calls() {
  std::map<std::string_view, LibraryResults (*)(const LibraryCall&)> calls;
  for (const auto rows : {library_of_rows(), library_of_products(), library_of_images()})
    for (const LibraryRow& row : rows) calls.emplace(row.op, row.run);
  return calls;
}

}  // namespace

Result<LibraryResults> run_in_library(Store& store, const Node& node,
                                      const std::vector<RunValue*>& inputs) {
  static const auto calls = all_calls();
  const auto found = calls.find(node.op);
  if (found == calls.end() || (!node.domain.empty() && node.domain != kOwnDomain) ||
      inputs.empty() || inputs[0] == nullptr || !library_type(inputs[0]->type) ||
      inputs[0]->count() == 0 || inputs[0]->dims.empty())
    return std::nullopt;
  try {
    LibraryResults results = found->second({store, node, inputs});
    if (results) store.finish_node();
    return results;
  } catch (const std::bad_alloc&) {
    return fail("cannot run the node", node_text(node), "not enough memory");
  } catch (const std::exception& error) {
    return fail("cannot run the node", node_text(node), error.what());
  }
}

}  // namespace hipwright::graph
