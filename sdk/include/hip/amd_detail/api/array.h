// SPDX-License-Identifier: MIT
// Arrays: memory in the layout that textures and surfaces read.
#pragma once

#include <hip/amd_detail/api/error_types.h>
#include <hip/amd_detail/api/flags.h>
#include <hip/amd_detail/api/handles.h>
#include <hip/driver_types.h>

__HW_API_BEGIN

hipError_t hipMallocArray(hipArray_t* array, const hipChannelFormatDesc* desc, size_t width,
                          size_t height __hw_default(0),
                          unsigned int flags __hw_default(hipArrayDefault));
hipError_t hipMalloc3DArray(hipArray_t* array, const struct hipChannelFormatDesc* desc,
                            struct hipExtent extent, unsigned int flags);
hipError_t hipFreeArray(hipArray_t array);
hipError_t hipArrayCreate(hipArray_t* p_handle, const HIP_ARRAY_DESCRIPTOR* p_allocate_array);
hipError_t hipArray3DCreate(hipArray_t* array, const HIP_ARRAY3D_DESCRIPTOR* p_allocate_array);
hipError_t hipArrayDestroy(hipArray_t array);

hipError_t hipArrayGetInfo(hipChannelFormatDesc* desc, hipExtent* extent, unsigned int* flags,
                           hipArray_t array);
hipError_t hipArrayGetDescriptor(HIP_ARRAY_DESCRIPTOR* p_array_descriptor, hipArray_t array);
hipError_t hipArray3DGetDescriptor(HIP_ARRAY3D_DESCRIPTOR* p_array_descriptor, hipArray_t array);
hipError_t hipGetChannelDesc(hipChannelFormatDesc* desc, hipArray_const_t array);

// Mipmapped arrays.
hipError_t hipMallocMipmappedArray(hipMipmappedArray_t* mipmapped_array,
                                   const struct hipChannelFormatDesc* desc, struct hipExtent extent,
                                   unsigned int num_levels, unsigned int flags __hw_default(0));
hipError_t hipFreeMipmappedArray(hipMipmappedArray_t mipmapped_array);
hipError_t hipGetMipmappedArrayLevel(hipArray_t* level_array,
                                     hipMipmappedArray_const_t mipmapped_array, unsigned int level);
hipError_t hipMipmappedArrayCreate(hipMipmappedArray_t* p_handle,
                                   HIP_ARRAY3D_DESCRIPTOR* p_mipmapped_array_desc,
                                   unsigned int num_mipmap_levels);
hipError_t hipMipmappedArrayDestroy(hipMipmappedArray_t h_mipmapped_array);
hipError_t hipMipmappedArrayGetLevel(hipArray_t* p_level_array,
                                     hipMipmappedArray_t h_mip_mapped_array, unsigned int level);

// Copies. A is array, D device, H host.
hipError_t hipMemcpyAtoH(void* dst, hipArray_t src_array, size_t src_offset, size_t count);
hipError_t hipMemcpyAtoHAsync(void* dst_host, hipArray_t src_array, size_t src_offset,
                              size_t ByteCount, hipStream_t stream);
hipError_t hipMemcpyHtoA(hipArray_t dst_array, size_t dst_offset, const void* src_host,
                         size_t count);
hipError_t hipMemcpyHtoAAsync(hipArray_t dst_array, size_t dst_offset, const void* src_host,
                              size_t ByteCount, hipStream_t stream);
hipError_t hipMemcpyAtoD(hipDeviceptr_t dst_device, hipArray_t src_array, size_t src_offset,
                         size_t ByteCount);
hipError_t hipMemcpyDtoA(hipArray_t dst_array, size_t dst_offset, hipDeviceptr_t src_device,
                         size_t ByteCount);
hipError_t hipMemcpyAtoA(hipArray_t dst_array, size_t dst_offset, hipArray_t src_array,
                         size_t src_offset, size_t ByteCount);
hipError_t hipMemcpy2DToArray(hipArray_t dst, size_t w_offset, size_t h_offset, const void* src,
                              size_t spitch, size_t width, size_t height, hipMemcpyKind kind);
hipError_t hipMemcpy2DToArrayAsync(hipArray_t dst, size_t w_offset, size_t h_offset,
                                   const void* src, size_t spitch, size_t width, size_t height,
                                   hipMemcpyKind kind, hipStream_t stream __hw_default(0));
hipError_t hipMemcpy2DFromArray(void* dst, size_t dpitch, hipArray_const_t src, size_t w_offset,
                                size_t h_offset, size_t width, size_t height, hipMemcpyKind kind);
hipError_t hipMemcpy2DFromArrayAsync(void* dst, size_t dpitch, hipArray_const_t src,
                                     size_t w_offset, size_t h_offset, size_t width, size_t height,
                                     hipMemcpyKind kind, hipStream_t stream __hw_default(0));
hipError_t hipMemcpy2DArrayToArray(hipArray_t dst, size_t w_offset_dst, size_t h_offset_dst,
                                   hipArray_const_t src, size_t w_offset_src, size_t h_offset_src,
                                   size_t width, size_t height, hipMemcpyKind kind);
__HW_DEPRECATED hipError_t hipMemcpyToArray(hipArray_t dst, size_t w_offset, size_t h_offset,
                                            const void* src, size_t count, hipMemcpyKind kind);
__HW_DEPRECATED hipError_t hipMemcpyFromArray(void* dst, hipArray_const_t src_array,
                                              size_t w_offset, size_t h_offset, size_t count,
                                              hipMemcpyKind kind);

__HW_API_END
