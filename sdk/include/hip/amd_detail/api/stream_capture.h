// SPDX-License-Identifier: MIT
// Recording the work of a stream into a graph.
#pragma once

#include <hip/amd_detail/api/error_types.h>
#include <hip/amd_detail/api/graph_types.h>

__HW_API_BEGIN

hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode);
hipError_t hipStreamBeginCaptureToGraph(hipStream_t stream, hipGraph_t graph,
                                        const hipGraphNode_t* dependencies,
                                        const hipGraphEdgeData* dependency_data,
                                        size_t num_dependencies, hipStreamCaptureMode mode);
hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t* p_graph);
hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus* p_capture_status);
hipError_t hipStreamGetCaptureInfo(hipStream_t stream, hipStreamCaptureStatus* p_capture_status,
                                   unsigned long long* p_id);
hipError_t hipStreamGetCaptureInfo_v2(hipStream_t stream, hipStreamCaptureStatus* captureStatus_out,
                                      unsigned long long* id_out __hw_default(0),
                                      hipGraph_t* graph_out __hw_default(0),
                                      const hipGraphNode_t** dependencies_out __hw_default(0),
                                      size_t* numDependencies_out __hw_default(0));
hipError_t hipStreamUpdateCaptureDependencies(hipStream_t stream, hipGraphNode_t* dependencies,
                                              size_t num_dependencies,
                                              unsigned int flags __hw_default(0));
hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode* mode);

__HW_API_END
