// SPDX-License-Identifier: MIT
// Error state of the calling thread, and texts of error codes.
#pragma once

#include <hip/amd_detail/api/error_types.h>

__HW_API_BEGIN

// hipExtGetLastError reports the last call only; the other two report the last failed call.
hipError_t hipGetLastError(void);
hipError_t hipPeekAtLastError(void);
hipError_t hipExtGetLastError(void);

const char* hipGetErrorName(hipError_t hip_error);
const char* hipGetErrorString(hipError_t hipError);
hipError_t hipDrvGetErrorName(hipError_t hipError, const char** error_string);
hipError_t hipDrvGetErrorString(hipError_t hipError, const char** error_string);

__HW_API_END
