// SPDX-License-Identifier: MIT
// Events: markers in a stream, for ordering and timing.
#pragma once

#include <hip/amd_detail/api/error_types.h>
#include <hip/amd_detail/api/handles.h>

__HW_API_BEGIN

hipError_t hipEventCreate(hipEvent_t* event);
hipError_t hipEventCreateWithFlags(hipEvent_t* event, unsigned flags);
hipError_t hipEventDestroy(hipEvent_t event);
hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream __hw_default(NULL));
hipError_t hipEventRecordWithFlags(hipEvent_t event, hipStream_t stream, unsigned int flags);
hipError_t hipEventQuery(hipEvent_t event);
hipError_t hipEventSynchronize(hipEvent_t event);
hipError_t hipEventElapsedTime(float* ms, hipEvent_t start, hipEvent_t stop);

__HW_API_END
