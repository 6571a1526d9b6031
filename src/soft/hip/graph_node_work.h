// SPDX-License-Identifier: MIT
// The work of graph nodes by kind: found by handle, and made from the parameters of the API.
#pragma once

#include <algorithm>

#include "soft/hip/graph.h"
#include "soft/hip/stream.h"

namespace hipwright::soft::hip {

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

inline auto set_kernel(const hipKernelNodeParams* parameters) {
  return [=](KernelWork& work) -> hipError_t {
    if (!parameters) return hipErrorInvalidValue;
    KernelWork fresh;
    HIP_TRY(kernel_work(*parameters, fresh));
    fresh.cooperative = work.cooperative;
    work = std::move(fresh);
    return hipSuccess;
  };
}
inline auto set_copy(const hipMemcpy3DParms* parameters) {
  return [=](CopyWork& work) -> hipError_t {
    if (!parameters) return hipErrorInvalidValue;
    CopyWork changed;
    HIP_TRY(copy_work(*parameters, changed));
    if (!fits(changed.to, changed.extent) || !fits(changed.from, changed.extent))
      return hipErrorInvalidValue;
    work = std::move(changed);
    return hipSuccess;
  };
}
inline auto set_copy(void* to, const void* from, std::size_t bytes, hipMemcpyKind kind) {
  return [=](CopyWork& work) -> hipError_t {
    if (!to || !from || bytes == 0 || !is_copy_kind(kind)) return hipErrorInvalidValue;
    work = linear_copy(to, from, bytes, kind);
    return fits(work.to, work.extent) && fits(work.from, work.extent) ? hipSuccess
                                                                      : hipErrorInvalidValue;
  };
}
inline auto set_fill(const hipMemsetParams* parameters) {
  return [=](FillWork& work) {
    return parameters ? fill_work(*parameters, work) : hipErrorInvalidValue;
  };
}
inline auto set_host(const hipHostNodeParams* parameters) {
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
inline auto set_child(hipGraph_t handle) {
  return [=](ChildWork& work) -> hipError_t {
    const auto graph = graphs().find(handle);
    if (!graph) return hipErrorInvalidValue;
    work.graph = graph->clone();
    return hipSuccess;
  };
}

// Address of `bytes` at `offset` in a device variable.
inline hipError_t symbol_part(const void* symbol, std::size_t bytes, std::size_t offset,
                              void** out) {
  const FoundVariable variable = variable_of_host(symbol);
  HIP_TRY(variable.error);
  if (offset > variable.size || bytes > variable.size - offset) return hipErrorInvalidValue;
  *out = pointer_to(variable.address + offset);
  return hipSuccess;
}

// Copies between memory and a device variable.
inline auto set_copy_from_symbol(void* to, const void* symbol, std::size_t bytes,
                                 std::size_t offset, hipMemcpyKind kind) {
  return [=](CopyWork& work) -> hipError_t {
    void* from = nullptr;
    if (kind == hipMemcpyDeviceToDevice && !is_device_memory(address_of(to)))
      return hipErrorInvalidValue;
    HIP_TRY(symbol_part(symbol, bytes, offset, &from));
    return set_copy(to, from, bytes, kind)(work);
  };
}
inline auto set_copy_to_symbol(const void* symbol, const void* from, std::size_t bytes,
                               std::size_t offset, hipMemcpyKind kind) {
  return [=](CopyWork& work) -> hipError_t {
    void* to = nullptr;
    if (kind == hipMemcpyDeviceToDevice && !is_device_memory(address_of(from)))
      return hipErrorInvalidValue;
    HIP_TRY(symbol_part(symbol, bytes, offset, &to));
    return set_copy(to, from, bytes, kind)(work);
  };
}

// Changed copies must not be of memory to itself, as a whole or in part.
template <class Set>
auto not_to_itself(Set set) {
  return [=](CopyWork& work) -> hipError_t {
    CopyWork changed;
    HIP_TRY(set(changed));
    const std::uint64_t to = changed.to.base, from = changed.from.base;
    if (std::max(to, from) - std::min(to, from) < changed.extent.bytes) return hipErrorInvalidValue;
    work = std::move(changed);
    return hipSuccess;
  };
}

// In an executable graph a copy keeps its direction.
template <class Set>
auto same_kind(Set set) {
  return [=](CopyWork& work) -> hipError_t {
    CopyWork changed;
    HIP_TRY(set(changed));
    if (changed.kind != work.kind) return hipErrorInvalidValue;
    work = std::move(changed);
    return hipSuccess;
  };
}

// Nodes that allocate or free memory, from the structure for any kind.
hipError_t add_memory_node(hipGraphNode_t* out, hipGraph_t graph,
                           const hipGraphNode_t* dependencies, std::size_t count,
                           hipGraphNodeParams& parameters);

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

}  // namespace hipwright::soft::hip
