// SPDX-License-Identifier: MIT
#include "graph/execute/execute.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "graph/execute/library.h"
#include "graph/op.h"
#include "verify/numeric/fill.h"

namespace hipwright::graph {

namespace {

constexpr std::int64_t kMostRandom = std::int64_t{1} << 24;  // elements of an input

Status check_input(const Value& declared, const Tensor& given,
                   std::map<std::string, std::int64_t>& symbols) {
  const auto rejected = [&](std::string why) {
    return fail("input does not fit the model", declared.name, std::move(why));
  };
  const std::string actual = std::string(to_string(given.type)) + dims_text(given.dims);
  if (declared.type.element != given.type)
    return rejected(fmt::format("{} is given, {} is declared", actual, to_string(declared.type)));
  if (!declared.type.shape) return {};
  if (declared.type.shape->size() != given.dims.size())
    return rejected(fmt::format("{} is given, {} is declared", actual, to_string(declared.type)));
  for (std::size_t i = 0; i < given.dims.size(); ++i) {
    const Dim& dim = (*declared.type.shape)[i];
    if (dim.is_known() && dim.size != given.dims[i])
      return rejected(fmt::format("{} is given, {} is declared", actual, to_string(declared.type)));
    if (dim.symbol.empty()) continue;
    const auto [found, is_new] = symbols.emplace(dim.symbol, given.dims[i]);
    if (!is_new && found->second != given.dims[i])
      return rejected(fmt::format("{} is {} here and {} in another input", dim.symbol,
                                  given.dims[i], found->second));
  }
  return {};
}

// The last node that uses each value; the number of nodes for outputs of the graph.
std::vector<std::size_t> last_uses(const Graph& graph) {
  std::vector<std::size_t> last(graph.values.size(), 0);
  for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    for (const ValueId id : graph.nodes[i].inputs)
      if (id != kNoValue) last[id] = i;
  for (const ValueId id : graph.outputs) last[id] = graph.nodes.size();
  return last;
}

class Execution {
 public:
  Execution(const Graph& graph, const RunOptions& options)
      : graph_(graph), options_(options), values_(graph.values.size()), last_(last_uses(graph)) {
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = graph.values[i].constant;
  }

  Result<RunResult> run(const std::vector<Tensor>& inputs) {
    HW_CHECK(take_inputs(inputs));
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) HW_CHECK(run_node_at(i));
    for (const ValueId id : graph_.outputs) result_.outputs.push_back(*values_[id]);
    return std::move(result_);
  }

 private:
  Status take_inputs(const std::vector<Tensor>& inputs) {
    if (inputs.size() != graph_.inputs.size())
      return fail(
          "inputs do not fit the model", graph_.name,
          fmt::format("{} are given, {} are declared", inputs.size(), graph_.inputs.size()));
    std::map<std::string, std::int64_t> symbols;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      HW_CHECK(check_input(graph_.values[graph_.inputs[i]], inputs[i], symbols));
      values_[graph_.inputs[i]] = inputs[i];
    }
    return {};
  }

  Status run_node_at(std::size_t index) {
    const Node& node = graph_.nodes[index];
    std::vector<const Tensor*> inputs;
    for (const ValueId id : node.inputs) inputs.push_back(id == kNoValue ? nullptr : &*values_[id]);
    NodeRun run{.node = node_text(node), .op = op_text(node)};
    const auto begin = std::chrono::steady_clock::now();
    std::optional<Tensors> results;
    if (options_.uses_library) {
      HW_TRY(results, run_in_library(node, inputs));
    }
    run.by_library = results.has_value();
    if (!results) {
      HW_TRY(results, run_node(graph_, node, inputs));
    }
    if (results->size() < node.outputs.size())
      return fail("cannot run the node", node_text(node), "it has too many outputs");
    run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    result_.nodes.push_back(std::move(run));
    keep(index, node, *std::move(results));
    return {};
  }

  void keep(std::size_t index, const Node& node, Tensors results) {
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      const ValueId id = node.outputs[i];
      if (id == kNoValue || last_[id] <= index) continue;
      live_ += results[i].bytes->size();
      values_[id] = std::move(results[i]);
    }
    result_.peak_bytes = std::max(result_.peak_bytes, live_);
    for (const ValueId id : node.inputs) {
      if (id == kNoValue || last_[id] != index || !values_[id] || graph_.values[id].constant)
        continue;
      live_ -= std::min<std::uint64_t>(live_, values_[id]->bytes->size());
      values_[id].reset();
    }
  }

  const Graph& graph_;
  const RunOptions& options_;
  std::vector<std::optional<Tensor>> values_;
  std::vector<std::size_t> last_;
  std::uint64_t live_ = 0;
  RunResult result_;
};

}  // namespace

Result<RunResult> run(const Graph& graph, const std::vector<Tensor>& inputs,
                      const RunOptions& options) {
  return Execution(graph, options).run(inputs);
}

Result<std::vector<Tensor>> random_inputs(const Graph& graph, std::uint64_t seed,
                                          std::int64_t symbol_size) {
  std::vector<Tensor> out;
  for (const ValueId id : graph.inputs) {
    const Value& value = graph.values[id];
    const auto rejected = [&](std::string why) {
      return fail("cannot make inputs", value.name, std::move(why), "Pass inputs of your own.");
    };
    if (!value.type.shape) return rejected("the model does not declare its shape");
    if (!has_arithmetic(value.type.element))
      return rejected(fmt::format("no numbers of type {}", to_string(value.type.element)));
    Dims dims;
    for (const Dim& dim : *value.type.shape)
      dims.push_back(dim.is_known() ? dim.size : symbol_size);
    const auto count = count_elements(dims);
    if (!count || *count > kMostRandom)
      return rejected("its declared shape " + dims_text(dims) + " is too large");
    const verify::Distribution distribution =
        is_float(value.type.element)
            ? verify::Distribution{verify::Distribution::Kind::kNormal, 0, 1}
            : verify::Distribution{verify::Distribution::Kind::kIntegers, 0, 2};
    const verify::Values filled =
        verify::filled(DataType::kF64, dims, distribution, seed + out.size());
    std::vector<double> numbers;
    for (std::size_t i = 0; i < filled.count(); ++i) numbers.push_back(filled.at(i));
    out.push_back(tensor_of(value.type.element, dims, numbers));
  }
  return out;
}

Difference difference(const Tensor& expected, const Tensor& actual) {
  Difference out;
  if (expected.type != actual.type || expected.dims != actual.dims) {
    out.is_same_type = false;
    return out;
  }
  if (!has_arithmetic(expected.type)) {
    out.has_other_specials = !(expected == actual);
    return out;
  }
  const std::vector<double> a = floats_of(expected), b = floats_of(actual);
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::isfinite(a[i]) && std::isfinite(b[i])) {
      largest = std::max(largest, std::abs(a[i]));
      out.absolute = std::max(out.absolute, std::abs(a[i] - b[i]));
    } else if (!(std::isnan(a[i]) && std::isnan(b[i])) && a[i] != b[i]) {
      out.has_other_specials = true;
    }
  }
  out.relative = out.absolute == 0 ? 0 : out.absolute / std::max(largest, 1e-30);
  return out;
}

}  // namespace hipwright::graph
