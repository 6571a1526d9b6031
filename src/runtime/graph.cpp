// SPDX-License-Identifier: MIT
#include "runtime/graph.h"

#include <algorithm>

#include <fmt/format.h>

#include "hipwright/utilities.h"
#include "runtime/capture.h"
#include "runtime/raise.h"

namespace hipwright {

namespace runtime {

namespace {

struct Recording {
  device::Graph native = nullptr;
  std::vector<std::shared_ptr<KernelState>> kernels;
};

[[noreturn]] void raise_broken(device::Failure failure, const ActiveCapture& active) {
  failure.kind = device::FailureKind::kCapture;
  failure.why = fmt::format(
      "capture of graph '{}' failed: {}. The last operation that hipwright "
      "saw in it: {}",
      active.graph(), failure.why, active.last_operation());
  if (failure.advice.empty())
    failure.advice =
        "Find calls in the captured work that wait for the device or allocate its memory.";
  raise(failure);
}

// Captures the work that `work` submits to `graph.stream`, even if it fails.
Recording record(const GraphState& graph, const Work& work) {
  if (const ActiveCapture* const outer = ActiveCapture::current())
    raise({device::FailureKind::kCapture, "capture_graph", graph.driver->id(),
           fmt::format("graph '{}' cannot be captured while this thread captures graph '{}'",
                       graph.name, outer->graph()),
           "Capture them one after the other."});
  const std::unique_ptr<const PrivatePool::Scope> memory(
      graph.pool ? new PrivatePool::Scope(graph.pool.use()) : nullptr);
  device::Device& driver = *graph.driver;
  ActiveCapture active(graph.name, driver, graph.stream);
  value_or_raise(driver.begin_capture(native(graph.stream)));
  try {
    const StreamScope scope(Device(graph.driver), graph.stream);
    work(graph.stream);
  } catch (...) {
    if (const auto unwanted = driver.end_capture(native(graph.stream)))
      static_cast<void>(driver.destroy(*unwanted));
    throw;
  }
  auto captured = driver.end_capture(native(graph.stream));
  if (!captured) raise_broken(std::move(captured).error(), active);
  return {*captured, active.take_kernels()};
}

GraphState& state_of(const std::shared_ptr<GraphState>& state, const char* call) {
  if (!state)
    raise_misuse(call, {}, "empty graph", "Create it with HIPUtilities::capture_graph().");
  return *state;
}

}  // namespace

GraphState::~GraphState() {
  for (const Stream& used : replayed_on) {
    // Waiting for a captured stream would break that capture; no replay of this graph is running in
    // it.
    const auto capture = driver->capture_state(runtime::native(used));
    if (capture && *capture == device::CaptureState::kNone)
      static_cast<void>(driver->synchronize(runtime::native(used)));
  }
  if (native != nullptr) static_cast<void>(driver->destroy(native));
}

std::shared_ptr<GraphState> capture_graph(std::shared_ptr<device::Device> driver,
                                          const std::string& name, PrivatePool pool,
                                          const Work& work) {
  auto graph = std::make_shared<GraphState>();
  graph->name = name;
  graph->stream = Stream(make_stream(driver, "graph " + name, 0));
  graph->driver = std::move(driver);
  graph->pool = std::move(pool);
  Recording recording = record(*graph, work);
  graph->native = recording.native;
  graph->kernels = std::move(recording.kernels);
  return graph;
}

}  // namespace runtime

using runtime::state_of;
using runtime::value_or_raise;

void Graph::replay(const Stream& stream) const {
  runtime::GraphState& graph = state_of(state_, "Graph::replay");
  const Stream& on = stream.state() ? stream : graph.stream;
  if (on.state()->driver != graph.driver)
    runtime::raise_misuse("Graph::replay", graph.driver->id(),
                          fmt::format("graph '{}' cannot be replayed on stream '{}', which belongs "
                                      "to {}",
                                      graph.name, on.name(), on.state()->driver->id()),
                          "Replay it on a stream of the device where it was captured.");
  runtime::check_not_recorded(*graph.driver, runtime::native(on),
                              fmt::format("the replay of graph '{}'", graph.name),
                              "graphs cannot be nested", "Submit its work to the stream instead.");
  const std::lock_guard lock(graph.mutex);
  value_or_raise(graph.driver->launch(graph.native, runtime::native(on)));
  if (std::find(graph.replayed_on.begin(), graph.replayed_on.end(), on) == graph.replayed_on.end())
    graph.replayed_on.push_back(on);
}

std::vector<std::string> Graph::kernels() const {
  runtime::GraphState& graph = state_of(state_, "Graph::kernels");
  const std::lock_guard lock(graph.mutex);
  std::vector<std::string> names;
  for (device::KernelNode& node : value_or_raise(graph.driver->kernel_nodes(graph.native)))
    names.push_back(std::move(node.kernel));
  return names;
}

void Graph::set_argument_list(std::size_t kernel_node,
                              std::span<const KernelArgument> arguments) const {
  runtime::GraphState& graph = state_of(state_, "Graph::set_arguments");
  std::vector<device::Argument> list;
  for (const KernelArgument& argument : arguments) list.push_back({argument.value, argument.size});
  const std::lock_guard lock(graph.mutex);
  value_or_raise(graph.driver->set_arguments(graph.native, kernel_node, list));
}

void Graph::update(const std::function<void(const Stream&)>& work) const {
  runtime::GraphState& graph = state_of(state_, "Graph::update");
  runtime::Recording newer = runtime::record(graph, work);
  const std::lock_guard lock(graph.mutex);
  const auto updated = graph.driver->update(graph.native, newer.native);
  static_cast<void>(graph.driver->destroy(newer.native));
  value_or_raise(updated);
  // Running replays still use the old kernels.
  for (auto& kernel : newer.kernels)
    if (std::find(graph.kernels.begin(), graph.kernels.end(), kernel) == graph.kernels.end())
      graph.kernels.push_back(std::move(kernel));
}

}  // namespace hipwright
