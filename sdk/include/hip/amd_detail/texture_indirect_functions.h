// SPDX-License-Identifier: MIT
// Reading texture objects: v = tex2D<T>(object, x, y), and tex2D(&v, object, x, y).
//
// Some of these do in ROCm 6.4 what their name does not say. They do the same here, so that a port
// shows it: the Layered*Lod functions ignore the level, texCubemap*Grad return zeros, tex2Dgather
// counts components from 1, and the pointer forms of tex2DLayered and tex2Dgather do not compile.
#pragma once

#if defined(__cplusplus)

#include <hip/amd_detail/texel.h>
#include <hip/amd_detail/texture_fetch_functions.h>
#include <hip/hip_texture_types.h>

#define __hw_texels \
  typename T, typename std::enable_if<__hip_detail::texel_traits<T>::valid>::type* = nullptr
#define __hw_list(...) __VA_ARGS__

// Both forms of one function; `texels` may use i, the image, and s, the sampler.
#define __hw_tex(name, params, args, texels)                                            \
  __hw_tex_value(name, params, texels);                                                 \
  template <__hw_texels>                                                                \
  static __device__ __hip_img_chk__ void name(T* ptr, hipTextureObject_t textureObject, \
                                              __hw_list params) {                       \
    *ptr = name<T>(textureObject, __hw_list args);                                      \
  }
#define __hw_tex_value(name, params, texels)                                                     \
  template <__hw_texels>                                                                         \
  static __device__ __hip_img_chk__ T name(hipTextureObject_t textureObject, __hw_list params) { \
    __attribute__((unused)) auto i = (__hip_detail::image_pointer)textureObject;                 \
    __attribute__((unused)) auto s = i + HIP_SAMPLER_OBJECT_OFFSET_DWORD;                        \
    return __hip_detail::texel<T>::read(texels);                                                 \
  }
#define __hw_at __hip_detail::at

__hw_tex(tex1Dfetch, (int x), (x), __ockl_image_load_1Db(i, x));
__hw_tex(tex1D, (float x), (x), __ockl_image_sample_1D(i, s, x));
__hw_tex(tex2D, (float x, float y), (x, y), __ockl_image_sample_2D(i, s, __hw_at(x, y)));
__hw_tex(tex3D, (float x, float y, float z), (x, y, z),
         __ockl_image_sample_3D(i, s, __hw_at(x, y, z)));
__hw_tex(texCubemap, (float x, float y, float z), (x, y, z),
         __ockl_image_sample_CM(i, s, __hw_at(x, y, z)));

__hw_tex(tex1DLayered, (float x, int layer), (x, layer),
         __ockl_image_sample_1Da(i, s, __hw_at(x, layer)));
__hw_tex_value(tex2DLayered, (float x, float y, int layer),
               __ockl_image_sample_2Da(i, s, __hw_at(x, y, layer)));
template <__hw_texels>
void tex2DLayered(T*, hipTextureObject_t, float, float, int) = delete;
__hw_tex(texCubemapLayered, (float x, float y, float z, int layer), (x, y, z, layer),
         __ockl_image_sample_CMa(i, s, __hw_at(x, y, z, layer)));

__hw_tex(tex1DLod, (float x, float level), (x, level), __ockl_image_sample_lod_1D(i, s, x, level));
__hw_tex(tex2DLod, (float x, float y, float level), (x, y, level),
         __ockl_image_sample_lod_2D(i, s, __hw_at(x, y), level));
__hw_tex(tex3DLod, (float x, float y, float z, float level), (x, y, z, level),
         __ockl_image_sample_lod_3D(i, s, __hw_at(x, y, z), level));
__hw_tex(texCubemapLod, (float x, float y, float z, float level), (x, y, z, level),
         __ockl_image_sample_lod_CM(i, s, __hw_at(x, y, z), level));
__hw_tex(tex1DLayeredLod, (float x, int layer, float level), (x, layer, level),
         ((void)level, __ockl_image_sample_1Da(i, s, __hw_at(x, layer))));
__hw_tex(tex2DLayeredLod, (float x, float y, int layer, float level), (x, y, layer, level),
         ((void)level, __ockl_image_sample_2Da(i, s, __hw_at(x, y, layer))));
__hw_tex(texCubemapLayeredLod, (float x, float y, float z, int layer, float level),
         (x, y, z, layer, level),
         __ockl_image_sample_lod_CMa(i, s, __hw_at(x, y, z, layer), level));

__hw_tex(tex1DGrad, (float x, float dPdx, float dPdy), (x, dPdx, dPdy),
         __ockl_image_sample_grad_1D(i, s, x, dPdx, dPdy));
__hw_tex(tex2DGrad, (float x, float y, float2 dPdx, float2 dPdy), (x, y, dPdx, dPdy),
         __ockl_image_sample_grad_2D(i, s, __hw_at(x, y), __hw_at(dPdx), __hw_at(dPdy)));
__hw_tex(tex3DGrad, (float x, float y, float z, float4 dPdx, float4 dPdy), (x, y, z, dPdx, dPdy),
         __ockl_image_sample_grad_3D(i, s, __hw_at(x, y, z), __hw_at(dPdx), __hw_at(dPdy)));
__hw_tex(tex1DLayeredGrad, (float x, int layer, float dPdx, float dPdy), (x, layer, dPdx, dPdy),
         __ockl_image_sample_grad_1Da(i, s, __hw_at(x, layer), dPdx, dPdy));
__hw_tex(tex2DLayeredGrad, (float x, float y, int layer, float2 dPdx, float2 dPdy),
         (x, y, layer, dPdx, dPdy),
         __ockl_image_sample_grad_2Da(i, s, __hw_at(x, y, layer), __hw_at(dPdx), __hw_at(dPdy)));

// One channel of the four texels around (x, y)
__hw_tex_value(tex2Dgather, (float x, float y, int comp = 0),
               comp == 1   ? __ockl_image_gather4r_2D(i, s, __hw_at(x, y))
               : comp == 2 ? __ockl_image_gather4g_2D(i, s, __hw_at(x, y))
               : comp == 3 ? __ockl_image_gather4b_2D(i, s, __hw_at(x, y))
                           : __ockl_image_gather4a_2D(i, s, __hw_at(x, y)));
template <__hw_texels>
void tex2Dgather(T*, hipTextureObject_t, float, float, int = 0) = delete;

#undef __hw_at
#undef __hw_tex_value
#undef __hw_tex
#undef __hw_list

// The device libraries have no derivatives for cube maps.

template <__hw_texels>
static __device__ __hip_img_chk__ T texCubemapGrad(hipTextureObject_t, float, float, float, float4,
                                                   float4) {
  return {};
}
template <__hw_texels>
static __device__ __hip_img_chk__ void texCubemapGrad(T* ptr, hipTextureObject_t, float, float,
                                                      float, float4, float4) {
  *ptr = {};
}
template <__hw_texels>
static __device__ __hip_img_chk__ T texCubemapLayeredGrad(hipTextureObject_t, float, float, float,
                                                          int, float4, float4) {
  return {};
}
template <__hw_texels>
static __device__ __hip_img_chk__ void texCubemapLayeredGrad(T* ptr, hipTextureObject_t, float,
                                                             float, float, int, float4, float4) {
  *ptr = {};
}

#undef __hw_texels

#endif
