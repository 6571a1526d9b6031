// SPDX-License-Identifier: MIT
// Code objects loaded at run time, and kernels as objects.
#pragma once

#include <hip/amd_detail/api/error_types.h>
#include <hip/amd_detail/api/launch_types.h>
#include <hip/amd_detail/api/memory_types.h>
#include <hip/driver_types.h>
#include <hip/linker_types.h>
#include <hip/texture_types.h>

__HW_API_BEGIN

hipError_t hipModuleLoad(hipModule_t* module, const char* fname);
hipError_t hipModuleLoadData(hipModule_t* module, const void* image);
hipError_t hipModuleLoadDataEx(hipModule_t* module, const void* image, unsigned int num_options,
                               hipJitOption* options, void** option_values);
#if __HW_ROCM >= 701
hipError_t hipModuleLoadFatBinary(hipModule_t* module, const void* fatbin);
hipError_t hipModuleGetFunctionCount(unsigned int* count, hipModule_t mod);
#endif
hipError_t hipModuleUnload(hipModule_t module);
hipError_t hipModuleGetFunction(hipFunction_t* function, hipModule_t module, const char* kname);
hipError_t hipModuleGetGlobal(hipDeviceptr_t* dptr, size_t* bytes, hipModule_t hmod,
                              const char* name);
hipError_t hipModuleGetTexRef(textureReference** tex_ref, hipModule_t hmod, const char* name);

hipError_t hipGetFuncBySymbol(hipFunction_t* function_ptr, const void* symbol_ptr);
hipError_t hipFuncGetAttribute(int* value, hipFunction_attribute attrib, hipFunction_t hfunc);
hipError_t hipFuncGetAttributes(struct hipFuncAttributes* attr, const void* func);
hipError_t hipFuncSetAttribute(const void* func, hipFuncAttribute attr, int value);
hipError_t hipFuncSetCacheConfig(const void* func, hipFuncCache_t config);
hipError_t hipFuncSetSharedMemConfig(const void* func, hipSharedMemConfig config);

// Entry points of this library by name.
hipError_t hipGetProcAddress(const char* symbol, void** pfn, int hipVersion, uint64_t flags,
                             hipDriverProcAddressQueryResult* symbol_status);
#if __HW_ROCM >= 701
hipError_t hipGetDriverEntryPoint(const char* symbol, void** func_ptr, unsigned long long flags,
                                  hipDriverEntryPointQueryResult* driver_status);
hipError_t hipGetDriverEntryPoint_spt(const char* symbol, void** func_ptr, unsigned long long flags,
                                      hipDriverEntryPointQueryResult* driver_status);
#endif

// The precompiled header inside the library, for compilers that run in the program.
void __hipGetPCH(const char** pch, unsigned int* size);

__HW_API_END
