// SPDX-License-Identifier: MIT
// Integer intrinsics: bit counting and moving, wide and narrow multiplication, averages.
#pragma once

#include <hip/amd_detail/host_defines.h>

// Bit counting

__device__ static inline unsigned int __popc(unsigned int input) {
  return static_cast<unsigned int>(__builtin_popcount(input));
}
__device__ static inline unsigned int __popcll(unsigned long long int input) {
  return static_cast<unsigned int>(__builtin_popcountll(input));
}
__device__ static inline int __clz(int input) {
  return __builtin_clzg(static_cast<unsigned int>(input), 32);
}
__device__ static inline int __clzll(long long int input) {
  return __builtin_clzg(static_cast<unsigned long long>(input), 64);
}
__device__ static inline int __ffs(unsigned int input) {
  return __builtin_ctzg(input, -1) + 1;
}
__device__ static inline int __ffs(int input) {
  return __ffs(static_cast<unsigned int>(input));
}
__device__ static inline int __ffsll(unsigned long long int input) {
  return __builtin_ctzg(input, -1) + 1;
}
__device__ static inline int __ffsll(long long int input) {
  return __ffsll(static_cast<unsigned long long>(input));
}
__device__ static inline unsigned int __lastbit_u32_u64(__hw_uint64 input) {
  return static_cast<unsigned int>(__builtin_ctzg(input, -1));
}

namespace __hip_detail {
// Position of the offset-th set bit counted from `base`, upward; -1 if there are not so many.
template <typename Mask>
__device__ inline int find_nth_set_above(Mask mask, unsigned int base, int offset) {
  mask &= ~Mask{0} << base;
  for (; offset > 1 && mask != 0; --offset) mask &= mask - 1;
  return __builtin_ctzg(mask, -1);
}
}  // namespace __hip_detail

// Find the offset-th set bit from bit `base`: upward if offset > 0, downward if offset < 0, `base`
// itself if 0.
__device__ static inline __INT32_TYPE__ __fns64(__hw_uint64 mask, __UINT32_TYPE__ base,
                                                __INT32_TYPE__ offset) {
  if (offset == 0) return (mask >> base) & 1 ? static_cast<int>(base) : -1;
  if (offset > 0) return __hip_detail::find_nth_set_above(mask, base, offset);
  int mirrored = __hip_detail::find_nth_set_above<__hw_uint64>(__builtin_bitreverse64(mask),
                                                               63 - base, -offset);
  return mirrored < 0 ? -1 : 63 - mirrored;
}
#if __HW_ROCM < 700
using __hw_fns32_mask = __UINT32_TYPE__;
#else
using __hw_fns32_mask = unsigned long long;
#endif
__device__ static inline __INT32_TYPE__ __fns32(__hw_fns32_mask bits, __UINT32_TYPE__ base,
                                                __INT32_TYPE__ offset) {
  const auto mask = static_cast<__UINT32_TYPE__>(bits);
  if (offset == 0) return (mask >> base) & 1 ? static_cast<int>(base) : -1;
  if (offset > 0) return __hip_detail::find_nth_set_above(mask, base, offset);
  int mirrored = __hip_detail::find_nth_set_above<__UINT32_TYPE__>(__builtin_bitreverse32(mask),
                                                                   31 - base, -offset);
  return mirrored < 0 ? -1 : 31 - mirrored;
}
__device__ static inline __INT32_TYPE__ __fns(unsigned int mask, unsigned int base, int offset) {
  return __fns32(mask, base, offset);
}

// Bit moving

__device__ static inline unsigned int __brev(unsigned int input) {
  return __builtin_bitreverse32(input);
}
__device__ static inline unsigned long long int __brevll(unsigned long long int input) {
  return __builtin_bitreverse64(input);
}

// Offset and width are taken modulo the operand's size, so a full-width field reads as width 0.
__device__ static inline unsigned int __bitextract_u32(unsigned int src0, unsigned int src1,
                                                       unsigned int src2) {
  return (src0 >> (src1 & 31)) & ((1u << (src2 & 31)) - 1);
}
__device__ static inline __hw_uint64 __bitextract_u64(__hw_uint64 src0, unsigned int src1,
                                                      unsigned int src2) {
  return (src0 >> (src1 & 63)) & ((1ull << (src2 & 63)) - 1);
}
__device__ static inline unsigned int __bitinsert_u32(unsigned int src0, unsigned int src1,
                                                      unsigned int src2, unsigned int src3) {
  unsigned int field = (1u << (src3 & 31)) - 1;
  return (src0 & ~(field << (src2 & 31))) | ((src1 & field) << (src2 & 31));
}
__device__ static inline __hw_uint64 __bitinsert_u64(__hw_uint64 src0, __hw_uint64 src1,
                                                     unsigned int src2, unsigned int src3) {
  __hw_uint64 field = (1ull << (src3 & 63)) - 1;
  return (src0 & ~(field << (src2 & 63))) | ((src1 & field) << (src2 & 63));
}

__device__ inline unsigned int __funnelshift_l(unsigned int lo, unsigned int hi,
                                               unsigned int shift) {
  return __builtin_elementwise_fshl(hi, lo, shift);
}
__device__ inline unsigned int __funnelshift_lc(unsigned int lo, unsigned int hi,
                                                unsigned int shift) {
  return shift >= 32 ? lo : __builtin_elementwise_fshl(hi, lo, shift);
}
__device__ inline unsigned int __funnelshift_r(unsigned int lo, unsigned int hi,
                                               unsigned int shift) {
  return __builtin_elementwise_fshr(hi, lo, shift);
}
__device__ inline unsigned int __funnelshift_rc(unsigned int lo, unsigned int hi,
                                                unsigned int shift) {
  return shift >= 32 ? hi : __builtin_elementwise_fshr(hi, lo, shift);
}

// Each of the four selector nibbles picks one of the eight bytes of y:x. The nibble's top bit,
// which CUDA uses to spread the byte's sign, is ignored.
__device__ static inline unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int s) {
  unsigned int selector = (s & 0x7) | (s & 0x70) << 4 | (s & 0x700) << 8 | (s & 0x7000) << 12;
  return __builtin_amdgcn_perm(y, x, selector);
}

// Multiplication

__device__ static inline int __mul24(int x, int y) {
  // Shifting up through unsigned leaves the low 24 bits of each factor, sign-extended.
  return (static_cast<int>(static_cast<unsigned int>(x) << 8) >> 8) *
         (static_cast<int>(static_cast<unsigned int>(y) << 8) >> 8);
}
__device__ static inline int __umul24(unsigned int x, unsigned int y) {
  return static_cast<int>((x & 0xffffff) * (y & 0xffffff));
}
__device__ static inline int __mulhi(int x, int y) {
  return static_cast<int>((static_cast<long long>(x) * y) >> 32);
}
__device__ static inline unsigned int __umulhi(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(x) * y) >> 32);
}
__device__ static inline long long int __mul64hi(long long int x, long long int y) {
  return static_cast<long long>((static_cast<__int128>(x) * y) >> 64);
}
__device__ static inline unsigned long long int __umul64hi(unsigned long long int x,
                                                           unsigned long long int y) {
  return static_cast<unsigned long long>((static_cast<unsigned __int128>(x) * y) >> 64);
}

// Averages, rounded down (hadd) or up (rhadd), and sums of absolute differences

__device__ static inline int __hadd(int x, int y) {
  return static_cast<int>((static_cast<long long>(x) + y) >> 1);
}
__device__ static inline int __rhadd(int x, int y) {
  return static_cast<int>((static_cast<long long>(x) + y + 1) >> 1);
}
__device__ static inline unsigned int __uhadd(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(x) + y) >> 1);
}
__device__ static inline unsigned int __urhadd(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(x) + y + 1) >> 1);
}
__device__ static inline unsigned int __sad(int x, int y, unsigned int z) {
  unsigned int ux = static_cast<unsigned int>(x), uy = static_cast<unsigned int>(y);
  return (x > y ? ux - uy : uy - ux) + z;
}
__device__ static inline unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) {
  return (x > y ? x - y : y - x) + z;
}

// Number of set bits of x below the calling lane, plus y: lanes 0-31 (lo), then lanes 32-63 (hi)

__device__ static inline unsigned int __mbcnt_lo(unsigned int x, unsigned int y) {
  return __builtin_amdgcn_mbcnt_lo(x, y);
}
__device__ static inline unsigned int __mbcnt_hi(unsigned int x, unsigned int y) {
  return __builtin_amdgcn_mbcnt_hi(x, y);
}
