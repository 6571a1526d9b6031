// SPDX-License-Identifier: MIT
// Reading and writing surface objects. x is in bytes, as in CUDA; the other coordinates count
// texels. Out-of-range reads give zero and writes are dropped, whatever the boundary mode.
//
// ROCm 6.4 takes the layer of a layered surface for a mip level, and its surfCubemapLayeredwrite
// does not compile. Both are so here, so that a port shows it.
#pragma once

#if defined(__cplusplus)

#include <hip/amd_detail/texel.h>
#include <hip/surface_types.h>

namespace __hip_detail {
// Rounds down for 1, 2 and 4, so that a negative offset stays out of range.
__HOST_DEVICE__ inline int divide_by(int x, int n) {
  return n == 3 ? x / 3 : x >> (n / 2);
}
}  // namespace __hip_detail

// Byte offset to texel index, for an HSA channel type and channel order
static __HOST_DEVICE__ __forceinline__ int __hipGetPixelAddr(int x, int format, int order) {
  // 8-, 16-, 24- and 32-bit types; the packed 555, 565 and 101010 count as 16 bits.
  constexpr unsigned char channel_bytes[] = {1, 2, 1, 2, 3, 2, 2, 2, 1, 2, 4, 1, 2, 4, 2, 4};
  // From A and R to DEPTH_STENCIL
  constexpr unsigned char channels[] = {1, 1, 2, 2, 3, 2, 3, 4, 4, 4, 4, 4, 3, 4, 4, 4, 1, 1, 1, 1};
  return __hip_detail::divide_by(__hip_detail::divide_by(x, channel_bytes[format]),
                                 channels[order]);
}

#define __hw_texels \
  typename T, typename std::enable_if<__hip_detail::texel_traits<T>::valid>::type* = nullptr
#define __hw_list(...) __VA_ARGS__

// i is the surface's image; `dim` names the device library's functions that tell its format.
#define __hw_find_texel(dim)                                        \
  auto i = (__hip_detail::image_pointer)surfObj;                    \
  x = __hipGetPixelAddr(x, __ockl_image_channel_data_type_##dim(i), \
                        __ockl_image_channel_order_##dim(i))
#define __hw_surf_read(name, dim, params, load)                                    \
  template <__hw_texels>                                                           \
  static __device__ __hip_img_chk__ void name(T* data, hipSurfaceObject_t surfObj, \
                                              int x __hw_list params) {            \
    __hw_find_texel(dim);                                                          \
    *data = __hip_detail::texel<T>::read(load);                                    \
  }
#define __hw_surf_write(name, dim, params, store)                                 \
  template <__hw_texels>                                                          \
  static __device__ __hip_img_chk__ void name(T data, hipSurfaceObject_t surfObj, \
                                              int x __hw_list params) {           \
    __hw_find_texel(dim);                                                         \
    float4::Native_vec_ texel = __hip_detail::texel<T>::write(data);              \
    store;                                                                        \
  }
#define __hw_pixel __hip_detail::pixel

__hw_surf_read(surf1Dread, 1D, (, int = hipBoundaryModeZero), __ockl_image_load_1D(i, x));
__hw_surf_write(surf1Dwrite, 1D, (), __ockl_image_store_1D(i, x, texel));
__hw_surf_read(surf2Dread, 2D, (, int y), __ockl_image_load_2D(i, __hw_pixel(x, y)));
__hw_surf_write(surf2Dwrite, 2D, (, int y), __ockl_image_store_2D(i, __hw_pixel(x, y), texel));
__hw_surf_read(surf3Dread, 3D, (, int y, int z), __ockl_image_load_3D(i, __hw_pixel(x, y, z)));
__hw_surf_write(surf3Dwrite, 3D, (, int y, int z),
                __ockl_image_store_3D(i, __hw_pixel(x, y, z), texel));

__hw_surf_read(surf1DLayeredread, 1D, (, int layer), __ockl_image_load_lod_1D(i, x, layer));
__hw_surf_write(surf1DLayeredwrite, 1D, (, int layer),
                __ockl_image_store_lod_1D(i, x, layer, texel));
__hw_surf_read(surf2DLayeredread, 2D, (, int y, int layer),
               __ockl_image_load_lod_2D(i, __hw_pixel(x, y), layer));
__hw_surf_write(surf2DLayeredwrite, 2D, (, int y, int layer),
                __ockl_image_store_lod_2D(i, __hw_pixel(x, y), layer, texel));

__hw_surf_read(surfCubemapread, 2D, (, int y, int face),
               __ockl_image_load_CM(i, __hw_pixel(x, y), face));
__hw_surf_write(surfCubemapwrite, 2D, (, int y, int face),
                __ockl_image_store_CM(i, __hw_pixel(x, y), face, texel));
__hw_surf_read(surfCubemapLayeredread, 2D, (, int y, int face, int layer),
               __ockl_image_load_lod_CM(i, __hw_pixel(x, y), face, layer));
template <__hw_texels>
void surfCubemapLayeredwrite(T*, hipSurfaceObject_t, int, int, int, int) = delete;

#undef __hw_pixel
#undef __hw_surf_write
#undef __hw_surf_read
#undef __hw_find_texel
#undef __hw_list
#undef __hw_texels

#endif
