// SPDX-License-Identifier: MIT
// Linking device code at run time.
#pragma once

#include <hip/amd_detail/api/error_types.h>
#include <hip/amd_detail/api/handles.h>
#include <hip/linker_types.h>

__HW_API_BEGIN

hipError_t hipLinkCreate(unsigned int num_options, hipJitOption* options, void** option_values,
                         hipLinkState_t* state_out);
hipError_t hipLinkAddData(hipLinkState_t state, hipJitInputType type, void* data, size_t size,
                          const char* name, unsigned int num_options, hipJitOption* options,
                          void** option_values);
hipError_t hipLinkAddFile(hipLinkState_t state, hipJitInputType type, const char* path,
                          unsigned int num_options, hipJitOption* options, void** option_values);
hipError_t hipLinkComplete(hipLinkState_t state, void** hipBinOut, size_t* size_out);
hipError_t hipLinkDestroy(hipLinkState_t state);

__HW_API_END
