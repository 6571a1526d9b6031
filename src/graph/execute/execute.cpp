// SPDX-License-Identifier: MIT
#include "graph/execute/execute.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "base/json.h"
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

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

}  // namespace

std::string_view to_string(RunBy by) {
  switch (by) {
    case RunBy::kLibrary:
      return "kernel library";
    case RunBy::kShape:
      return "shape";
    case RunBy::kReference:
      return "reference";
  }
  return "";
}

std::size_t RunResult::count(RunBy by) const {
  return static_cast<std::size_t>(std::ranges::count(nodes, by, &NodeRun::by));
}

struct Executor::State {
  const Graph& graph;
  const RunOptions options;
  Store store;
  std::vector<std::optional<RunValue>> constants;
  std::vector<std::size_t> last;

  State(const Graph& of, RunOptions given, const Device& device)
      : graph(of), options(std::move(given)), store(device), last(last_uses(of)) {
    for (const Value& value : graph.values)
      constants.push_back(value.constant ? std::optional<RunValue>(*value.constant) : std::nullopt);
  }
};

namespace {

// One run.
template <class State>
class Execution {
 public:
  explicit Execution(State& state)
      : state_(state), graph_(state.graph), values_(state.constants.size()) {}

  Result<RunResult> run(const std::vector<Tensor>& inputs) {
    HW_CHECK(take_inputs(inputs));
    const std::uint64_t copied = state_.store.copied_bytes();
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) HW_CHECK(run_node_at(i));
    for (const ValueId id : graph_.outputs)
      result_.outputs.push_back(state_.store.on_host(*value(id)));
    result_.copied_bytes = state_.store.copied_bytes() - copied;
    result_.seconds = seconds_since(begin_);
    return std::move(result_);
  }

 private:
  // Constants stay with the executor, on whichever side they were used.
  RunValue* value(ValueId id) {
    if (id == kNoValue) return nullptr;
    std::optional<RunValue>& constant = state_.constants[id];
    return constant ? &*constant : &*values_[id];
  }

  Status take_inputs(const std::vector<Tensor>& inputs) {
    if (inputs.size() != graph_.inputs.size())
      return fail(
          "inputs do not fit the model", graph_.name,
          fmt::format("{} are given, {} are declared", inputs.size(), graph_.inputs.size()));
    std::map<std::string, std::int64_t> symbols;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      HW_CHECK(check_input(graph_.values[graph_.inputs[i]], inputs[i], symbols));
      values_[graph_.inputs[i]].emplace(inputs[i]);
    }
    return {};
  }

  Status run_node_at(std::size_t index) {
    const Node& node = graph_.nodes[index];
    std::vector<RunValue*> inputs;
    for (const ValueId id : node.inputs) inputs.push_back(value(id));
    NodeRun run{.node = node_text(node), .op = op_text(node), .begin = seconds_since(begin_)};
    std::optional<std::vector<RunValue>> results;
    if (state_.options.uses_library) {
      HW_TRY(results, run_in_library(state_.store, node, inputs));
    }
    if (results) {
      run.by = RunBy::kLibrary;
    } else {
      HW_TRY(results, run_reference(node, inputs, run.by));
    }
    if (results->size() < node.outputs.size())
      return fail("cannot run the node", node_text(node), "it has too many outputs");
    if (state_.options.waits_for_nodes) state_.store.device().synchronize();
    run.seconds = seconds_since(begin_) - run.begin;
    result_.nodes.push_back(std::move(run));
    keep(index, node, *std::move(results));
    return {};
  }

  Result<std::vector<RunValue>> run_reference(const Node& node,
                                              const std::vector<RunValue*>& inputs, RunBy& by) {
    // Stands for elements that are not read.
    static const auto unread = std::make_shared<const std::string>();
    HW_TRY(const Operator* op, operator_of(graph_, node));
    const bool is_by_shape = op->reads_first_shape && inputs[0] != nullptr;
    std::vector<Tensor> tensors;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i] == nullptr)
        tensors.emplace_back();
      else if (i == 0 && is_by_shape)
        tensors.push_back({inputs[0]->type, inputs[0]->dims, unread});
      else
        tensors.push_back(state_.store.on_host(*inputs[i]));
    }
    std::vector<const Tensor*> pointers;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      pointers.push_back(inputs[i] == nullptr ? nullptr : &tensors[i]);
    HW_TRY(const Tensors results, run_node(graph_, node, pointers));
    by = is_by_shape ? RunBy::kShape : RunBy::kReference;
    std::vector<RunValue> values;
    for (const Tensor& result : results)
      values.push_back(result.bytes == unread ? inputs[0]->with_dims(result.dims)
                                              : RunValue(result));
    return values;
  }

  void keep(std::size_t index, const Node& node, std::vector<RunValue> results) {
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      const ValueId id = node.outputs[i];
      if (id == kNoValue || state_.last[id] <= index) continue;
      live_ += results[i].bytes();
      values_[id] = std::move(results[i]);
    }
    result_.peak_bytes = std::max(result_.peak_bytes, live_);
    for (const ValueId id : node.inputs) {
      if (id == kNoValue || state_.last[id] != index || !values_[id]) continue;
      live_ -= std::min<std::uint64_t>(live_, values_[id]->bytes());
      values_[id].reset();
    }
  }

  State& state_;
  const Graph& graph_;
  const Clock::time_point begin_ = Clock::now();
  std::vector<std::optional<RunValue>> values_;
  std::uint64_t live_ = 0;
  RunResult result_;
};

}  // namespace

Executor::Executor(std::unique_ptr<State> state) : state_(std::move(state)) {}
Executor::Executor(Executor&&) noexcept = default;
Executor::~Executor() = default;

Result<Executor> Executor::create(const Graph& graph, const RunOptions& options) {
  try {
    return Executor(std::make_unique<State>(graph, options, Device::open(options.device)));
  } catch (const std::exception& error) {
    return fail("cannot use the device", options.device, error.what());
  }
}

std::string Executor::device() const {
  return state_->store.device().id();
}

Result<RunResult> Executor::run(const std::vector<Tensor>& inputs) {
  try {
    return Execution(*state_).run(inputs);
  } catch (const std::bad_alloc&) {
    return fail("cannot run the model", state_->graph.name, "not enough memory");
  } catch (const std::exception& error) {
    return fail("cannot run the model", state_->graph.name, error.what());
  }
}

Result<RunResult> run(const Graph& graph, const std::vector<Tensor>& inputs,
                      const RunOptions& options) {
  HW_TRY(Executor executor, Executor::create(graph, options));
  return executor.run(inputs);
}

std::string trace_text(const RunResult& result, std::string_view device) {
  Json events = Json::array();
  for (const NodeRun& node : result.nodes)
    events.push_back({{"ph", "X"},
                      {"cat", node.by == RunBy::kLibrary ? "kernel" : "cpu_op"},
                      {"name", node.op},
                      {"pid", device},
                      {"tid", to_string(node.by)},
                      {"ts", node.begin * 1e6},
                      {"dur", node.seconds * 1e6},
                      {"args", {{"node", node.node}}}});
  return json_text({{"traceEvents", events}, {"displayTimeUnit", "ms"}});
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
