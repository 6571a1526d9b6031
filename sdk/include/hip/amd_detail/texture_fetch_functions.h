// SPDX-License-Identifier: MIT
// Reading texture references: tex2D(reference, x, y). With hipReadModeNormalizedFloat 8- and 16-bit
// integers come back as floats in [0, 1] or [-1, 1].
#pragma once

#if defined(__cplusplus)

#include <hip/amd_detail/texel.h>
#include <hip/hip_texture_types.h>

namespace __hip_detail {

template <typename T, hipTextureReadMode mode, typename = void>
struct texture_value {};
template <typename T>
struct texture_value<T, hipReadModeElementType,
                     typename std::enable_if<texel_traits<T>::valid>::type> {
  using type = T;
};
template <typename T>
struct texture_value<T, hipReadModeNormalizedFloat,
                     typename std::enable_if<texel_traits<T>::normalized>::type> {
  using type = typename texel_traits<T>::template of<float>;
};

// Gathering gives one channel of four texels.
template <typename T, hipTextureReadMode mode, typename = void>
struct gathered_value {};
template <typename T>
struct gathered_value<T, hipReadModeElementType,
                      typename std::enable_if<texel_traits<T>::valid>::type> {
  using type = HIP_vector_type<typename texel_traits<T>::channel_type, 4>;
};
template <typename T>
struct gathered_value<T, hipReadModeNormalizedFloat,
                      typename std::enable_if<texel_traits<T>::normalized>::type> {
  using type = float4;
};

}  // namespace __hip_detail

#define __hw_list(...) __VA_ARGS__

// `texels` may use i, the image, and s, the sampler.
#define __hw_tex_as(value, name, texture_type, params, texels)                                 \
  template <typename T, hipTextureReadMode readMode>                                           \
  static __forceinline__ __device__ __hip_img_chk__                                            \
      typename __hip_detail::value<T, readMode>::type                                          \
      name(texture<T, texture_type, readMode> t, __hw_list params) {                           \
    __attribute__((unused)) auto i = (__hip_detail::image_pointer)t.textureObject;             \
    __attribute__((unused)) auto s = i + HIP_SAMPLER_OBJECT_OFFSET_DWORD;                      \
    return __hip_detail::texel<typename __hip_detail::value<T, readMode>::type>::read(texels); \
  }
#define __hw_tex(name, texture_type, params, texels) \
  __hw_tex_as(texture_value, name, texture_type, params, texels)
#define __hw_at __hip_detail::at

__hw_tex(tex1Dfetch, hipTextureType1D, (int x), __ockl_image_load_1Db(i, x));
__hw_tex(tex1D, hipTextureType1D, (float x), __ockl_image_sample_1D(i, s, x));
__hw_tex(tex2D, hipTextureType2D, (float x, float y), __ockl_image_sample_2D(i, s, __hw_at(x, y)));
__hw_tex(tex3D, hipTextureType3D, (float x, float y, float z),
         __ockl_image_sample_3D(i, s, __hw_at(x, y, z)));
__hw_tex(texCubemap, hipTextureTypeCubemap, (float x, float y, float z),
         __ockl_image_sample_CM(i, s, __hw_at(x, y, z)));

__hw_tex(tex1DLayered, hipTextureType1DLayered, (float x, int layer),
         __ockl_image_sample_1Da(i, s, __hw_at(x, layer)));
__hw_tex(tex2DLayered, hipTextureType2DLayered, (float x, float y, int layer),
         __ockl_image_sample_2Da(i, s, __hw_at(x, y, layer)));
__hw_tex(texCubemapLayered, hipTextureTypeCubemapLayered, (float x, float y, float z, int layer),
         __ockl_image_sample_CMa(i, s, __hw_at(x, y, z, layer)));

__hw_tex(tex1DLod, hipTextureType1D, (float x, float level),
         __ockl_image_sample_lod_1D(i, s, x, level));
__hw_tex(tex2DLod, hipTextureType2D, (float x, float y, float level),
         __ockl_image_sample_lod_2D(i, s, __hw_at(x, y), level));
__hw_tex(tex3DLod, hipTextureType3D, (float x, float y, float z, float level),
         __ockl_image_sample_lod_3D(i, s, __hw_at(x, y, z), level));
__hw_tex(texCubemapLod, hipTextureTypeCubemap, (float x, float y, float z, float level),
         __ockl_image_sample_lod_CM(i, s, __hw_at(x, y, z), level));
__hw_tex(tex1DLayeredLod, hipTextureType1DLayered, (float x, int layer, float level),
         __ockl_image_sample_lod_1Da(i, s, __hw_at(x, layer), level));
__hw_tex(tex2DLayeredLod, hipTextureType2DLayered, (float x, float y, int layer, float level),
         __ockl_image_sample_lod_2Da(i, s, __hw_at(x, y, layer), level));
__hw_tex(texCubemapLayeredLod, hipTextureTypeCubemapLayered,
         (float x, float y, float z, int layer, float level),
         __ockl_image_sample_lod_CMa(i, s, __hw_at(x, y, z, layer), level));

__hw_tex(tex1DGrad, hipTextureType1D, (float x, float dPdx, float dPdy),
         __ockl_image_sample_grad_1D(i, s, x, dPdx, dPdy));
__hw_tex(tex2DGrad, hipTextureType2D, (float x, float y, float2 dPdx, float2 dPdy),
         __ockl_image_sample_grad_2D(i, s, __hw_at(x, y), __hw_at(dPdx), __hw_at(dPdy)));
__hw_tex(tex3DGrad, hipTextureType3D, (float x, float y, float z, float4 dPdx, float4 dPdy),
         __ockl_image_sample_grad_3D(i, s, __hw_at(x, y, z), __hw_at(dPdx), __hw_at(dPdy)));
__hw_tex(tex1DLayeredGrad, hipTextureType1DLayered, (float x, int layer, float dPdx, float dPdy),
         __ockl_image_sample_grad_1Da(i, s, __hw_at(x, layer), dPdx, dPdy));
__hw_tex(tex2DLayeredGrad, hipTextureType2DLayered,
         (float x, float y, int layer, float2 dPdx, float2 dPdy),
         __ockl_image_sample_grad_2Da(i, s, __hw_at(x, y, layer), __hw_at(dPdx), __hw_at(dPdy)));

// One channel of the four texels around (x, y)
__hw_tex_as(gathered_value, tex2Dgather, hipTextureType2D, (float x, float y, int comp = 0),
            comp == 1   ? __ockl_image_gather4g_2D(i, s, __hw_at(x, y))
            : comp == 2 ? __ockl_image_gather4b_2D(i, s, __hw_at(x, y))
            : comp == 3 ? __ockl_image_gather4a_2D(i, s, __hw_at(x, y))
                        : __ockl_image_gather4r_2D(i, s, __hw_at(x, y)));

#undef __hw_at
#undef __hw_tex
#undef __hw_tex_as
#undef __hw_list

// The device libraries have no derivatives for cube maps: ROCm 6.4 returns zeros.

template <typename T, hipTextureReadMode readMode>
static __forceinline__ __device__ __hip_img_chk__
    typename __hip_detail::texture_value<T, readMode>::type
    texCubemapGrad(texture<T, hipTextureTypeCubemap, readMode>, float, float, float, float4,
                   float4) {
  return {};
}
template <typename T, hipTextureReadMode readMode>
static __forceinline__ __device__ __hip_img_chk__
    typename __hip_detail::texture_value<T, readMode>::type
    texCubemapLayeredGrad(texture<T, hipTextureTypeCubemapLayered, readMode>, float, float, float,
                          int, float4, float4) {
  return {};
}

#endif
