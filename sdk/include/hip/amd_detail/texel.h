// SPDX-License-Identifier: MIT
// Which types a texture or surface can hold, and how they travel in the four 32-bit channels of the
// image functions.
#pragma once

#if defined(__cplusplus)

#include <hip/amd_detail/amd_hip_vector_types.h>
#include <hip/amd_detail/ockl_image.h>

#if !defined(__HIPCC_RTC__)
#include <type_traits>
#endif

namespace __hip_detail {

template <typename T>
struct is_normalized_channel {
  static constexpr bool value =
      std::is_same<T, char>::value || std::is_same<T, unsigned char>::value ||
      std::is_same<T, short>::value || std::is_same<T, unsigned short>::value;
};

template <typename T>
struct is_channel {
  static constexpr bool value = is_normalized_channel<T>::value || std::is_same<T, int>::value ||
                                std::is_same<T, unsigned int>::value ||
                                std::is_same<T, float>::value;
};

// One channel: 32-bit types as they are, narrower ones as int.
template <typename T, bool narrow = (sizeof(T) < 4)>
struct channel {
  static __device__ T read(float c) { return __builtin_bit_cast(T, c); }
  static __device__ float write(T v) { return __builtin_bit_cast(float, v); }
};
template <typename T>
struct channel<T, true> {
  static __device__ T read(float c) { return static_cast<T>(__builtin_bit_cast(int, c)); }
  static __device__ float write(T v) { return __builtin_bit_cast(float, static_cast<int>(v)); }
};

// A texel: a channel type or a vector of 1, 2 or 4 of them.
template <typename T>
struct texel {
  using native = float4::Native_vec_;
  static __device__ T read(native c) { return channel<T>::read(c[0]); }
  static __device__ native write(T v) { return native{channel<T>::write(v), 0, 0, 0}; }
};

template <typename T, unsigned int rank>
struct texel<HIP_vector_type<T, rank>> {
  using native = float4::Native_vec_;
  static __device__ HIP_vector_type<T, rank> read(native c) {
    HIP_vector_type<T, rank> v;
    for (unsigned int i = 0; i != rank; ++i) __hw_native(v)[i] = channel<T>::read(c[i]);
    return v;
  }
  static __device__ native write(const HIP_vector_type<T, rank>& v) {
    native c{0, 0, 0, 0};
    for (unsigned int i = 0; i != rank; ++i) c[i] = channel<T>::write(__hw_native(v)[i]);
    return c;
  }
};

template <typename T>
struct texel_traits {
  using channel_type = T;
  static constexpr bool valid = is_channel<T>::value;
  static constexpr bool normalized = is_normalized_channel<T>::value;
  template <typename U>
  using of = U;
};
template <typename T, unsigned int rank>
struct texel_traits<HIP_vector_type<T, rank>> {
  using channel_type = T;
  static constexpr bool valid = is_channel<T>::value && rank != 3;
  static constexpr bool normalized = is_normalized_channel<T>::value && rank != 3;
  template <typename U>
  using of = HIP_vector_type<U, rank>;
};

using image_pointer = unsigned int ADDRESS_SPACE_CONSTANT*;

// Coordinates as the image functions want them
__device__ inline float2::Native_vec_ at(float x, float y) {
  return {x, y};
}
__device__ inline float4::Native_vec_ at(float x, float y, float z, float w = 0) {
  return {x, y, z, w};
}
__device__ inline float2::Native_vec_ at(float2 v) {
  return {v.x, v.y};
}
__device__ inline float4::Native_vec_ at(float4 v) {
  return {v.x, v.y, v.z, 0};
}
__device__ inline int2::Native_vec_ pixel(int x, int y) {
  return {x, y};
}
__device__ inline int4::Native_vec_ pixel(int x, int y, int z) {
  return {x, y, z, 0};
}

}  // namespace __hip_detail

#endif
