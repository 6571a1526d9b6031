// SPDX-License-Identifier: MIT
// C++ forms of the texture reference functions: texture<T, dim, mode> instead of its base.
#pragma once

#include <hip/amd_detail/api/array.h>
#include <hip/amd_detail/api/texture_reference.h>

template <class T, int dim, enum hipTextureReadMode readMode>
__HW_DEPRECATED static inline hipError_t hipBindTexture(size_t* offset,
                                                        const struct texture<T, dim, readMode>& tex,
                                                        const void* dev_ptr,
                                                        size_t size = UINT_MAX) {
  return ::hipBindTexture(offset, &tex, dev_ptr, &tex.channelDesc, size);
}

template <class T, int dim, enum hipTextureReadMode readMode>
__HW_DEPRECATED static inline hipError_t hipBindTexture(size_t* offset,
                                                        const struct texture<T, dim, readMode>& tex,
                                                        const void* dev_ptr,
                                                        const struct hipChannelFormatDesc& desc,
                                                        size_t size = UINT_MAX) {
  return ::hipBindTexture(offset, &tex, dev_ptr, &desc, size);
}

template <class T, int dim, enum hipTextureReadMode readMode>
__HW_DEPRECATED static inline hipError_t hipBindTexture2D(
    size_t* offset, const struct texture<T, dim, readMode>& tex, const void* dev_ptr, size_t width,
    size_t height, size_t pitch) {
  return ::hipBindTexture2D(offset, &tex, dev_ptr, &tex.channelDesc, width, height, pitch);
}

template <class T, int dim, enum hipTextureReadMode readMode>
__HW_DEPRECATED static inline hipError_t hipBindTexture2D(
    size_t* offset, const struct texture<T, dim, readMode>& tex, const void* dev_ptr,
    const struct hipChannelFormatDesc& desc, size_t width, size_t height, size_t pitch) {
  return ::hipBindTexture2D(offset, &tex, dev_ptr, &desc, width, height, pitch);
}

template <class T, int dim, enum hipTextureReadMode readMode>
__HW_DEPRECATED static inline hipError_t hipBindTextureToArray(
    const struct texture<T, dim, readMode>& tex, hipArray_const_t array,
    const struct hipChannelFormatDesc& desc) {
  return ::hipBindTextureToArray(&tex, array, &desc);
}

// Without a descriptor, the array's own.
template <class T, int dim, enum hipTextureReadMode readMode>
__HW_DEPRECATED static inline hipError_t hipBindTextureToArray(
    const struct texture<T, dim, readMode>& tex, hipArray_const_t array) {
  hipChannelFormatDesc desc;
  const hipError_t status = hipGetChannelDesc(&desc, array);
  if (status != hipSuccess) return status;
  return ::hipBindTextureToArray(&tex, array, &desc);
}

template <class T, int dim, enum hipTextureReadMode readMode>
__HW_DEPRECATED static inline hipError_t hipBindTextureToMipmappedArray(
    const struct texture<T, dim, readMode>& tex, hipMipmappedArray_const_t mipmapped_array,
    const struct hipChannelFormatDesc& desc) {
  return ::hipBindTextureToMipmappedArray(&tex, mipmapped_array, &desc);
}

// Without a descriptor, that of the first level.
template <class T, int dim, enum hipTextureReadMode readMode>
__HW_DEPRECATED static inline hipError_t hipBindTextureToMipmappedArray(
    const struct texture<T, dim, readMode>& tex, hipMipmappedArray_const_t mipmapped_array) {
  hipArray_t level = nullptr;
  hipChannelFormatDesc desc;
  hipError_t status = hipGetMipmappedArrayLevel(&level, mipmapped_array, 0);
  if (status == hipSuccess) status = hipGetChannelDesc(&desc, level);
  if (status != hipSuccess) return status;
  return ::hipBindTextureToMipmappedArray(&tex, mipmapped_array, &desc);
}

template <class T, int dim, enum hipTextureReadMode readMode>
__HW_DEPRECATED static inline hipError_t hipUnbindTexture(
    const struct texture<T, dim, readMode>& tex) {
  return ::hipUnbindTexture(&tex);
}
