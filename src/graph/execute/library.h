// SPDX-License-Identifier: MIT
// Nodes that the kernel library computes, on the device of the store. A file library_<area>.cpp has
// the functions of an area and their rows.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "graph/execute/store.h"
#include "graph/ir/graph.h"

namespace hipwright::graph {

// Empty: the library lacks this form of the operation.
using LibraryResults = std::optional<std::vector<RunValue>>;

struct LibraryCall {
  Store& store;
  const Node& node;
  std::vector<RunValue*> inputs;  // nullptr: omitted

  RunValue& operator[](std::size_t index) const { return *inputs[index]; }
  RunValue* input(std::size_t index) const {
    return index < inputs.size() ? inputs[index] : nullptr;
  }
  kernels::Kernels& kernels() const { return store.kernels(); }
  // Of the first input.
  ElementType type() const { return inputs[0]->type; }
  const Dims& dims() const { return inputs[0]->dims; }
  std::size_t rank() const { return dims().size(); }
  // The last dimension, and the product of those before it.
  std::int64_t columns() const { return dims().empty() ? 1 : dims().back(); }
  std::int64_t rows() const { return columns() == 0 ? 0 : inputs[0]->count() / columns(); }

  bool has_type(std::size_t index) const {
    return input(index) != nullptr && inputs[index]->type == type();
  }
  bool is_like_first(std::size_t index) const {
    return has_type(index) && inputs[index]->dims == dims();
  }
  // One number for each column.
  bool is_row(std::size_t index) const {
    return has_type(index) && inputs[index]->dims == Dims{columns()};
  }

  // An input as a packed matrix.
  kernels::ConstMatrix in(std::size_t index, std::int64_t rows, std::int64_t columns) const;
  kernels::ConstMatrix rows_of(std::size_t index) const { return in(index, rows(), columns()); }
  kernels::ConstMatrix row_of(std::size_t index) const { return in(index, 1, columns()); }
};

// A result and its memory, as matrices.
struct LibraryResult {
  LibraryResult(const LibraryCall& call, Dims dims);
  kernels::Matrix matrix(std::int64_t rows, std::int64_t columns) const;
  RunValue value;
  void* data;
};
LibraryResults one_result(LibraryResult result);

// The library's type of an element type that it computes with.
std::optional<DataType> library_type(ElementType type);
// The library's activation of the name that fused nodes have.
std::optional<kernels::Activation> library_activation(std::string_view name);

struct LibraryRow {
  std::string_view op;
  LibraryResults (*run)(const LibraryCall& call);
};
std::span<const LibraryRow> library_of_rows();      // norms, activations, sums
std::span<const LibraryRow> library_of_products();  // matrix products and attention
std::span<const LibraryRow> library_of_images();    // convolutions and pooling

// Empty: the library lacks the operation, or this form of it.
Result<LibraryResults> run_in_library(Store& store, const Node& node,
                                      const std::vector<RunValue*>& inputs);

}  // namespace hipwright::graph
