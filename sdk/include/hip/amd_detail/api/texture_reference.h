// SPDX-License-Identifier: MIT
// Texture references. Deprecated: use texture objects.
#pragma once

#include <hip/amd_detail/api/error_types.h>
#include <hip/texture_types.h>

__HW_API_BEGIN

__HW_DEPRECATED hipError_t hipBindTexture(size_t* offset, const textureReference* tex,
                                          const void* dev_ptr, const hipChannelFormatDesc* desc,
                                          size_t size __hw_default(UINT_MAX));
__HW_DEPRECATED hipError_t hipBindTexture2D(size_t* offset, const textureReference* tex,
                                            const void* dev_ptr, const hipChannelFormatDesc* desc,
                                            size_t width, size_t height, size_t pitch);
__HW_DEPRECATED hipError_t hipBindTextureToArray(const textureReference* tex,
                                                 hipArray_const_t array,
                                                 const hipChannelFormatDesc* desc);
__HW_DEPRECATED hipError_t hipBindTextureToMipmappedArray(const textureReference* tex,
                                                          hipMipmappedArray_const_t mipmapped_array,
                                                          const hipChannelFormatDesc* desc);
__HW_DEPRECATED hipError_t hipUnbindTexture(const textureReference* tex);
__HW_DEPRECATED hipError_t hipGetTextureReference(const textureReference** texref,
                                                  const void* symbol);
__HW_DEPRECATED hipError_t hipGetTextureAlignmentOffset(size_t* offset,
                                                        const textureReference* texref);

__HW_DEPRECATED hipError_t hipTexRefSetAddressMode(textureReference* tex_ref, int dim,
                                                   enum hipTextureAddressMode am);
__HW_DEPRECATED hipError_t hipTexRefSetArray(textureReference* tex, hipArray_const_t array,
                                             unsigned int flags);
__HW_DEPRECATED hipError_t hipTexRefSetFilterMode(textureReference* tex_ref,
                                                  enum hipTextureFilterMode fm);
__HW_DEPRECATED hipError_t hipTexRefSetFlags(textureReference* tex_ref, unsigned int Flags);
__HW_DEPRECATED hipError_t hipTexRefSetFormat(textureReference* tex_ref, hipArray_Format fmt,
                                              int NumPackedComponents);
__HW_DEPRECATED hipError_t hipTexRefSetAddress(size_t* ByteOffset, textureReference* tex_ref,
                                               hipDeviceptr_t dptr, size_t bytes);
__HW_DEPRECATED hipError_t hipTexRefSetAddress2D(textureReference* tex_ref,
                                                 const HIP_ARRAY_DESCRIPTOR* desc,
                                                 hipDeviceptr_t dptr, size_t Pitch);
__HW_DEPRECATED hipError_t hipTexRefSetMaxAnisotropy(textureReference* tex_ref,
                                                     unsigned int max_aniso);
__HW_DEPRECATED hipError_t hipTexRefSetBorderColor(textureReference* tex_ref,
                                                   float* p_border_color);
__HW_DEPRECATED hipError_t hipTexRefSetMipmapFilterMode(textureReference* tex_ref,
                                                        enum hipTextureFilterMode fm);
__HW_DEPRECATED hipError_t hipTexRefSetMipmapLevelBias(textureReference* tex_ref, float bias);
__HW_DEPRECATED hipError_t hipTexRefSetMipmapLevelClamp(textureReference* tex_ref,
                                                        float min_mip_map_level_clamp,
                                                        float max_mip_map_level_clamp);
__HW_DEPRECATED hipError_t hipTexRefSetMipmappedArray(textureReference* tex_ref,
                                                      struct hipMipmappedArray* mipmapped_array,
                                                      unsigned int Flags);

__HW_DEPRECATED hipError_t hipTexRefGetBorderColor(float* p_border_color,
                                                   const textureReference* tex_ref);
__HW_DEPRECATED hipError_t hipTexRefGetArray(hipArray_t* p_array, const textureReference* tex_ref);
__HW_DEPRECATED hipError_t hipTexRefGetAddress(hipDeviceptr_t* dev_ptr,
                                               const textureReference* tex_ref);
__HW_DEPRECATED hipError_t hipTexRefGetAddressMode(enum hipTextureAddressMode* pam,
                                                   const textureReference* tex_ref, int dim);
__HW_DEPRECATED hipError_t hipTexRefGetFilterMode(enum hipTextureFilterMode* pfm,
                                                  const textureReference* tex_ref);
__HW_DEPRECATED hipError_t hipTexRefGetFlags(unsigned int* p_flags,
                                             const textureReference* tex_ref);
__HW_DEPRECATED hipError_t hipTexRefGetFormat(hipArray_Format* p_format, int* p_num_channels,
                                              const textureReference* tex_ref);
__HW_DEPRECATED hipError_t hipTexRefGetMaxAnisotropy(int* pmax_ansio,
                                                     const textureReference* tex_ref);
__HW_DEPRECATED hipError_t hipTexRefGetMipmapFilterMode(enum hipTextureFilterMode* pfm,
                                                        const textureReference* tex_ref);
__HW_DEPRECATED hipError_t hipTexRefGetMipmapLevelBias(float* pbias,
                                                       const textureReference* tex_ref);
__HW_DEPRECATED hipError_t hipTexRefGetMipmapLevelClamp(float* pmin_mipmap_level_clamp,
                                                        float* pmax_mipmap_level_clamp,
                                                        const textureReference* tex_ref);
__HW_DEPRECATED hipError_t hipTexRefGetMipMappedArray(hipMipmappedArray_t* p_array,
                                                      const textureReference* tex_ref);

__HW_API_END
