// SPDX-License-Identifier: MIT
// Names for profilers.
#pragma once

#include <hip/amd_detail/api/error_types.h>
#include <hip/amd_detail/api/handles.h>

__HW_API_BEGIN

HIP_DEPRECATED("use roctracer/rocTX instead") hipError_t hipProfilerStart();
HIP_DEPRECATED("use roctracer/rocTX instead") hipError_t hipProfilerStop();
const char* hipApiName(uint32_t id);
const char* hipKernelNameRef(const hipFunction_t f);
const char* hipKernelNameRefByPtr(const void* host_function, hipStream_t stream);

__HW_API_END
