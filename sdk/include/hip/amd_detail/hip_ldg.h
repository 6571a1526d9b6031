// SPDX-License-Identifier: MIT
// __ldg: a load through the read-only cache on NVIDIA GPUs, a plain load here.
#pragma once

#if defined(__clang__) && defined(__HIP__)

#include <hip/amd_detail/amd_hip_vector_types.h>
#include <hip/amd_detail/host_defines.h>

#define __hw_ldg(T)                                \
  __device__ inline static T __ldg(const T* ptr) { \
    return *ptr;                                   \
  }

__hw_ldg(char);
__hw_ldg(char2);
__hw_ldg(char4);
__hw_ldg(signed char);
__hw_ldg(unsigned char);
__hw_ldg(uchar2);
__hw_ldg(uchar4);
__hw_ldg(short);
__hw_ldg(short2);
__hw_ldg(short4);
__hw_ldg(unsigned short);
__hw_ldg(ushort2);
__hw_ldg(int);
__hw_ldg(int2);
__hw_ldg(int4);
__hw_ldg(unsigned int);
__hw_ldg(uint2);
__hw_ldg(uint4);
__hw_ldg(long);
__hw_ldg(unsigned long);
__hw_ldg(long long);
__hw_ldg(longlong2);
__hw_ldg(unsigned long long);
__hw_ldg(ulonglong2);
__hw_ldg(float);
__hw_ldg(float2);
__hw_ldg(float4);
__hw_ldg(double);
__hw_ldg(double2);

#undef __hw_ldg

#endif
