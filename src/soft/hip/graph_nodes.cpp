// SPDX-License-Identifier: MIT
// Graph nodes by kind: adding, reading and changing them.
#include <algorithm>

#include "soft/hip/graph_node_work.h"

namespace hipwright::soft::hip {

namespace {

hipMemsetParams memset_parameters(const FillWork& work) {
  return {.dst = pointer_to(work.to.base),
          .elementSize = work.element,
          .height = work.extent.rows,
          .pitch = work.to.pitch,
          .value = work.value,
          .width = work.extent.bytes / work.element};
}

bool have_same_kinds(const Graph& a, const Graph& b) {
  return std::ranges::equal(a.nodes, b.nodes, [](const auto& first, const auto& second) {
    return first->work.index() == second->work.index();
  });
}

bool can_be_disabled(const Node& node) {
  return std::holds_alternative<KernelWork>(node.work) ||
         std::holds_alternative<CopyWork>(node.work) || std::holds_alternative<FillWork>(node.work);
}

// Access policies and priorities decide when, never what: they are only kept.
hipError_t set_attribute(KernelWork& work, hipLaunchAttributeID id,
                         const hipLaunchAttributeValue& value) {
  switch (id) {
    case hipLaunchAttributeCooperative:
      work.cooperative = value.cooperative;
      return hipSuccess;
    case hipLaunchAttributePriority:
      work.attributes.priority = value.priority;
      return hipSuccess;
    case hipLaunchAttributeAccessPolicyWindow: {
      const hipAccessPolicyWindow& window = value.accessPolicyWindow;
      // No AMD device has such windows (hipDeviceAttributeAccessPolicyMaxWindowSize is 0).
      if (window.hitRatio < 0 || window.hitRatio > 1 || window.num_bytes > 0 ||
          window.missProp == hipAccessPropertyPersisting)
        return hipErrorInvalidValue;
      work.attributes.window = window;
      return hipSuccess;
    }
  }
  return hipErrorInvalidValue;
}
hipError_t get_attribute(const KernelWork& work, hipLaunchAttributeID id,
                         hipLaunchAttributeValue& value) {
  switch (id) {
    case hipLaunchAttributeCooperative:
      value.cooperative = work.cooperative;
      return hipSuccess;
    case hipLaunchAttributePriority:
      value.priority = work.attributes.priority;
      return hipSuccess;
    case hipLaunchAttributeAccessPolicyWindow:
      value.accessPolicyWindow = work.attributes.window;
      return hipSuccess;
  }
  return hipErrorInvalidValue;
}

}  // namespace

hipError_t kernel_work(const hipKernelNodeParams& p, KernelWork& out) {
  FoundFunction found = function_of_any(p.func);
  HIP_TRY(found.error);
  out.grid = {p.gridDim.x, p.gridDim.y, p.gridDim.z};
  out.block = {p.blockDim.x, p.blockDim.y, p.blockDim.z};
  out.dynamic_lds = p.sharedMemBytes;
  for (int i = 0; i < 3; ++i)
    if (out.grid[i] == 0 || out.block[i] == 0) return hipErrorInvalidConfiguration;
  HIP_TRY(pack_arguments(*found.function, p.kernelParams, p.extra, out.arguments));
  out.function = std::move(found.function);
  out.module = std::move(found.module);
  return hipSuccess;
}

extern "C" {

hipError_t hipGraphAddEmptyNode(hipGraphNode_t* out, hipGraph_t graph,
                                const hipGraphNode_t* dependencies, std::size_t count) {
  return api([&] { return add_node(out, graph, dependencies, count, EmptyWork{}); });
}

hipError_t hipGraphAddKernelNode(hipGraphNode_t* out, hipGraph_t graph,
                                 const hipGraphNode_t* dependencies, std::size_t count,
                                 const hipKernelNodeParams* parameters) {
  return add<KernelWork>(out, graph, dependencies, count, set_kernel(parameters));
}
hipError_t hipGraphKernelNodeGetParams(hipGraphNode_t node, hipKernelNodeParams* out) {
  return api([&] {
    if (!out) return hipErrorInvalidValue;
    return with<KernelWork>(node, [&](KernelWork& work) {
      work.parameters.clear();
      for (const auto& argument : work.function->kernel->info->arguments)
        if (!argument.hidden()) work.parameters.push_back(work.arguments.data() + argument.offset);
      const void* function = work.function->host_function;
      *out = {.blockDim = {work.block[0], work.block[1], work.block[2]},
              .extra = nullptr,
              .func = function ? const_cast<void*>(function) : work.function.get(),
              .gridDim = {work.grid[0], work.grid[1], work.grid[2]},
              .kernelParams = work.parameters.data(),
              .sharedMemBytes = work.dynamic_lds};
      return hipSuccess;
    });
  });
}
hipError_t hipGraphKernelNodeSetParams(hipGraphNode_t node, const hipKernelNodeParams* parameters) {
  return api([&] { return with<KernelWork>(node, set_kernel(parameters)); });
}
hipError_t hipGraphExecKernelNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                           const hipKernelNodeParams* parameters) {
  return api([&] { return with<KernelWork>(exec, node, set_kernel(parameters)); });
}
hipError_t hipGraphKernelNodeSetAttribute(hipGraphNode_t node, hipLaunchAttributeID id,
                                          const hipLaunchAttributeValue* value) {
  return api([&] {
    if (!value) return hipErrorInvalidValue;
    return with<KernelWork>(node,
                            [&](KernelWork& work) { return set_attribute(work, id, *value); });
  });
}
hipError_t hipGraphKernelNodeGetAttribute(hipGraphNode_t node, hipLaunchAttributeID id,
                                          hipLaunchAttributeValue* value) {
  return api([&] {
    if (!value) return hipErrorInvalidValue;
    return with<KernelWork>(node,
                            [&](KernelWork& work) { return get_attribute(work, id, *value); });
  });
}
hipError_t hipGraphKernelNodeCopyAttributes(hipGraphNode_t from, hipGraphNode_t to) {
  return api([&] {
    return with<KernelWork>(from, [&](KernelWork& source) {
      return with<KernelWork>(to, [&](KernelWork& target) {
        target.cooperative = source.cooperative;
        target.attributes = source.attributes;
        return hipSuccess;
      });
    });
  });
}

hipError_t hipGraphAddMemcpyNode(hipGraphNode_t* out, hipGraph_t graph,
                                 const hipGraphNode_t* dependencies, std::size_t count,
                                 const hipMemcpy3DParms* parameters) {
  return add<CopyWork>(out, graph, dependencies, count, set_copy(parameters));
}
hipError_t hipGraphMemcpyNodeGetParams(hipGraphNode_t node, hipMemcpy3DParms* out) {
  return api([&] {
    if (!out) return hipErrorInvalidValue;
    return with<CopyWork>(node, [&](CopyWork& work) {
      *out = work.parameters;
      return hipSuccess;
    });
  });
}
hipError_t hipGraphMemcpyNodeSetParams(hipGraphNode_t node, const hipMemcpy3DParms* parameters) {
  return api([&] { return with<CopyWork>(node, set_copy(parameters)); });
}
hipError_t hipGraphExecMemcpyNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                           hipMemcpy3DParms* parameters) {
  return api([&] { return with<CopyWork>(exec, node, same_kind(set_copy(parameters))); });
}
hipError_t hipGraphAddMemcpyNode1D(hipGraphNode_t* out, hipGraph_t graph,
                                   const hipGraphNode_t* dependencies, std::size_t count, void* to,
                                   const void* from, std::size_t bytes, hipMemcpyKind kind) {
  return add<CopyWork>(out, graph, dependencies, count, set_copy(to, from, bytes, kind));
}
hipError_t hipGraphMemcpyNodeSetParams1D(hipGraphNode_t node, void* to, const void* from,
                                         std::size_t bytes, hipMemcpyKind kind) {
  return api([&] { return with<CopyWork>(node, not_to_itself(set_copy(to, from, bytes, kind))); });
}
hipError_t hipGraphExecMemcpyNodeSetParams1D(hipGraphExec_t exec, hipGraphNode_t node, void* to,
                                             const void* from, std::size_t bytes,
                                             hipMemcpyKind kind) {
  return api([&] {
    return with<CopyWork>(exec, node, same_kind(not_to_itself(set_copy(to, from, bytes, kind))));
  });
}
hipError_t hipGraphAddMemcpyNodeFromSymbol(hipGraphNode_t* out, hipGraph_t graph,
                                           const hipGraphNode_t* dependencies, std::size_t count,
                                           void* to, const void* symbol, std::size_t bytes,
                                           std::size_t offset, hipMemcpyKind kind) {
  return add<CopyWork>(out, graph, dependencies, count,
                       set_copy_from_symbol(to, symbol, bytes, offset, kind));
}
hipError_t hipGraphMemcpyNodeSetParamsFromSymbol(hipGraphNode_t node, void* to, const void* symbol,
                                                 std::size_t bytes, std::size_t offset,
                                                 hipMemcpyKind kind) {
  return api(
      [&] { return with<CopyWork>(node, set_copy_from_symbol(to, symbol, bytes, offset, kind)); });
}
hipError_t hipGraphExecMemcpyNodeSetParamsFromSymbol(hipGraphExec_t exec, hipGraphNode_t node,
                                                     void* to, const void* symbol,
                                                     std::size_t bytes, std::size_t offset,
                                                     hipMemcpyKind kind) {
  return api([&] {
    return with<CopyWork>(exec, node,
                          same_kind(set_copy_from_symbol(to, symbol, bytes, offset, kind)));
  });
}
hipError_t hipGraphAddMemcpyNodeToSymbol(hipGraphNode_t* out, hipGraph_t graph,
                                         const hipGraphNode_t* dependencies, std::size_t count,
                                         const void* symbol, const void* from, std::size_t bytes,
                                         std::size_t offset, hipMemcpyKind kind) {
  return add<CopyWork>(out, graph, dependencies, count,
                       set_copy_to_symbol(symbol, from, bytes, offset, kind));
}
hipError_t hipGraphMemcpyNodeSetParamsToSymbol(hipGraphNode_t node, const void* symbol,
                                               const void* from, std::size_t bytes,
                                               std::size_t offset, hipMemcpyKind kind) {
  return api(
      [&] { return with<CopyWork>(node, set_copy_to_symbol(symbol, from, bytes, offset, kind)); });
}
hipError_t hipGraphExecMemcpyNodeSetParamsToSymbol(hipGraphExec_t exec, hipGraphNode_t node,
                                                   const void* symbol, const void* from,
                                                   std::size_t bytes, std::size_t offset,
                                                   hipMemcpyKind kind) {
  return api([&] {
    return with<CopyWork>(exec, node,
                          same_kind(set_copy_to_symbol(symbol, from, bytes, offset, kind)));
  });
}

hipError_t hipGraphAddMemsetNode(hipGraphNode_t* out, hipGraph_t graph,
                                 const hipGraphNode_t* dependencies, std::size_t count,
                                 const hipMemsetParams* parameters) {
  return add<FillWork>(out, graph, dependencies, count, set_fill(parameters));
}
hipError_t hipGraphMemsetNodeGetParams(hipGraphNode_t node, hipMemsetParams* out) {
  return api([&] {
    if (!out) return hipErrorInvalidValue;
    return with<FillWork>(node, [&](FillWork& work) {
      *out = memset_parameters(work);
      return hipSuccess;
    });
  });
}
hipError_t hipGraphMemsetNodeSetParams(hipGraphNode_t node, const hipMemsetParams* parameters) {
  return api([&] { return with<FillWork>(node, set_fill(parameters)); });
}
hipError_t hipGraphExecMemsetNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                           const hipMemsetParams* parameters) {
  return api([&] { return with<FillWork>(exec, node, set_fill(parameters)); });
}

hipError_t hipGraphAddHostNode(hipGraphNode_t* out, hipGraph_t graph,
                               const hipGraphNode_t* dependencies, std::size_t count,
                               const hipHostNodeParams* parameters) {
  return add<HostWork>(out, graph, dependencies, count, set_host(parameters));
}
hipError_t hipGraphHostNodeGetParams(hipGraphNode_t node, hipHostNodeParams* out) {
  return api([&] {
    if (!out) return hipErrorInvalidValue;
    return with<HostWork>(node, [&](HostWork& work) {
      *out = {work.function, work.data};
      return hipSuccess;
    });
  });
}
hipError_t hipGraphHostNodeSetParams(hipGraphNode_t node, const hipHostNodeParams* parameters) {
  return api([&] { return with<HostWork>(node, set_host(parameters)); });
}
hipError_t hipGraphExecHostNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                         const hipHostNodeParams* parameters) {
  return api([&] { return with<HostWork>(exec, node, set_host(parameters)); });
}

hipError_t hipGraphAddChildGraphNode(hipGraphNode_t* out, hipGraph_t graph,
                                     const hipGraphNode_t* dependencies, std::size_t count,
                                     hipGraph_t child) {
  return add<ChildWork>(out, graph, dependencies, count, set_child(child));
}
hipError_t hipGraphChildGraphNodeGetGraph(hipGraphNode_t node, hipGraph_t* out) {
  return api([&] {
    if (!out) return hipErrorInvalidValue;
    return with<ChildWork>(node, [&](ChildWork& work) {
      *out = Registry<Graph, hipGraph_t>::handle_of(work.graph.get());
      if (!graphs().find(*out)) graphs().add(work.graph);
      return hipSuccess;
    });
  });
}
hipError_t hipGraphExecChildGraphNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                               hipGraph_t child) {
  return api([&] {
    return with<ChildWork>(exec, node, [&](ChildWork& work) -> hipError_t {
      const auto graph = graphs().find(child);
      if (!graph) return hipErrorInvalidValue;
      if (graph_nodes().find(node)->graph == graph.get() || !have_same_kinds(*work.graph, *graph))
        return hipErrorUnknown;
      return set_child(child)(work);
    });
  });
}

hipError_t hipGraphAddEventRecordNode(hipGraphNode_t* out, hipGraph_t graph,
                                      const hipGraphNode_t* dependencies, std::size_t count,
                                      hipEvent_t event) {
  return add<RecordWork>(out, graph, dependencies, count, set_event<RecordWork>(event));
}
hipError_t hipGraphAddEventWaitNode(hipGraphNode_t* out, hipGraph_t graph,
                                    const hipGraphNode_t* dependencies, std::size_t count,
                                    hipEvent_t event) {
  return add<WaitWork>(out, graph, dependencies, count, set_event<WaitWork>(event));
}
hipError_t hipGraphEventRecordNodeGetEvent(hipGraphNode_t node, hipEvent_t* out) {
  return api([&] {
    if (!out) return hipErrorInvalidValue;
    return with<RecordWork>(node, [&](RecordWork& work) {
      *out = Registry<Event, hipEvent_t>::handle_of(work.event.get());
      return hipSuccess;
    });
  });
}
hipError_t hipGraphEventWaitNodeGetEvent(hipGraphNode_t node, hipEvent_t* out) {
  return api([&] {
    if (!out) return hipErrorInvalidValue;
    return with<WaitWork>(node, [&](WaitWork& work) {
      *out = Registry<Event, hipEvent_t>::handle_of(work.event.get());
      return hipSuccess;
    });
  });
}
hipError_t hipGraphEventRecordNodeSetEvent(hipGraphNode_t node, hipEvent_t event) {
  return api([&] { return with<RecordWork>(node, set_event<RecordWork>(event)); });
}
hipError_t hipGraphEventWaitNodeSetEvent(hipGraphNode_t node, hipEvent_t event) {
  return api([&] { return with<WaitWork>(node, set_event<WaitWork>(event)); });
}
hipError_t hipGraphExecEventRecordNodeSetEvent(hipGraphExec_t exec, hipGraphNode_t node,
                                               hipEvent_t event) {
  return api([&] { return with<RecordWork>(exec, node, set_event<RecordWork>(event)); });
}
hipError_t hipGraphExecEventWaitNodeSetEvent(hipGraphExec_t exec, hipGraphNode_t node,
                                             hipEvent_t event) {
  return api([&] { return with<WaitWork>(exec, node, set_event<WaitWork>(event)); });
}

hipError_t hipGraphNodeSetEnabled(hipGraphExec_t exec_handle, hipGraphNode_t handle,
                                  unsigned enabled) {
  return api([&] {
    const auto exec = graph_execs().find(exec_handle);
    const auto node = graph_nodes().find(handle);
    if (!exec || !node) return hipErrorInvalidValue;
    const std::lock_guard lock(graph_mutex());
    Node* copy = exec->graph->copy_of(node.get());
    if (!copy || !can_be_disabled(*copy)) return hipErrorInvalidValue;
    copy->enabled = enabled != 0;
    return hipSuccess;
  });
}
hipError_t hipGraphNodeGetEnabled(hipGraphExec_t exec_handle, hipGraphNode_t handle,
                                  unsigned* enabled) {
  return api([&] {
    const auto exec = graph_execs().find(exec_handle);
    const auto node = graph_nodes().find(handle);
    if (!exec || !node || !enabled) return hipErrorInvalidValue;
    const std::lock_guard lock(graph_mutex());
    const Node* copy = exec->graph->copy_of(node.get());
    if (!copy || !can_be_disabled(*copy)) return hipErrorInvalidValue;
    *enabled = copy->enabled ? 1 : 0;
    return hipSuccess;
  });
}

}  // extern "C"

}  // namespace hipwright::soft::hip
