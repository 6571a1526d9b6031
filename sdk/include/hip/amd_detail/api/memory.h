// SPDX-License-Identifier: MIT
// Device and pinned host memory.
#pragma once

#include <hip/amd_detail/api/error_types.h>
#include <hip/amd_detail/api/memory_types.h>
#include <hip/driver_types.h>

__HW_API_BEGIN

// Device memory.
hipError_t hipMalloc(void** ptr, size_t size);
hipError_t hipExtMallocWithFlags(void** ptr, size_t size_bytes, unsigned int flags);
hipError_t hipMallocPitch(void** ptr, size_t* pitch, size_t width, size_t height);
hipError_t hipMemAllocPitch(hipDeviceptr_t* dptr, size_t* pitch, size_t width_in_bytes,
                            size_t height, unsigned int element_size_bytes);
hipError_t hipMalloc3D(hipPitchedPtr* pitched_dev_ptr, hipExtent extent);
hipError_t hipFree(void* ptr);

// Pinned host memory.
hipError_t hipHostMalloc(void** ptr, size_t size, unsigned int flags);
hipError_t hipHostAlloc(void** ptr, size_t size, unsigned int flags);
hipError_t hipHostFree(void* ptr);
hipError_t hipFreeHost(void* ptr);
HIP_DEPRECATED("use hipHostMalloc instead") hipError_t hipMallocHost(void** ptr, size_t size);
HIP_DEPRECATED("use hipHostMalloc instead") hipError_t hipMemAllocHost(void** ptr, size_t size);

// Host memory that exists already.
hipError_t hipHostRegister(void* host_ptr, size_t size_bytes, unsigned int flags);
hipError_t hipHostUnregister(void* host_ptr);
hipError_t hipHostGetDevicePointer(void** dev_ptr, void* hst_ptr, unsigned int flags);
hipError_t hipHostGetFlags(unsigned int* flags_ptr, void* host_ptr);

// What is known about memory and pointers.
hipError_t hipMemGetInfo(size_t* free, size_t* total);
hipError_t hipMemPtrGetInfo(void* ptr, size_t* size);
hipError_t hipMemGetAddressRange(hipDeviceptr_t* pbase, size_t* psize, hipDeviceptr_t dptr);
hipError_t hipPointerGetAttributes(hipPointerAttribute_t* attributes, const void* ptr);
hipError_t hipPointerGetAttribute(void* data, hipPointer_attribute attribute, hipDeviceptr_t ptr);
hipError_t hipDrvPointerGetAttributes(unsigned int num_attributes, hipPointer_attribute* attributes,
                                      void** data, hipDeviceptr_t ptr);
hipError_t hipPointerSetAttribute(const void* value, hipPointer_attribute attribute,
                                  hipDeviceptr_t ptr);

__HW_API_END
