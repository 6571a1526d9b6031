// SPDX-License-Identifier: MIT
// Where on the GPU a wave runs: fields of the hardware registers HW_ID and XCC_ID, and __smid().
#pragma once

#include <hip/amd_detail/host_defines.h>

#if defined(__GFX10__) || defined(__GFX11__) || defined(__GFX12__)
#define HW_ID 23
#define HW_ID_SE_ID_OFFSET 18
#define HW_ID_SA_ID_OFFSET 16
#define HW_ID_SA_ID_SIZE 1
#define HW_ID_WGP_ID_OFFSET 10
#define HW_ID_WGP_ID_SIZE 4
#define HW_ID_CU_ID_OFFSET 8
#define HW_ID_CU_ID_SIZE 1
#else
#define HW_ID 4
#define HW_ID_SE_ID_OFFSET 13
#define HW_ID_CU_ID_OFFSET 8
#define HW_ID_CU_ID_SIZE 4
#endif

#if defined(__gfx908__) || defined(__gfx90a__) || defined(__GFX11__) || defined(__GFX12__)
#define HW_ID_SE_ID_SIZE 3
#else
#define HW_ID_SE_ID_SIZE 2
#endif

#if defined(__gfx942__) || defined(__gfx950__)
#define XCC_ID 20
#define XCC_ID_XCC_ID_SIZE 4
#define XCC_ID_XCC_ID_OFFSET 0
#endif

// Operand of s_getreg: field size minus one, first bit, register
#define GETREG_IMMED(SZ, OFF, REG) (((SZ) << 11) | ((OFF) << 6) | (REG))

#define __hw_field(reg, name) \
  __builtin_amdgcn_s_getreg(GETREG_IMMED(reg##_##name##_SIZE - 1, reg##_##name##_OFFSET, reg))

// The compute unit the wave is on, numbered over the whole GPU (per XCC, shader engine and array).
// It can change while the wave runs.
__device__ inline unsigned __smid(void) {
  unsigned se = __hw_field(HW_ID, SE_ID);
#if defined(__GFX10__) || defined(__GFX11__) || defined(__GFX12__)
  unsigned id = (se << HW_ID_SA_ID_SIZE) | __hw_field(HW_ID, SA_ID);
  id = (id << HW_ID_WGP_ID_SIZE) | __hw_field(HW_ID, WGP_ID);
  return (id << HW_ID_CU_ID_SIZE) | __hw_field(HW_ID, CU_ID);
#else
#if defined(XCC_ID)
  se |= __hw_field(XCC_ID, XCC_ID) << HW_ID_SE_ID_SIZE;
#endif
  return (se << HW_ID_CU_ID_SIZE) | __hw_field(HW_ID, CU_ID);
#endif
}

#undef __hw_field
