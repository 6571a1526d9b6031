// SPDX-License-Identifier: MIT
// Arithmetic of float4, which CUDA leaves to programs.
#pragma once

#include <vector_functions.h>
#include <vector_types.h>

inline __host__ __device__ float4 operator+(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
inline __host__ __device__ float4 operator-(float4 a, float4 b) {
  return make_float4(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w);
}
inline __host__ __device__ float4 operator*(float s, float4 a) {
  return make_float4(s * a.x, s * a.y, s * a.z, s * a.w);
}
inline __host__ __device__ float4 operator*(float4 a, float s) {
  return s * a;
}
inline __host__ __device__ void operator+=(float4& a, float4 b) {
  a = a + b;
}
inline __host__ __device__ float dot(float4 a, float4 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
