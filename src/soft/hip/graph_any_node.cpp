// SPDX-License-Identifier: MIT
// Nodes of any kind from one structure, and the driver's forms of copies and fills.
#include "soft/hip/graph_node_work.h"

namespace hipwright::soft::hip {

namespace {

// Calls visit(setter of that kind's work); memory nodes are made elsewhere.
template <class Visit>
hipError_t with_setter(hipGraphNodeParams& p, Visit&& visit) {
  switch (p.type) {
    case hipGraphNodeTypeKernel:
      return visit.template operator()<KernelWork>(set_kernel(&p.kernel));
    case hipGraphNodeTypeMemcpy:
      return visit.template operator()<CopyWork>(set_copy(&p.memcpy.copyParams));
    case hipGraphNodeTypeMemset:
      return visit.template operator()<FillWork>(set_fill(&p.memset));
    case hipGraphNodeTypeHost:
      return visit.template operator()<HostWork>(set_host(&p.host));
    case hipGraphNodeTypeGraph:
      return visit.template operator()<ChildWork>(set_child(p.graph.graph));
    case hipGraphNodeTypeWaitEvent:
      return visit.template operator()<WaitWork>(set_event<WaitWork>(p.eventWait.event));
    case hipGraphNodeTypeEventRecord:
      return visit.template operator()<RecordWork>(set_event<RecordWork>(p.eventRecord.event));
    case hipGraphNodeTypeExtSemaphoreSignal:
    case hipGraphNodeTypeExtSemaphoreWait:
      return hipErrorNotSupported;
    default:
      return hipErrorInvalidValue;
  }
}

auto set_driver_copy(const HIP_MEMCPY3D* parameters) {
  return [=](CopyWork& work) -> hipError_t {
    if (!parameters) return hipErrorInvalidValue;
    CopyWork changed;
    HIP_TRY(driver_copy_work(*parameters, changed));
    if (!fits(changed.to, changed.extent) || !fits(changed.from, changed.extent))
      return hipErrorInvalidValue;
    work = std::move(changed);
    return hipSuccess;
  };
}
auto set_driver_fill(const HIP_MEMSET_NODE_PARAMS* p) {
  return [=](FillWork& work) {
    if (!p) return hipErrorInvalidValue;
    return fill_work({.dst = p->dst,
                      .elementSize = p->elementSize,
                      .height = p->height,
                      .pitch = p->pitch,
                      .value = p->value,
                      .width = p->width},
                     work);
  };
}

}  // namespace

extern "C" {

hipError_t hipGraphAddNode(hipGraphNode_t* out, hipGraph_t graph,
                           const hipGraphNode_t* dependencies, std::size_t count,
                           hipGraphNodeParams* parameters) {
  return api([&] {
    if (!parameters) return hipErrorInvalidValue;
    if (parameters->type == hipGraphNodeTypeMemAlloc || parameters->type == hipGraphNodeTypeMemFree)
      return add_memory_node(out, graph, dependencies, count, *parameters);
    if (parameters->type == hipGraphNodeTypeEmpty)
      return add_node(out, graph, dependencies, count, EmptyWork{});
    return with_setter(*parameters, [&]<class Kind>(auto set) -> hipError_t {
      Kind work;
      HIP_TRY(set(work));
      return add_node(out, graph, dependencies, count, std::move(work));
    });
  });
}
hipError_t hipGraphNodeSetParams(hipGraphNode_t node, hipGraphNodeParams* parameters) {
  return api([&] {
    if (!parameters) return hipErrorInvalidValue;
    return with_setter(*parameters, [&]<class Kind>(auto set) { return with<Kind>(node, set); });
  });
}
hipError_t hipGraphExecNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                     hipGraphNodeParams* parameters) {
  return api([&] {
    if (!parameters) return hipErrorInvalidValue;
    return with_setter(*parameters,
                       [&]<class Kind>(auto set) { return with<Kind>(exec, node, set); });
  });
}

hipError_t hipDrvGraphAddMemcpyNode(hipGraphNode_t* out, hipGraph_t graph,
                                    const hipGraphNode_t* dependencies, std::size_t count,
                                    const HIP_MEMCPY3D* parameters, hipCtx_t context) {
  if (!context) return record(hipErrorInvalidValue);
  return add<CopyWork>(out, graph, dependencies, count, set_driver_copy(parameters));
}
hipError_t hipDrvGraphMemcpyNodeGetParams(hipGraphNode_t node, HIP_MEMCPY3D* out) {
  return api([&] {
    if (!out) return hipErrorInvalidValue;
    return with<CopyWork>(node, [&](CopyWork& work) -> hipError_t {
      if (!work.driver_parameters) return hipErrorInvalidValue;
      *out = *work.driver_parameters;
      return hipSuccess;
    });
  });
}
hipError_t hipDrvGraphMemcpyNodeSetParams(hipGraphNode_t node, const HIP_MEMCPY3D* parameters) {
  return api([&] { return with<CopyWork>(node, set_driver_copy(parameters)); });
}
hipError_t hipDrvGraphExecMemcpyNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                              const HIP_MEMCPY3D* parameters, hipCtx_t context) {
  return api([&] {
    if (!context) return hipErrorInvalidValue;
    return with<CopyWork>(exec, node, set_driver_copy(parameters));
  });
}
hipError_t hipDrvGraphAddMemsetNode(hipGraphNode_t* out, hipGraph_t graph,
                                    const hipGraphNode_t* dependencies, std::size_t count,
                                    const HIP_MEMSET_NODE_PARAMS* parameters, hipCtx_t context) {
  if (!context) return record(hipErrorInvalidValue);
  return add<FillWork>(out, graph, dependencies, count, set_driver_fill(parameters));
}
hipError_t hipDrvGraphExecMemsetNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                              const HIP_MEMSET_NODE_PARAMS* parameters,
                                              hipCtx_t context) {
  return api([&] {
    if (!context) return hipErrorInvalidValue;
    return with<FillWork>(exec, node, set_driver_fill(parameters));
  });
}

}  // extern "C"

}  // namespace hipwright::soft::hip
