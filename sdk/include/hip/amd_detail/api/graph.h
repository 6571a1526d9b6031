// SPDX-License-Identifier: MIT
// Graphs: building, instantiating, launching, updating.
#pragma once

#include <hip/amd_detail/api/error_types.h>
#include <hip/amd_detail/api/graph_types.h>

__HW_API_BEGIN

hipError_t hipGraphCreate(hipGraph_t* p_graph, unsigned int flags);
hipError_t hipGraphDestroy(hipGraph_t graph);
hipError_t hipGraphClone(hipGraph_t* p_graph_clone, hipGraph_t original_graph);
hipError_t hipGraphDebugDotPrint(hipGraph_t graph, const char* path, unsigned int flags);

// Nodes and edges.
hipError_t hipGraphGetNodes(hipGraph_t graph, hipGraphNode_t* nodes, size_t* num_nodes);
hipError_t hipGraphGetRootNodes(hipGraph_t graph, hipGraphNode_t* p_root_nodes,
                                size_t* p_num_root_nodes);
hipError_t hipGraphGetEdges(hipGraph_t graph, hipGraphNode_t* from, hipGraphNode_t* to,
                            size_t* num_edges);
hipError_t hipGraphAddDependencies(hipGraph_t graph, const hipGraphNode_t* from,
                                   const hipGraphNode_t* to, size_t num_dependencies);
hipError_t hipGraphRemoveDependencies(hipGraph_t graph, const hipGraphNode_t* from,
                                      const hipGraphNode_t* to, size_t num_dependencies);
hipError_t hipGraphNodeGetDependencies(hipGraphNode_t node, hipGraphNode_t* p_dependencies,
                                       size_t* p_num_dependencies);
hipError_t hipGraphNodeGetDependentNodes(hipGraphNode_t node, hipGraphNode_t* p_dependent_nodes,
                                         size_t* p_num_dependent_nodes);
hipError_t hipGraphNodeGetType(hipGraphNode_t node, hipGraphNodeType* p_type);
hipError_t hipGraphNodeFindInClone(hipGraphNode_t* p_node, hipGraphNode_t original_node,
                                   hipGraph_t cloned_graph);
hipError_t hipGraphDestroyNode(hipGraphNode_t node);

// Executable graphs.
hipError_t hipGraphInstantiate(hipGraphExec_t* p_graph_exec, hipGraph_t graph,
                               hipGraphNode_t* p_error_node, char* p_log_buffer,
                               size_t buffer_size);
hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t* p_graph_exec, hipGraph_t graph,
                                        unsigned long long flags);
hipError_t hipGraphInstantiateWithParams(hipGraphExec_t* p_graph_exec, hipGraph_t graph,
                                         hipGraphInstantiateParams* instantiate_params);
hipError_t hipGraphUpload(hipGraphExec_t graph_exec, hipStream_t stream);
hipError_t hipGraphLaunch(hipGraphExec_t graph_exec, hipStream_t stream);
hipError_t hipGraphExecUpdate(hipGraphExec_t h_graph_exec, hipGraph_t h_graph,
                              hipGraphNode_t* hErrorNode_out,
                              hipGraphExecUpdateResult* updateResult_out);
hipError_t hipGraphExecGetFlags(hipGraphExec_t graph_exec, unsigned long long* flags);
hipError_t hipGraphExecDestroy(hipGraphExec_t graph_exec);
hipError_t hipGraphNodeSetEnabled(hipGraphExec_t h_graph_exec, hipGraphNode_t h_node,
                                  unsigned int is_enabled);
hipError_t hipGraphNodeGetEnabled(hipGraphExec_t h_graph_exec, hipGraphNode_t h_node,
                                  unsigned int* is_enabled);

// Objects whose lifetime a graph extends.
hipError_t hipUserObjectCreate(hipUserObject_t* object_out, void* ptr, hipHostFn_t destroy,
                               unsigned int initial_refcount, unsigned int flags);
hipError_t hipUserObjectRelease(hipUserObject_t object, unsigned int count __hw_default(1));
hipError_t hipUserObjectRetain(hipUserObject_t object, unsigned int count __hw_default(1));
hipError_t hipGraphRetainUserObject(hipGraph_t graph, hipUserObject_t object,
                                    unsigned int count __hw_default(1),
                                    unsigned int flags __hw_default(0));
hipError_t hipGraphReleaseUserObject(hipGraph_t graph, hipUserObject_t object,
                                     unsigned int count __hw_default(1));

// Memory that graphs allocate.
hipError_t hipDeviceGetGraphMemAttribute(int device, hipGraphMemAttributeType attr, void* value);
hipError_t hipDeviceSetGraphMemAttribute(int device, hipGraphMemAttributeType attr, void* value);
hipError_t hipDeviceGraphMemTrim(int device);

__HW_API_END
