// SPDX-License-Identifier: MIT
// Channel formats of textures, by element type.
#pragma once

#include <hip/driver_types.h>
#include <hip/hip_common.h>

#if defined(__cplusplus)

#include <hip/amd_detail/amd_hip_vector_types.h>

extern "C" HIP_PUBLIC_API hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w,
                                                                    hipChannelFormatKind f);

static inline hipChannelFormatDesc hipCreateChannelDescHalf() {
  return hipCreateChannelDesc(16, 0, 0, 0, hipChannelFormatKindFloat);
}

static inline hipChannelFormatDesc hipCreateChannelDescHalf1() {
  return hipCreateChannelDesc(16, 0, 0, 0, hipChannelFormatKindFloat);
}

static inline hipChannelFormatDesc hipCreateChannelDescHalf2() {
  return hipCreateChannelDesc(16, 16, 0, 0, hipChannelFormatKindFloat);
}

static inline hipChannelFormatDesc hipCreateChannelDescHalf4() {
  return hipCreateChannelDesc(16, 16, 16, 16, hipChannelFormatKindFloat);
}

// Types without a texture format get the empty descriptor. So do 3-vectors: AMD has no
// 3-channel image formats.
template <typename T>
static inline hipChannelFormatDesc hipCreateChannelDesc() {
  return hipCreateChannelDesc(0, 0, 0, 0, hipChannelFormatKindNone);
}

#define __HW_CHANNELS(type, x, y, z, w, kind)                            \
  template <>                                                            \
  inline hipChannelFormatDesc hipCreateChannelDesc<type>() {             \
    return hipCreateChannelDesc(x, y, z, w, hipChannelFormatKind##kind); \
  }
#define __HW_VECTORS(stem, bits, kind)           \
  __HW_CHANNELS(stem##1, bits, 0, 0, 0, kind)    \
  __HW_CHANNELS(stem##2, bits, bits, 0, 0, kind) \
  __HW_CHANNELS(stem##4, bits, bits, bits, bits, kind)

__HW_CHANNELS(char, 8, 0, 0, 0, Signed)
__HW_CHANNELS(signed char, 8, 0, 0, 0, Signed)
__HW_CHANNELS(unsigned char, 8, 0, 0, 0, Unsigned)
__HW_CHANNELS(signed short, 16, 0, 0, 0, Signed)
__HW_CHANNELS(unsigned short, 16, 0, 0, 0, Unsigned)
__HW_CHANNELS(signed int, 32, 0, 0, 0, Signed)
__HW_CHANNELS(unsigned int, 32, 0, 0, 0, Unsigned)
__HW_CHANNELS(float, 32, 0, 0, 0, Float)
__HW_VECTORS(char, 8, Signed)
__HW_VECTORS(uchar, 8, Unsigned)
__HW_VECTORS(short, 16, Signed)
__HW_VECTORS(ushort, 16, Unsigned)
__HW_VECTORS(int, 32, Signed)
__HW_VECTORS(uint, 32, Unsigned)
__HW_VECTORS(float, 32, Float)

#undef __HW_VECTORS
#undef __HW_CHANNELS

#else

struct hipChannelFormatDesc hipCreateChannelDesc(int x, int y, int z, int w,
                                                 enum hipChannelFormatKind f);

#endif
