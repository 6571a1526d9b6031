// SPDX-License-Identifier: MIT
// Nodes that allocate and free memory.
#include "soft/hip/graph_node_work.h"

namespace hipwright::soft::hip {

namespace {

hipError_t add_allocation(hipGraphNode_t* out, hipGraph_t graph, const hipGraphNode_t* dependencies,
                          std::size_t count, hipMemAllocNodeParams* parameters) {
  if (!parameters) return hipErrorInvalidValue;
  parameters->dptr = nullptr;
  const hipMemPoolProps& pool = parameters->poolProps;
  if (parameters->bytesize == 0 || pool.allocType != hipMemAllocationTypePinned ||
      pool.location.type != hipMemLocationTypeDevice ||
      check_device(pool.location.id) != hipSuccess ||
      (parameters->accessDescCount > 0 && !parameters->accessDescs))
    return hipErrorInvalidValue;
  AllocateWork work;
  work.memory = reserve_graph_memory(pool.location.id, parameters->bytesize);
  if (!work.memory) return hipErrorOutOfMemory;
  void* const address = pointer_to(work.memory->begin);
  work.parameters = *parameters;
  work.parameters.dptr = address;
  HIP_TRY(add_node(out, graph, dependencies, count, std::move(work)));
  parameters->dptr = address;
  return hipSuccess;
}

hipError_t add_free(hipGraphNode_t* out, hipGraph_t graph, const hipGraphNode_t* dependencies,
                    std::size_t count, void* pointer) {
  if (!out || !graphs().find(graph) || !pointer || (count > 0) != (dependencies != nullptr))
    return hipErrorInvalidValue;
  if (!claim_free_node(pointer)) return hipErrorInvalidValue;
  return add_node(out, graph, dependencies, count, FreeWork{pointer});
}

}  // namespace

hipError_t add_memory_node(hipGraphNode_t* out, hipGraph_t graph,
                           const hipGraphNode_t* dependencies, std::size_t count,
                           hipGraphNodeParams& parameters) {
  return parameters.type == hipGraphNodeTypeMemAlloc
             ? add_allocation(out, graph, dependencies, count, &parameters.alloc)
             : add_free(out, graph, dependencies, count, parameters.free.dptr);
}

extern "C" {

hipError_t hipGraphAddMemAllocNode(hipGraphNode_t* out, hipGraph_t graph,
                                   const hipGraphNode_t* dependencies, std::size_t count,
                                   hipMemAllocNodeParams* parameters) {
  return api([&] { return add_allocation(out, graph, dependencies, count, parameters); });
}
hipError_t hipGraphMemAllocNodeGetParams(hipGraphNode_t node, hipMemAllocNodeParams* out) {
  return api([&] {
    if (!out) return hipErrorInvalidValue;
    return with<AllocateWork>(node, [&](AllocateWork& work) {
      *out = work.parameters;  // with the caller's list of devices, as in ROCm
      return hipSuccess;
    });
  });
}
hipError_t hipGraphAddMemFreeNode(hipGraphNode_t* out, hipGraph_t graph,
                                  const hipGraphNode_t* dependencies, std::size_t count,
                                  void* pointer) {
  return api([&] { return add_free(out, graph, dependencies, count, pointer); });
}
hipError_t hipDrvGraphAddMemFreeNode(hipGraphNode_t* out, hipGraph_t graph,
                                     const hipGraphNode_t* dependencies, std::size_t count,
                                     hipDeviceptr_t pointer) {
  return api([&] { return add_free(out, graph, dependencies, count, pointer); });
}
hipError_t hipGraphMemFreeNodeGetParams(hipGraphNode_t node, void* out) {
  return api([&] {
    if (!out) return hipErrorInvalidValue;
    return with<FreeWork>(node, [&](FreeWork& work) {
      *static_cast<void**>(out) = work.pointer;
      return hipSuccess;
    });
  });
}

}  // extern "C"

}  // namespace hipwright::soft::hip
