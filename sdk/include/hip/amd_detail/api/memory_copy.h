// SPDX-License-Identifier: MIT
// Copying and filling linear memory, and device symbols.
#pragma once

#include <hip/amd_detail/api/error_types.h>
#include <hip/amd_detail/api/handles.h>
#include <hip/driver_types.h>

__HW_API_BEGIN

hipError_t hipMemcpy(void* dst, const void* src, size_t size_bytes, hipMemcpyKind kind);
hipError_t hipMemcpyAsync(void* dst, const void* src, size_t size_bytes, hipMemcpyKind kind,
                          hipStream_t stream __hw_default(0));
hipError_t hipMemcpyWithStream(void* dst, const void* src, size_t size_bytes, hipMemcpyKind kind,
                               hipStream_t stream);
#if __HW_ROCM < 700
hipError_t hipMemcpyHtoD(hipDeviceptr_t dst, void* src, size_t size_bytes);
hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t dst, void* src, size_t size_bytes, hipStream_t stream);
#else
hipError_t hipMemcpyHtoD(hipDeviceptr_t dst, const void* src, size_t size_bytes);
hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t dst, const void* src, size_t size_bytes,
                              hipStream_t stream);
#endif
hipError_t hipMemcpyDtoH(void* dst, hipDeviceptr_t src, size_t size_bytes);
hipError_t hipMemcpyDtoHAsync(void* dst, hipDeviceptr_t src, size_t size_bytes, hipStream_t stream);
hipError_t hipMemcpyDtoD(hipDeviceptr_t dst, hipDeviceptr_t src, size_t size_bytes);
hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t dst, hipDeviceptr_t src, size_t size_bytes,
                              hipStream_t stream);

// Pitched memory.
hipError_t hipMemcpy2D(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                       size_t height, hipMemcpyKind kind);
hipError_t hipMemcpy2DAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                            size_t height, hipMemcpyKind kind, hipStream_t stream __hw_default(0));
hipError_t hipMemcpyParam2D(const hip_Memcpy2D* p_copy);
hipError_t hipMemcpyParam2DAsync(const hip_Memcpy2D* p_copy, hipStream_t stream __hw_default(0));
hipError_t hipDrvMemcpy2DUnaligned(const hip_Memcpy2D* p_copy);
hipError_t hipMemcpy3D(const struct hipMemcpy3DParms* p);
hipError_t hipMemcpy3DAsync(const struct hipMemcpy3DParms* p, hipStream_t stream __hw_default(0));
hipError_t hipDrvMemcpy3D(const HIP_MEMCPY3D* p_copy);
hipError_t hipDrvMemcpy3DAsync(const HIP_MEMCPY3D* p_copy, hipStream_t stream);

// Fills. The D8, D16 and D32 forms count elements, the others bytes.
hipError_t hipMemset(void* dst, int value, size_t size_bytes);
hipError_t hipMemsetAsync(void* dst, int value, size_t size_bytes,
                          hipStream_t stream __hw_default(0));
hipError_t hipMemsetD8(hipDeviceptr_t dest, unsigned char value, size_t count);
hipError_t hipMemsetD8Async(hipDeviceptr_t dest, unsigned char value, size_t count,
                            hipStream_t stream __hw_default(0));
hipError_t hipMemsetD16(hipDeviceptr_t dest, unsigned short value, size_t count);
hipError_t hipMemsetD16Async(hipDeviceptr_t dest, unsigned short value, size_t count,
                             hipStream_t stream __hw_default(0));
hipError_t hipMemsetD32(hipDeviceptr_t dest, int value, size_t count);
hipError_t hipMemsetD32Async(hipDeviceptr_t dst, int value, size_t count,
                             hipStream_t stream __hw_default(0));
hipError_t hipMemset2D(void* dst, size_t pitch, int value, size_t width, size_t height);
hipError_t hipMemset2DAsync(void* dst, size_t pitch, int value, size_t width, size_t height,
                            hipStream_t stream __hw_default(0));
#if __HW_ROCM >= 701
#define __hw_memset_rows(bits, T)                                                            \
  hipError_t hipMemsetD2D##bits(hipDeviceptr_t dst, size_t dst_pitch, T value, size_t width, \
                                size_t height);                                              \
  hipError_t hipMemsetD2D##bits##Async(hipDeviceptr_t dst, size_t dst_pitch, T value,        \
                                       size_t width, size_t height,                          \
                                       hipStream_t stream __hw_default(0))
__hw_memset_rows(8, unsigned char);
__hw_memset_rows(16, unsigned short);
__hw_memset_rows(32, unsigned int);
#undef __hw_memset_rows
#endif
hipError_t hipMemset3D(hipPitchedPtr pitched_dev_ptr, int value, hipExtent extent);
hipError_t hipMemset3DAsync(hipPitchedPtr pitched_dev_ptr, int value, hipExtent extent,
                            hipStream_t stream __hw_default(0));

// __device__ and __constant__ variables, named by their host address.
hipError_t hipGetSymbolAddress(void** dev_ptr, const void* symbol);
hipError_t hipGetSymbolSize(size_t* size, const void* symbol);
hipError_t hipMemcpyToSymbol(const void* symbol, const void* src, size_t size_bytes,
                             size_t offset __hw_default(0),
                             hipMemcpyKind kind __hw_default(hipMemcpyHostToDevice));
hipError_t hipMemcpyToSymbolAsync(const void* symbol, const void* src, size_t size_bytes,
                                  size_t offset, hipMemcpyKind kind,
                                  hipStream_t stream __hw_default(0));
hipError_t hipMemcpyFromSymbol(void* dst, const void* symbol, size_t size_bytes,
                               size_t offset __hw_default(0),
                               hipMemcpyKind kind __hw_default(hipMemcpyDeviceToHost));
hipError_t hipMemcpyFromSymbolAsync(void* dst, const void* symbol, size_t size_bytes, size_t offset,
                                    hipMemcpyKind kind, hipStream_t stream __hw_default(0));

__HW_API_END
