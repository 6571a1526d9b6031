// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "device/cuda/device.h"

namespace hipwright::device::cuda {

namespace {

CapturedGraph* captured(Graph graph) {
  return reinterpret_cast<CapturedGraph*>(graph);
}

// CUgraphExecUpdateResult in words.
const char* update_reason(int result) {
  switch (result) {
    case 2:
      return "the order of the nodes differs";
    case 3:
      return "the kind of a node differs";
    case 4:
    case 7:
      return "a kernel was replaced by an incompatible one";
    case 5:
      return "a parameter that cannot be changed differs";
    case 6:
      return "a node does not support updates";
    case 8:
      return "kernel attributes differ";
    default:
      return "the driver rejected the update";
  }
}

}  // namespace

Done CudaDevice::begin_capture(Stream stream) {
  if (stream == nullptr)
    return std::unexpected(Failure(FailureKind::kCapture, "cuStreamBeginCapture", id(),
                                   "the default stream cannot be captured",
                                   "Capture a stream from create_stream()."));
  // Relaxed: the memory pool may grow during capture. runtime/ rejects what cannot be captured.
  HW_CHECK(
      call("cuStreamBeginCapture", &Api::cuStreamBeginCapture, native(stream), kCaptureRelaxed));
  captures_.fetch_add(1, std::memory_order_relaxed);
  return {};
}

Outcome<CaptureState> CudaDevice::capture_state(Stream stream) {
  int status = 0;
  HW_CHECK(call("cuStreamGetCaptureInfo", &Api::cuStreamGetCaptureInfo, native(stream), &status,
                static_cast<unsigned long long*>(nullptr), static_cast<CUgraph*>(nullptr),
                static_cast<const CUgraphNode**>(nullptr), static_cast<std::size_t*>(nullptr)));
  return status == 0   ? CaptureState::kNone
         : status == 1 ? CaptureState::kActive
                       : CaptureState::kInvalidated;
}

// The node that a launch has just become is what the stream's next work will depend on.
Done CudaDevice::remember_captured(LoadedFunction& function, const Launch& launch) {
  int status = 0;
  unsigned long long capture = 0;
  const CUgraphNode* nodes = nullptr;
  std::size_t count = 0;
  HW_CHECK(call("cuStreamGetCaptureInfo", &Api::cuStreamGetCaptureInfo, native(launch.stream),
                &status, &capture, static_cast<CUgraph*>(nullptr), &nodes, &count));
  if (status != 1 || count != 1) return {};
  const std::lock_guard lock(captures_mutex_);
  captured_[capture].push_back({nodes[0], function.shared_from_this(), launch});
  return {};
}

Outcome<Graph> CudaDevice::end_capture(Stream stream) {
  int status = 0;
  unsigned long long capture = 0;
  HW_CHECK(call("cuStreamGetCaptureInfo", &Api::cuStreamGetCaptureInfo, native(stream), &status,
                &capture, static_cast<CUgraph*>(nullptr), static_cast<const CUgraphNode**>(nullptr),
                static_cast<std::size_t*>(nullptr)));
  auto graph = std::make_unique<CapturedGraph>();
  if (status != 0) captures_.fetch_sub(1, std::memory_order_relaxed);
  {
    const std::lock_guard lock(captures_mutex_);
    if (const auto found = captured_.find(capture); found != captured_.end()) {
      graph->kernels = std::move(found->second);
      captured_.erase(found);
    }
  }
  HW_CHECK(call("cuStreamEndCapture", &Api::cuStreamEndCapture, native(stream), &graph->graph));
  const Done instantiated = call("cuGraphInstantiate", &Api::cuGraphInstantiateWithFlags,
                                 &graph->executable, graph->graph, 0ULL);
  if (!instantiated) {
    static_cast<void>(call("cuGraphDestroy", &Api::cuGraphDestroy, graph->graph));
    return std::unexpected(instantiated.error());
  }
  return reinterpret_cast<Graph>(graph.release());
}

Done CudaDevice::launch(Graph graph, Stream stream) {
  return call("cuGraphLaunch", &Api::cuGraphLaunch, captured(graph)->executable, native(stream));
}

Done CudaDevice::destroy(Graph graph) {
  const std::unique_ptr<CapturedGraph> owned(captured(graph));
  const Done executable = call("cuGraphExecDestroy", &Api::cuGraphExecDestroy, owned->executable);
  const Done recorded = call("cuGraphDestroy", &Api::cuGraphDestroy, owned->graph);
  return executable ? recorded : executable;
}

Outcome<std::vector<KernelNode>> CudaDevice::kernel_nodes(Graph graph) {
  std::vector<KernelNode> nodes;
  for (const CapturedKernel& kernel : captured(graph)->kernels)
    nodes.push_back({kernel.function->name, kernel.launch});
  return nodes;
}

Done CudaDevice::set_arguments(Graph graph, std::size_t kernel_node,
                               std::span<const Argument> arguments) {
  CapturedGraph& of = *captured(graph);
  HW_CHECK(check_kernel_node(*this, kernel_node, of.kernels.size()));
  const CapturedKernel& kernel = of.kernels[kernel_node];
  if (kernel.function->sizes_known)
    HW_CHECK(
        check_arguments(*this, kernel.function->name, kernel.function->parameter_sizes, arguments));
  std::vector<void*> values;
  for (const Argument& argument : arguments) values.push_back(const_cast<void*>(argument.value));
  const Launch& launch = kernel.launch;
  const KernelNodeParams parameters{.function = kernel.function->native,
                                    .grid_x = launch.grid.x,
                                    .grid_y = launch.grid.y,
                                    .grid_z = launch.grid.z,
                                    .block_x = launch.block.x,
                                    .block_y = launch.block.y,
                                    .block_z = launch.block.z,
                                    .shared_bytes = launch.shared_bytes,
                                    .parameters = values.data()};
  return call("cuGraphExecKernelNodeSetParams", &Api::cuGraphExecKernelNodeSetParams, of.executable,
              kernel.node, &parameters);
}

Done CudaDevice::update(Graph graph, Graph newer) {
  if (api_.cuGraphExecUpdate == nullptr) return missing("cuGraphExecUpdate", "12.0");
  GraphUpdateResult result{};
  const Done done = call("cuGraphExecUpdate", &Api::cuGraphExecUpdate, captured(graph)->executable,
                         captured(newer)->graph, &result);
  if (!done && done.error().code == kGraphExecUpdateFailure) {
    Failure failure = done.error();
    failure.why = fmt::format("the shapes differ: {}", update_reason(result.result));
    return std::unexpected(std::move(failure));
  }
  HW_CHECK(done);
  // Later set_arguments() calls start from the new launches; the nodes stay the old graph's.
  auto& kernels = captured(graph)->kernels;
  const auto& updated = captured(newer)->kernels;
  for (std::size_t i = 0; i < std::min(kernels.size(), updated.size()); ++i) {
    kernels[i].function = updated[i].function;
    kernels[i].launch = updated[i].launch;
  }
  return {};
}

}  // namespace hipwright::device::cuda
