// SPDX-License-Identifier: MIT
// Capture, replay, and updates of captured arguments.
#include <fmt/format.h>

#include <algorithm>

#include "device/hip/device.h"

namespace hipwright::device::hip {

namespace {

constexpr const char* kBegin = "cannot begin a capture on";
constexpr const char* kUpdate = "cannot update the graph on";

std::string_view name_of(hipGraphNodeType type) {
  switch (type) {
    case hipGraphNodeTypeKernel:
      return "a kernel";
    case hipGraphNodeTypeMemcpy:
      return "a copy";
    case hipGraphNodeTypeMemset:
      return "a fill";
    case hipGraphNodeTypeHost:
      return "a host function";
    case hipGraphNodeTypeGraph:
      return "a graph";
    case hipGraphNodeTypeEmpty:
      return "nothing";
    case hipGraphNodeTypeWaitEvent:
      return "a wait for an event";
    case hipGraphNodeTypeEventRecord:
      return "an event record";
    case hipGraphNodeTypeMemAlloc:
      return "an allocation";
    case hipGraphNodeTypeMemFree:
      return "a free";
    default:
      return "another kind of node";
  }
}

std::string kernel_name(const CapturedGraph::Kernel& kernel) {
  return kernel.function != nullptr ? kernel.function->symbol : std::string();
}

std::string_view reason(hipGraphExecUpdateResult result) {
  switch (result) {
    case hipGraphExecUpdateErrorTopologyChanged:
      return "the order or the dependencies of the nodes differ";
    case hipGraphExecUpdateErrorNodeTypeChanged:
      return "the kind of a node differs";
    case hipGraphExecUpdateErrorFunctionChanged:
    case hipGraphExecUpdateErrorUnsupportedFunctionChange:
      return "a kernel was replaced by an incompatible one";
    case hipGraphExecUpdateErrorParametersChanged:
      return "a parameter that cannot be changed differs";
    case hipGraphExecUpdateErrorNotSupported:
      return "the runtime cannot update this kind of node";
    default:
      return "the runtime gives no reason";
  }
}

// Where two graphs differ, if that can be determined; otherwise empty.
std::string difference(const CapturedGraph& graph, const CapturedGraph& newer) {
  if (graph.nodes.size() != newer.nodes.size())
    return fmt::format("the shapes differ: {} nodes instead of {} in the newer graph",
                       graph.nodes.size(), newer.nodes.size());
  for (std::size_t i = 0; i < graph.types.size(); ++i)
    if (graph.types[i] != newer.types[i])
      return fmt::format("the shapes differ: node {} is {}, but {} in the newer graph", i,
                         name_of(graph.types[i]), name_of(newer.types[i]));
  return {};
}

}  // namespace

Done HipDevice::begin_capture(Stream stream) {
  if (stream == nullptr)
    return refused(FailureKind::kCapture, kBegin, "the default stream cannot be captured",
                   "Capture a stream that you created.");
  // Relaxed: the memory pool may grow during capture. runtime/ rejects what cannot be captured.
  return call(api_->hipStreamBeginCapture, native(stream), hipStreamCaptureModeRelaxed);
}

Outcome<CaptureState> HipDevice::capture_state(Stream stream) {
  hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
  HW_CHECK(call(api_->hipStreamIsCapturing, native(stream), &status));
  switch (status) {
    case hipStreamCaptureStatusActive:
      return CaptureState::kActive;
    case hipStreamCaptureStatusInvalidated:
      return CaptureState::kInvalidated;
    default:
      return CaptureState::kNone;
  }
}

Outcome<Graph> HipDevice::end_capture(Stream stream) {
  auto graph = std::make_unique<CapturedGraph>();
  auto ended = call(api_->hipStreamEndCapture, native(stream), &graph->graph);
  if (!ended) {
    ended.error().kind = FailureKind::kCapture;
    return std::unexpected(std::move(ended).error());
  }
  if (graph->graph == nullptr)
    return refused(FailureKind::kCapture, api_->hipStreamEndCapture.name,
                   "an earlier call broke the capture",
                   "Find the first error after the capture began.");
  HW_TRY(CapturedGraph * described, describe(std::move(graph)));
  return reinterpret_cast<Graph>(described);
}

Outcome<CapturedGraph*> HipDevice::describe(std::unique_ptr<CapturedGraph> graph) {
  const auto fill_in = [&]() -> Done {
    std::size_t count = 0;
    HW_CHECK(
        call(api_->hipGraphGetNodes, graph->graph, static_cast<hipGraphNode_t*>(nullptr), &count));
    graph->nodes.resize(count);
    if (count > 0)
      HW_CHECK(call(api_->hipGraphGetNodes, graph->graph, graph->nodes.data(), &count));
    for (std::size_t i = 0; i < graph->nodes.size(); ++i) {
      hipGraphNodeType type = hipGraphNodeTypeEmpty;
      HW_CHECK(call(api_->hipGraphNodeGetType, graph->nodes[i], &type));
      graph->types.push_back(type);
      if (type != hipGraphNodeTypeKernel) continue;
      CapturedGraph::Kernel kernel{.node = i};
      HW_CHECK(call(api_->hipGraphKernelNodeGetParams, graph->nodes[i], &kernel.params));
      const std::lock_guard lock(functions_mutex_);
      const auto found = functions_.find(static_cast<hipFunction_t>(kernel.params.func));
      if (found != functions_.end()) kernel.function = found->second;
      graph->kernels.push_back(std::move(kernel));
    }
    return call(api_->hipGraphInstantiate, &graph->exec, graph->graph,
                static_cast<hipGraphNode_t*>(nullptr), static_cast<char*>(nullptr), std::size_t{0});
  };
  if (auto done = fill_in(); !done) {
    static_cast<void>(call(api_->hipGraphDestroy, graph->graph));
    return std::unexpected(std::move(done).error());
  }
  return graph.release();
}

Done HipDevice::launch(Graph handle, Stream stream) {
  auto* graph = reinterpret_cast<CapturedGraph*>(handle);
  return call(api_->hipGraphLaunch, graph->exec, native(stream));
}

Done HipDevice::destroy(Graph handle) {
  const std::unique_ptr<CapturedGraph> graph(reinterpret_cast<CapturedGraph*>(handle));
  const auto exec = call(api_->hipGraphExecDestroy, graph->exec);
  const auto source = call(api_->hipGraphDestroy, graph->graph);
  return exec ? source : exec;
}

Outcome<std::vector<KernelNode>> HipDevice::kernel_nodes(Graph handle) {
  auto* graph = reinterpret_cast<CapturedGraph*>(handle);
  const std::lock_guard lock(graph->mutex);
  std::vector<KernelNode> list;
  for (const CapturedGraph::Kernel& kernel : graph->kernels) {
    const auto extent = [](const dim3& size) { return Extent{size.x, size.y, size.z}; };
    list.push_back({.kernel = kernel_name(kernel),
                    .launch = {.grid = extent(kernel.params.gridDim),
                               .block = extent(kernel.params.blockDim),
                               .shared_bytes = kernel.params.sharedMemBytes}});
  }
  return list;
}

Done HipDevice::set_arguments(Graph handle, std::size_t kernel_node,
                              std::span<const Argument> arguments) {
  auto* graph = reinterpret_cast<CapturedGraph*>(handle);
  const std::lock_guard lock(graph->mutex);
  HW_CHECK(check_kernel_node(*this, kernel_node, graph->kernels.size()));
  CapturedGraph::Kernel& kernel = graph->kernels[kernel_node];
  if (kernel.function == nullptr)
    return refused(
        FailureKind::kDevice, kUpdate,
        fmt::format("kernel launch {} is not from a module that hipwright loaded", kernel_node));
  HW_CHECK(check_arguments(*this, kernel.function->name, kernel.function->sizes, arguments));
  std::vector<std::vector<std::byte>> values;
  std::vector<void*> pointers;
  for (const Argument& argument : arguments) {
    const auto* bytes = static_cast<const std::byte*>(argument.value);
    pointers.push_back(values.emplace_back(bytes, bytes + argument.size).data());
  }
  pointers.push_back(nullptr);
  hipKernelNodeParams params = kernel.params;
  params.kernelParams = pointers.data();
  params.extra = nullptr;
  HW_CHECK(
      call(api_->hipGraphExecKernelNodeSetParams, graph->exec, graph->nodes[kernel.node], &params));
  kernel.values = std::move(values);
  kernel.pointers = std::move(pointers);
  kernel.params = params;
  return {};
}

Done HipDevice::update(Graph handle, Graph newer_handle) {
  auto* graph = reinterpret_cast<CapturedGraph*>(handle);
  auto* newer = reinterpret_cast<CapturedGraph*>(newer_handle);
  if (graph == newer) return {};
  const std::scoped_lock lock(graph->mutex, newer->mutex);
  if (std::string why = difference(*graph, *newer); !why.empty())
    return refused(FailureKind::kCapture, kUpdate, std::move(why),
                   "Capture the same work again, or launch the newer graph itself.");
  hipGraphNode_t node = nullptr;
  hipGraphExecUpdateResult result = hipGraphExecUpdateSuccess;
  auto done = call(api_->hipGraphExecUpdate, graph->exec, newer->graph, &node, &result);
  if (!done) {
    done.error().kind = FailureKind::kCapture;
    done.error().why = reason(result);
    const auto found = std::ranges::find(newer->nodes, node);
    if (node != nullptr && found != newer->nodes.end())
      done.error().why += fmt::format(
          " at node {} ({})", found - newer->nodes.begin(),
          name_of(newer->types[static_cast<std::size_t>(found - newer->nodes.begin())]));
    return done;
  }
  // The parameters are now those of the newer graph; the nodes stay those of this one.
  for (std::size_t i = 0; i < graph->kernels.size(); ++i) {
    graph->kernels[i].function = newer->kernels[i].function;
    graph->kernels[i].params = newer->kernels[i].params;
  }
  return {};
}

}  // namespace hipwright::device::hip
