// SPDX-License-Identifier: MIT
// Graph nodes by kind: adding, reading and changing them.
#pragma once

#include <hip/amd_detail/api/error_types.h>
#include <hip/amd_detail/api/graph_types.h>

__HW_API_BEGIN

// Any kind.
hipError_t hipGraphAddNode(hipGraphNode_t* p_graph_node, hipGraph_t graph,
                           const hipGraphNode_t* p_dependencies, size_t num_dependencies,
                           hipGraphNodeParams* node_params);
hipError_t hipGraphNodeSetParams(hipGraphNode_t node, hipGraphNodeParams* node_params);
hipError_t hipGraphExecNodeSetParams(hipGraphExec_t graph_exec, hipGraphNode_t node,
                                     hipGraphNodeParams* node_params);
hipError_t hipGraphAddEmptyNode(hipGraphNode_t* p_graph_node, hipGraph_t graph,
                                const hipGraphNode_t* p_dependencies, size_t num_dependencies);

// Kernel.
hipError_t hipGraphAddKernelNode(hipGraphNode_t* p_graph_node, hipGraph_t graph,
                                 const hipGraphNode_t* p_dependencies, size_t num_dependencies,
                                 const hipKernelNodeParams* p_node_params);
hipError_t hipGraphKernelNodeGetParams(hipGraphNode_t node, hipKernelNodeParams* p_node_params);
hipError_t hipGraphKernelNodeSetParams(hipGraphNode_t node,
                                       const hipKernelNodeParams* p_node_params);
hipError_t hipGraphExecKernelNodeSetParams(hipGraphExec_t h_graph_exec, hipGraphNode_t node,
                                           const hipKernelNodeParams* p_node_params);
hipError_t hipGraphKernelNodeSetAttribute(hipGraphNode_t h_node, hipKernelNodeAttrID attr,
                                          const hipKernelNodeAttrValue* value);
hipError_t hipGraphKernelNodeGetAttribute(hipGraphNode_t h_node, hipKernelNodeAttrID attr,
                                          hipKernelNodeAttrValue* value);
hipError_t hipGraphKernelNodeCopyAttributes(hipGraphNode_t h_src, hipGraphNode_t h_dst);

// Copy.
hipError_t hipGraphAddMemcpyNode(hipGraphNode_t* p_graph_node, hipGraph_t graph,
                                 const hipGraphNode_t* p_dependencies, size_t num_dependencies,
                                 const hipMemcpy3DParms* p_copy_params);
hipError_t hipGraphMemcpyNodeGetParams(hipGraphNode_t node, hipMemcpy3DParms* p_node_params);
hipError_t hipGraphMemcpyNodeSetParams(hipGraphNode_t node, const hipMemcpy3DParms* p_node_params);
hipError_t hipGraphExecMemcpyNodeSetParams(hipGraphExec_t h_graph_exec, hipGraphNode_t node,
                                           hipMemcpy3DParms* p_node_params);
hipError_t hipGraphAddMemcpyNode1D(hipGraphNode_t* p_graph_node, hipGraph_t graph,
                                   const hipGraphNode_t* p_dependencies, size_t num_dependencies,
                                   void* dst, const void* src, size_t count, hipMemcpyKind kind);
hipError_t hipGraphMemcpyNodeSetParams1D(hipGraphNode_t node, void* dst, const void* src,
                                         size_t count, hipMemcpyKind kind);
hipError_t hipGraphExecMemcpyNodeSetParams1D(hipGraphExec_t h_graph_exec, hipGraphNode_t node,
                                             void* dst, const void* src, size_t count,
                                             hipMemcpyKind kind);
hipError_t hipGraphAddMemcpyNodeFromSymbol(hipGraphNode_t* p_graph_node, hipGraph_t graph,
                                           const hipGraphNode_t* p_dependencies,
                                           size_t num_dependencies, void* dst, const void* symbol,
                                           size_t count, size_t offset, hipMemcpyKind kind);
hipError_t hipGraphMemcpyNodeSetParamsFromSymbol(hipGraphNode_t node, void* dst, const void* symbol,
                                                 size_t count, size_t offset, hipMemcpyKind kind);
hipError_t hipGraphExecMemcpyNodeSetParamsFromSymbol(hipGraphExec_t h_graph_exec,
                                                     hipGraphNode_t node, void* dst,
                                                     const void* symbol, size_t count,
                                                     size_t offset, hipMemcpyKind kind);
hipError_t hipGraphAddMemcpyNodeToSymbol(hipGraphNode_t* p_graph_node, hipGraph_t graph,
                                         const hipGraphNode_t* p_dependencies,
                                         size_t num_dependencies, const void* symbol,
                                         const void* src, size_t count, size_t offset,
                                         hipMemcpyKind kind);
hipError_t hipGraphMemcpyNodeSetParamsToSymbol(hipGraphNode_t node, const void* symbol,
                                               const void* src, size_t count, size_t offset,
                                               hipMemcpyKind kind);
hipError_t hipGraphExecMemcpyNodeSetParamsToSymbol(hipGraphExec_t h_graph_exec, hipGraphNode_t node,
                                                   const void* symbol, const void* src,
                                                   size_t count, size_t offset, hipMemcpyKind kind);
hipError_t hipDrvGraphAddMemcpyNode(hipGraphNode_t* ph_graph_node, hipGraph_t h_graph,
                                    const hipGraphNode_t* dependencies, size_t num_dependencies,
                                    const HIP_MEMCPY3D* copy_params, hipCtx_t ctx);
hipError_t hipDrvGraphMemcpyNodeGetParams(hipGraphNode_t h_node, HIP_MEMCPY3D* node_params);
hipError_t hipDrvGraphMemcpyNodeSetParams(hipGraphNode_t h_node, const HIP_MEMCPY3D* node_params);
hipError_t hipDrvGraphExecMemcpyNodeSetParams(hipGraphExec_t h_graph_exec, hipGraphNode_t h_node,
                                              const HIP_MEMCPY3D* copy_params, hipCtx_t ctx);

// Fill.
hipError_t hipGraphAddMemsetNode(hipGraphNode_t* p_graph_node, hipGraph_t graph,
                                 const hipGraphNode_t* p_dependencies, size_t num_dependencies,
                                 const hipMemsetParams* p_memset_params);
hipError_t hipGraphMemsetNodeGetParams(hipGraphNode_t node, hipMemsetParams* p_node_params);
hipError_t hipGraphMemsetNodeSetParams(hipGraphNode_t node, const hipMemsetParams* p_node_params);
hipError_t hipGraphExecMemsetNodeSetParams(hipGraphExec_t h_graph_exec, hipGraphNode_t node,
                                           const hipMemsetParams* p_node_params);
hipError_t hipDrvGraphAddMemsetNode(hipGraphNode_t* ph_graph_node, hipGraph_t h_graph,
                                    const hipGraphNode_t* dependencies, size_t num_dependencies,
                                    const __HW_DRIVER_MEMSET_PARAMS* memset_params, hipCtx_t ctx);
hipError_t hipDrvGraphExecMemsetNodeSetParams(hipGraphExec_t h_graph_exec, hipGraphNode_t h_node,
                                              const __HW_DRIVER_MEMSET_PARAMS* memset_params,
                                              hipCtx_t ctx);

// Host function.
hipError_t hipGraphAddHostNode(hipGraphNode_t* p_graph_node, hipGraph_t graph,
                               const hipGraphNode_t* p_dependencies, size_t num_dependencies,
                               const hipHostNodeParams* p_node_params);
hipError_t hipGraphHostNodeGetParams(hipGraphNode_t node, hipHostNodeParams* p_node_params);
hipError_t hipGraphHostNodeSetParams(hipGraphNode_t node, const hipHostNodeParams* p_node_params);
hipError_t hipGraphExecHostNodeSetParams(hipGraphExec_t h_graph_exec, hipGraphNode_t node,
                                         const hipHostNodeParams* p_node_params);

// Child graph.
hipError_t hipGraphAddChildGraphNode(hipGraphNode_t* p_graph_node, hipGraph_t graph,
                                     const hipGraphNode_t* p_dependencies, size_t num_dependencies,
                                     hipGraph_t child_graph);
hipError_t hipGraphChildGraphNodeGetGraph(hipGraphNode_t node, hipGraph_t* p_graph);
hipError_t hipGraphExecChildGraphNodeSetParams(hipGraphExec_t h_graph_exec, hipGraphNode_t node,
                                               hipGraph_t child_graph);

// Event record and wait.
hipError_t hipGraphAddEventRecordNode(hipGraphNode_t* p_graph_node, hipGraph_t graph,
                                      const hipGraphNode_t* p_dependencies, size_t num_dependencies,
                                      hipEvent_t event);
hipError_t hipGraphEventRecordNodeGetEvent(hipGraphNode_t node, hipEvent_t* event_out);
hipError_t hipGraphEventRecordNodeSetEvent(hipGraphNode_t node, hipEvent_t event);
hipError_t hipGraphExecEventRecordNodeSetEvent(hipGraphExec_t h_graph_exec, hipGraphNode_t h_node,
                                               hipEvent_t event);
hipError_t hipGraphAddEventWaitNode(hipGraphNode_t* p_graph_node, hipGraph_t graph,
                                    const hipGraphNode_t* p_dependencies, size_t num_dependencies,
                                    hipEvent_t event);
hipError_t hipGraphEventWaitNodeGetEvent(hipGraphNode_t node, hipEvent_t* event_out);
hipError_t hipGraphEventWaitNodeSetEvent(hipGraphNode_t node, hipEvent_t event);
hipError_t hipGraphExecEventWaitNodeSetEvent(hipGraphExec_t h_graph_exec, hipGraphNode_t h_node,
                                             hipEvent_t event);

// Allocation and free.
hipError_t hipGraphAddMemAllocNode(hipGraphNode_t* p_graph_node, hipGraph_t graph,
                                   const hipGraphNode_t* p_dependencies, size_t num_dependencies,
                                   hipMemAllocNodeParams* p_node_params);
hipError_t hipGraphMemAllocNodeGetParams(hipGraphNode_t node, hipMemAllocNodeParams* p_node_params);
hipError_t hipGraphAddMemFreeNode(hipGraphNode_t* p_graph_node, hipGraph_t graph,
                                  const hipGraphNode_t* p_dependencies, size_t num_dependencies,
                                  void* dev_ptr);
hipError_t hipGraphMemFreeNodeGetParams(hipGraphNode_t node, void* dev_ptr);
hipError_t hipDrvGraphAddMemFreeNode(hipGraphNode_t* ph_graph_node, hipGraph_t h_graph,
                                     const hipGraphNode_t* dependencies, size_t num_dependencies,
                                     hipDeviceptr_t dptr);

// External semaphores.
hipError_t hipGraphAddExternalSemaphoresWaitNode(
    hipGraphNode_t* p_graph_node, hipGraph_t graph, const hipGraphNode_t* p_dependencies,
    size_t num_dependencies, const hipExternalSemaphoreWaitNodeParams* node_params);
hipError_t hipGraphAddExternalSemaphoresSignalNode(
    hipGraphNode_t* p_graph_node, hipGraph_t graph, const hipGraphNode_t* p_dependencies,
    size_t num_dependencies, const hipExternalSemaphoreSignalNodeParams* node_params);
hipError_t hipGraphExternalSemaphoresSignalNodeSetParams(
    hipGraphNode_t h_node, const hipExternalSemaphoreSignalNodeParams* node_params);
hipError_t hipGraphExternalSemaphoresWaitNodeSetParams(
    hipGraphNode_t h_node, const hipExternalSemaphoreWaitNodeParams* node_params);
hipError_t hipGraphExternalSemaphoresSignalNodeGetParams(
    hipGraphNode_t h_node, hipExternalSemaphoreSignalNodeParams* params_out);
hipError_t hipGraphExternalSemaphoresWaitNodeGetParams(
    hipGraphNode_t h_node, hipExternalSemaphoreWaitNodeParams* params_out);
hipError_t hipGraphExecExternalSemaphoresSignalNodeSetParams(
    hipGraphExec_t h_graph_exec, hipGraphNode_t h_node,
    const hipExternalSemaphoreSignalNodeParams* node_params);
hipError_t hipGraphExecExternalSemaphoresWaitNodeSetParams(
    hipGraphExec_t h_graph_exec, hipGraphNode_t h_node,
    const hipExternalSemaphoreWaitNodeParams* node_params);

// Batches of waits and writes on memory.
hipError_t hipGraphAddBatchMemOpNode(hipGraphNode_t* ph_graph_node, hipGraph_t h_graph,
                                     const hipGraphNode_t* dependencies, size_t num_dependencies,
                                     const hipBatchMemOpNodeParams* node_params);
hipError_t hipGraphBatchMemOpNodeGetParams(hipGraphNode_t h_node,
                                           hipBatchMemOpNodeParams* nodeParams_out);
hipError_t hipGraphBatchMemOpNodeSetParams(hipGraphNode_t h_node,
                                           hipBatchMemOpNodeParams* node_params);
hipError_t hipGraphExecBatchMemOpNodeSetParams(hipGraphExec_t h_graph_exec, hipGraphNode_t h_node,
                                               const hipBatchMemOpNodeParams* node_params);

__HW_API_END
