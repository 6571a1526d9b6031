// SPDX-License-Identifier: MIT
// Code objects that are loaded for all devices at once. Since ROCm 7.1.
#pragma once

#include <hip/amd_detail/api/config.h>
#include <hip/amd_detail/api/error_types.h>
#include <hip/linker_types.h>

typedef struct ihipLibrary_t* hipLibrary_t;
typedef struct ihipKernel_t* hipKernel_t;

__HW_API_BEGIN

hipError_t hipLibraryLoadData(hipLibrary_t* library, const void* code, hipJitOption* jit_options,
                              void** jit_options_values, unsigned int num_jit_options,
                              hipLibraryOption* library_options, void** library_option_values,
                              unsigned int num_library_options);
hipError_t hipLibraryLoadFromFile(hipLibrary_t* library, const char* file_name,
                                  hipJitOption* jit_options, void** jit_options_values,
                                  unsigned int num_jit_options, hipLibraryOption* library_options,
                                  void** library_option_values, unsigned int num_library_options);
hipError_t hipLibraryUnload(hipLibrary_t library);
hipError_t hipLibraryGetKernel(hipKernel_t* p_kernel, hipLibrary_t library, const char* name);
hipError_t hipLibraryGetKernelCount(unsigned int* count, hipLibrary_t library);
#if __HW_ROCM >= 702
hipError_t hipLibraryEnumerateKernels(hipKernel_t* kernels, unsigned int num_kernels,
                                      hipLibrary_t library);
hipError_t hipKernelGetLibrary(hipLibrary_t* library, hipKernel_t kernel);
hipError_t hipKernelGetName(const char** name, hipKernel_t kernel);
#endif

__HW_API_END
