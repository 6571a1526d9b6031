// SPDX-License-Identifier: MIT
// The _spt functions: the same calls, whose default stream is the calling thread's own.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#include "soft/hip/stream.h"

extern "C" {

using hipwright::soft::hip::per_thread;

hipError_t hipMemcpy_spt(void* to, const void* from, size_t bytes, hipMemcpyKind kind) {
  return hipMemcpyAsync(to, from, bytes, kind, hipStreamPerThread);
}
hipError_t hipMemcpyAsync_spt(void* to, const void* from, size_t bytes, hipMemcpyKind kind,
                              hipStream_t stream) {
  return hipMemcpyAsync(to, from, bytes, kind, per_thread(stream));
}
hipError_t hipMemcpyToSymbol_spt(const void* symbol, const void* from, size_t bytes, size_t offset,
                                 hipMemcpyKind kind) {
  return hipMemcpyToSymbolAsync(symbol, from, bytes, offset, kind, hipStreamPerThread);
}
hipError_t hipMemcpyToSymbolAsync_spt(const void* symbol, const void* from, size_t bytes,
                                      size_t offset, hipMemcpyKind kind, hipStream_t stream) {
  return hipMemcpyToSymbolAsync(symbol, from, bytes, offset, kind, per_thread(stream));
}
hipError_t hipMemcpyFromSymbol_spt(void* to, const void* symbol, size_t bytes, size_t offset,
                                   hipMemcpyKind kind) {
  return hipMemcpyFromSymbolAsync(to, symbol, bytes, offset, kind, hipStreamPerThread);
}
hipError_t hipMemcpyFromSymbolAsync_spt(void* to, const void* symbol, size_t bytes, size_t offset,
                                        hipMemcpyKind kind, hipStream_t stream) {
  return hipMemcpyFromSymbolAsync(to, symbol, bytes, offset, kind, per_thread(stream));
}
hipError_t hipMemcpy2D_spt(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                           size_t width, size_t height, hipMemcpyKind kind) {
  return hipMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, hipStreamPerThread);
}
hipError_t hipMemcpy2DAsync_spt(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                                size_t width, size_t height, hipMemcpyKind kind,
                                hipStream_t stream) {
  return hipMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, per_thread(stream));
}
hipError_t hipMemcpy3D_spt(const hipMemcpy3DParms* parameters) {
  return hipMemcpy3DAsync(parameters, hipStreamPerThread);
}
hipError_t hipMemcpy3DAsync_spt(const hipMemcpy3DParms* parameters, hipStream_t stream) {
  return hipMemcpy3DAsync(parameters, per_thread(stream));
}
hipError_t hipMemset_spt(void* to, int value, size_t bytes) {
  return hipMemsetAsync(to, value, bytes, hipStreamPerThread);
}
hipError_t hipMemsetAsync_spt(void* to, int value, size_t bytes, hipStream_t stream) {
  return hipMemsetAsync(to, value, bytes, per_thread(stream));
}
hipError_t hipMemset2D_spt(void* to, size_t pitch, int value, size_t width, size_t height) {
  return hipMemset2DAsync(to, pitch, value, width, height, hipStreamPerThread);
}
hipError_t hipMemset2DAsync_spt(void* to, size_t pitch, int value, size_t width, size_t height,
                                hipStream_t stream) {
  return hipMemset2DAsync(to, pitch, value, width, height, per_thread(stream));
}
hipError_t hipMemset3D_spt(hipPitchedPtr to, int value, hipExtent extent) {
  return hipMemset3DAsync(to, value, extent, hipStreamPerThread);
}
hipError_t hipMemset3DAsync_spt(hipPitchedPtr to, int value, hipExtent extent, hipStream_t stream) {
  return hipMemset3DAsync(to, value, extent, per_thread(stream));
}
hipError_t hipStreamQuery_spt(hipStream_t stream) {
  return hipStreamQuery(per_thread(stream));
}
hipError_t hipStreamSynchronize_spt(hipStream_t stream) {
  return hipStreamSynchronize(per_thread(stream));
}
hipError_t hipStreamGetPriority_spt(hipStream_t stream, int* priority) {
  return hipStreamGetPriority(per_thread(stream), priority);
}
hipError_t hipStreamGetFlags_spt(hipStream_t stream, unsigned* flags) {
  return hipStreamGetFlags(per_thread(stream), flags);
}
hipError_t hipStreamWaitEvent_spt(hipStream_t stream, hipEvent_t event, unsigned flags) {
  return hipStreamWaitEvent(per_thread(stream), event, flags);
}
hipError_t hipStreamAddCallback_spt(hipStream_t stream, hipStreamCallback_t callback, void* data,
                                    unsigned flags) {
  return hipStreamAddCallback(per_thread(stream), callback, data, flags);
}
hipError_t hipLaunchHostFunc_spt(hipStream_t stream, hipHostFn_t function, void* data) {
  return hipLaunchHostFunc(per_thread(stream), function, data);
}
hipError_t hipEventRecord_spt(hipEvent_t event, hipStream_t stream) {
  return hipEventRecord(event, per_thread(stream));
}
hipError_t hipLaunchKernel_spt(const void* function, dim3 grid, dim3 block, void** arguments,
                               size_t shared, hipStream_t stream) {
  return hipLaunchKernel(function, grid, block, arguments, shared, per_thread(stream));
}
hipError_t hipLaunchCooperativeKernel_spt(const void* function, dim3 grid, dim3 block,
                                          void** arguments, uint32_t shared, hipStream_t stream) {
  return hipLaunchCooperativeKernel(function, grid, block, arguments, shared, per_thread(stream));
}
hipError_t hipGraphLaunch_spt(hipGraphExec_t exec, hipStream_t stream) {
  return hipGraphLaunch(exec, per_thread(stream));
}
hipError_t hipStreamBeginCapture_spt(hipStream_t stream, hipStreamCaptureMode mode) {
  return hipStreamBeginCapture(per_thread(stream), mode);
}
hipError_t hipStreamEndCapture_spt(hipStream_t stream, hipGraph_t* graph) {
  return hipStreamEndCapture(per_thread(stream), graph);
}
hipError_t hipStreamIsCapturing_spt(hipStream_t stream, hipStreamCaptureStatus* status) {
  return hipStreamIsCapturing(per_thread(stream), status);
}
hipError_t hipStreamGetCaptureInfo_spt(hipStream_t stream, hipStreamCaptureStatus* status,
                                       unsigned long long* id) {
  return hipStreamGetCaptureInfo(per_thread(stream), status, id);
}
hipError_t hipStreamGetCaptureInfo_v2_spt(hipStream_t stream, hipStreamCaptureStatus* status,
                                          unsigned long long* id, hipGraph_t* graph,
                                          const hipGraphNode_t** dependencies, size_t* count) {
  return hipStreamGetCaptureInfo_v2(per_thread(stream), status, id, graph, dependencies, count);
}

}  // extern "C"
