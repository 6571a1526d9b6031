// SPDX-License-Identifier: MIT
// Streams: queues of work on one device.
#pragma once

#include <hip/amd_detail/api/error_types.h>
#include <hip/amd_detail/api/graph_types.h>
#include <hip/amd_detail/api/stream_types.h>

__HW_API_BEGIN

// Creation and destruction. A CU mask has one bit per compute unit, 32 to a word.
hipError_t hipStreamCreate(hipStream_t* stream);
hipError_t hipStreamCreateWithFlags(hipStream_t* stream, unsigned int flags);
hipError_t hipStreamCreateWithPriority(hipStream_t* stream, unsigned int flags, int priority);
hipError_t hipExtStreamCreateWithCUMask(hipStream_t* stream, uint32_t cu_mask_size,
                                        const uint32_t* cu_mask);
hipError_t hipStreamDestroy(hipStream_t stream);

// Ordering.
hipError_t hipStreamQuery(hipStream_t stream);
hipError_t hipStreamSynchronize(hipStream_t stream);
hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event,
                              unsigned int flags __hw_default(0));

// Properties.
hipError_t hipStreamGetFlags(hipStream_t stream, unsigned int* flags);
hipError_t hipStreamGetPriority(hipStream_t stream, int* priority);
hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t* device);
int hipGetStreamDeviceId(hipStream_t stream);
#if __HW_ROCM >= 701
hipError_t hipStreamGetId(hipStream_t stream, unsigned long long* stream_id);
hipError_t hipStreamSetAttribute(hipStream_t stream, hipStreamAttrID attr,
                                 const hipStreamAttrValue* value);
hipError_t hipStreamGetAttribute(hipStream_t stream, hipStreamAttrID attr,
                                 hipStreamAttrValue* value_out);
#endif
#if __HW_ROCM >= 702
hipError_t hipStreamCopyAttributes(hipStream_t dst, hipStream_t src);
#endif
hipError_t hipExtStreamGetCUMask(hipStream_t stream, uint32_t cu_mask_size, uint32_t* cu_mask);

// Host functions in stream order.
typedef void (*hipStreamCallback_t)(hipStream_t stream, hipError_t status, void* user_data);
hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t callback, void* user_data,
                                unsigned int flags);
hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t fn, void* user_data);

// Waiting on and writing to memory in stream order.
hipError_t hipStreamWaitValue32(hipStream_t stream, void* ptr, uint32_t value, unsigned int flags,
                                uint32_t mask __hw_default(0xFFFFFFFF));
hipError_t hipStreamWaitValue64(hipStream_t stream, void* ptr, uint64_t value, unsigned int flags,
                                uint64_t mask __hw_default(0xFFFFFFFFFFFFFFFF));
hipError_t hipStreamWriteValue32(hipStream_t stream, void* ptr, uint32_t value, unsigned int flags);
hipError_t hipStreamWriteValue64(hipStream_t stream, void* ptr, uint64_t value, unsigned int flags);
hipError_t hipStreamBatchMemOp(hipStream_t stream, unsigned int count,
                               hipStreamBatchMemOpParams* param_array, unsigned int flags);

__HW_API_END
