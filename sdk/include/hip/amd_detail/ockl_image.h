// SPDX-License-Identifier: MIT
// The device library's image functions. Name endings: a = array (layered), b = buffer, d = depth,
// CM = cube map. The array layer is the coordinate after the last one; unused coordinates of a
// vector of four are ignored.
#pragma once

#include <hip/amd_detail/amd_hip_vector_types.h>

#define ADDRESS_SPACE_CONSTANT __attribute__((address_space(4)))

extern "C" {

#define __hw_image unsigned int ADDRESS_SPACE_CONSTANT* i
#define __hw_sampler unsigned int ADDRESS_SPACE_CONSTANT* s
#define __hw_texel float4::Native_vec_
#define __hw_int2 int2::Native_vec_
#define __hw_int4 int4::Native_vec_
#define __hw_float2 float2::Native_vec_
#define __hw_float4 float4::Native_vec_

// Load and store by integer coordinates, and from a mip level

__device__ __hw_texel __ockl_image_load_1Db(__hw_image, int c);

#define __hw_load_store(dim, ...)                                                    \
  __device__ __hw_texel __ockl_image_load_##dim(__hw_image, __VA_ARGS__);            \
  __device__ __hw_texel __ockl_image_load_lod_##dim(__hw_image, __VA_ARGS__, int l); \
  __device__ void __ockl_image_store_##dim(__hw_image, __VA_ARGS__, __hw_texel p);   \
  __device__ void __ockl_image_store_lod_##dim(__hw_image, __VA_ARGS__, int l, __hw_texel p)
__hw_load_store(1D, int c);
__hw_load_store(1Da, __hw_int2 c);
__hw_load_store(2D, __hw_int2 c);
__hw_load_store(2Da, __hw_int4 c);
__hw_load_store(3D, __hw_int4 c);
__hw_load_store(CM, __hw_int2 c, int f);
__hw_load_store(CMa, __hw_int4 c, int f);
#undef __hw_load_store

// Sample with filtering; with a mip level; with derivatives, which cube maps have not

#define __hw_sample(dim, C)                                                       \
  __device__ __hw_texel __ockl_image_sample_##dim(__hw_image, __hw_sampler, C c); \
  __device__ __hw_texel __ockl_image_sample_lod_##dim(__hw_image, __hw_sampler, C c, float l)
#define __hw_sample_grad(dim, C, D) \
  __device__ __hw_texel __ockl_image_sample_grad_##dim(__hw_image, __hw_sampler, C c, D dx, D dy)
__hw_sample(1D, float);
__hw_sample(1Da, __hw_float2);
__hw_sample(2D, __hw_float2);
__hw_sample(2Da, __hw_float4);
__hw_sample(3D, __hw_float4);
__hw_sample(CM, __hw_float4);
__hw_sample(CMa, __hw_float4);
__hw_sample_grad(1D, float, float);
__hw_sample_grad(1Da, __hw_float2, float);
__hw_sample_grad(2D, __hw_float2, __hw_float2);
__hw_sample_grad(2Da, __hw_float4, __hw_float2);
__hw_sample_grad(3D, __hw_float4, __hw_float4);
#undef __hw_sample_grad
#undef __hw_sample

// One channel of the four texels around a point

__device__ __hw_texel __ockl_image_gather4r_2D(__hw_image, __hw_sampler, __hw_float2 c);
__device__ __hw_texel __ockl_image_gather4g_2D(__hw_image, __hw_sampler, __hw_float2 c);
__device__ __hw_texel __ockl_image_gather4b_2D(__hw_image, __hw_sampler, __hw_float2 c);
__device__ __hw_texel __ockl_image_gather4a_2D(__hw_image, __hw_sampler, __hw_float2 c);

// Format of the texels, in HSA's numbering

#define __hw_format(dim)                                           \
  __device__ int __ockl_image_channel_data_type_##dim(__hw_image); \
  __device__ int __ockl_image_channel_order_##dim(__hw_image)
__hw_format(1D);
__hw_format(1Da);
__hw_format(1Db);
__hw_format(2D);
__hw_format(2Da);
__hw_format(2Dad);
__hw_format(2Dd);
__hw_format(3D);
__hw_format(CM);
__hw_format(CMa);
#undef __hw_format

#undef __hw_float4
#undef __hw_float2
#undef __hw_int4
#undef __hw_int2
#undef __hw_texel
#undef __hw_sampler
#undef __hw_image

}  // extern "C"
