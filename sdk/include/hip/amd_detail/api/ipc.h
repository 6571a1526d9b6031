// SPDX-License-Identifier: MIT
// Sharing memory and events with other processes.
#pragma once

#include <hip/amd_detail/api/error_types.h>
#include <hip/amd_detail/api/handles.h>
#include <hip/amd_detail/api/ipc_types.h>

__HW_API_BEGIN

hipError_t hipIpcGetMemHandle(hipIpcMemHandle_t* handle, void* dev_ptr);
hipError_t hipIpcOpenMemHandle(void** dev_ptr, hipIpcMemHandle_t handle, unsigned int flags);
hipError_t hipIpcCloseMemHandle(void* dev_ptr);
hipError_t hipIpcGetEventHandle(hipIpcEventHandle_t* handle, hipEvent_t event);
hipError_t hipIpcOpenEventHandle(hipEvent_t* event, hipIpcEventHandle_t handle);

__HW_API_END
