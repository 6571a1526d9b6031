// SPDX-License-Identifier: MIT
// Graph nodes by kind: adding, reading and changing them.
#include <algorithm>

#include "soft/hip/graph.h"
#include "soft/hip/memory.h"
#include "soft/hip/stream.h"

namespace hipwright::soft::hip {

namespace {

// Calls change(work) on a node of that kind.
template <class Kind, class Change>
hipError_t with(hipGraphNode_t handle, Change&& change) {
  const auto node = graph_nodes().find(handle);
  if (!node) return hipErrorInvalidValue;
  const std::lock_guard lock(graph_mutex());
  auto* work = std::get_if<Kind>(&node->work);
  return work ? change(*work) : hipErrorInvalidValue;
}

// The same on the copy of the node in an executable graph.
template <class Kind, class Change>
hipError_t with(hipGraphExec_t exec_handle, hipGraphNode_t handle, Change&& change) {
  const auto exec = graph_execs().find(exec_handle);
  const auto node = graph_nodes().find(handle);
  if (!exec || !node) return hipErrorInvalidValue;
  const std::lock_guard lock(graph_mutex());
  Node* copy = exec->graph->copy_of(node.get());
  if (!copy) return hipErrorInvalidValue;
  auto* work = std::get_if<Kind>(&copy->work);
  return work ? change(*work) : hipErrorInvalidValue;
}

auto set_kernel(const hipKernelNodeParams* parameters) {
  return [=](KernelWork& work) -> hipError_t {
    if (!parameters) return hipErrorInvalidValue;
    KernelWork fresh;
    HIP_TRY(kernel_work(*parameters, fresh));
    fresh.cooperative = work.cooperative;
    work = std::move(fresh);
    return hipSuccess;
  };
}
auto set_copy(const hipMemcpy3DParms* parameters) {
  return [=](CopyWork& work) {
    return parameters ? copy_work(*parameters, work) : hipErrorInvalidValue;
  };
}
auto set_copy(void* to, const void* from, std::size_t bytes, hipMemcpyKind kind) {
  return [=](CopyWork& work) -> hipError_t {
    if (!to || !from || bytes == 0) return hipErrorInvalidValue;
    work = linear_copy(to, from, bytes, kind);
    return hipSuccess;
  };
}
auto set_fill(const hipMemsetParams* parameters) {
  return [=](FillWork& work) {
    return parameters ? fill_work(*parameters, work) : hipErrorInvalidValue;
  };
}
auto set_host(const hipHostNodeParams* parameters) {
  return [=](HostWork& work) -> hipError_t {
    if (!parameters || !parameters->fn) return hipErrorInvalidValue;
    work = {parameters->fn, parameters->userData};
    return hipSuccess;
  };
}
template <class Kind>
auto set_event(hipEvent_t handle) {
  return [=](Kind& work) -> hipError_t {
    const auto event = events().find(handle);
    if (!event) return hipErrorInvalidValue;
    work.event = event;
    return hipSuccess;
  };
}
auto set_child(hipGraph_t handle) {
  return [=](ChildWork& work) -> hipError_t {
    const auto graph = graphs().find(handle);
    if (!graph) return hipErrorInvalidValue;
    work.graph = graph->clone();
    return hipSuccess;
  };
}

// Address of `bytes` at `offset` in a device variable.
hipError_t symbol_part(const void* symbol, std::size_t bytes, std::size_t offset, void** out) {
  const FoundVariable variable = variable_of_host(symbol);
  HIP_TRY(variable.error);
  if (offset > variable.size || bytes > variable.size - offset) return hipErrorInvalidValue;
  *out = pointer_to(variable.address + offset);
  return hipSuccess;
}

// Makes a Kind with `set` and adds it.
template <class Kind, class Set>
hipError_t add(hipGraphNode_t* out, hipGraph_t graph, const hipGraphNode_t* dependencies,
               std::size_t count, Set&& set) {
  return api([&] {
    Kind work;
    HIP_TRY(set(work));
    return add_node(out, graph, dependencies, count, std::move(work));
  });
}

hipMemsetParams memset_parameters(const FillWork& work) {
  return {.dst = pointer_to(work.to.base),
          .elementSize = work.element,
          .height = work.extent.rows,
          .pitch = work.to.pitch,
          .value = work.value,
          .width = work.extent.bytes / work.element};
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
    return with<KernelWork>(node, [&](KernelWork& work) -> hipError_t {
      if (id == hipLaunchAttributeCooperative) work.cooperative = value->cooperative != 0;
      // Access policies and priorities decide when, never what.
      return id == hipLaunchAttributeCooperative || id == hipLaunchAttributePriority ||
                     id == hipLaunchAttributeAccessPolicyWindow
                 ? hipSuccess
                 : hipErrorInvalidValue;
    });
  });
}
hipError_t hipGraphKernelNodeGetAttribute(hipGraphNode_t node, hipLaunchAttributeID id,
                                          hipLaunchAttributeValue* value) {
  return api([&] {
    if (!value) return hipErrorInvalidValue;
    return with<KernelWork>(node, [&](KernelWork& work) -> hipError_t {
      *value = {};
      if (id == hipLaunchAttributeCooperative) value->cooperative = work.cooperative;
      return hipSuccess;
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
  return api([&] { return with<CopyWork>(exec, node, set_copy(parameters)); });
}
hipError_t hipGraphAddMemcpyNode1D(hipGraphNode_t* out, hipGraph_t graph,
                                   const hipGraphNode_t* dependencies, std::size_t count, void* to,
                                   const void* from, std::size_t bytes, hipMemcpyKind kind) {
  return add<CopyWork>(out, graph, dependencies, count, set_copy(to, from, bytes, kind));
}
hipError_t hipGraphMemcpyNodeSetParams1D(hipGraphNode_t node, void* to, const void* from,
                                         std::size_t bytes, hipMemcpyKind kind) {
  return api([&] { return with<CopyWork>(node, set_copy(to, from, bytes, kind)); });
}
hipError_t hipGraphExecMemcpyNodeSetParams1D(hipGraphExec_t exec, hipGraphNode_t node, void* to,
                                             const void* from, std::size_t bytes,
                                             hipMemcpyKind kind) {
  return api([&] { return with<CopyWork>(exec, node, set_copy(to, from, bytes, kind)); });
}
hipError_t hipGraphAddMemcpyNodeFromSymbol(hipGraphNode_t* out, hipGraph_t graph,
                                           const hipGraphNode_t* dependencies, std::size_t count,
                                           void* to, const void* symbol, std::size_t bytes,
                                           std::size_t offset, hipMemcpyKind kind) {
  return add<CopyWork>(out, graph, dependencies, count, [&](CopyWork& work) -> hipError_t {
    void* from = nullptr;
    HIP_TRY(symbol_part(symbol, bytes, offset, &from));
    return set_copy(to, from, bytes, kind)(work);
  });
}
hipError_t hipGraphAddMemcpyNodeToSymbol(hipGraphNode_t* out, hipGraph_t graph,
                                         const hipGraphNode_t* dependencies, std::size_t count,
                                         const void* symbol, const void* from, std::size_t bytes,
                                         std::size_t offset, hipMemcpyKind kind) {
  return add<CopyWork>(out, graph, dependencies, count, [&](CopyWork& work) -> hipError_t {
    void* to = nullptr;
    HIP_TRY(symbol_part(symbol, bytes, offset, &to));
    return set_copy(to, from, bytes, kind)(work);
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
  return api([&] { return with<ChildWork>(exec, node, set_child(child)); });
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
    if (!copy) return hipErrorInvalidValue;
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
    if (!copy) return hipErrorInvalidValue;
    *enabled = copy->enabled ? 1 : 0;
    return hipSuccess;
  });
}

}  // extern "C"

}  // namespace hipwright::soft::hip
