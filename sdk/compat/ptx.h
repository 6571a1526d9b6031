// SPDX-License-Identifier: MIT
// PTX instructions without a C++ operator, as defined by the PTX ISA: inline assembly translated by
// hipwright calls these functions. Written by hipwright; part of the ported tree. Warps have 32
// lanes, as in warp32.
#pragma once

#if defined(__HIP__) && defined(__clang__)

#include "hip_compat.h"

namespace hip_ptx {

using hip_compat::bits_as;
using hip_compat::lane_bits;
typedef unsigned int u32;
typedef unsigned long long u64;

// --- bits

template <class T>
__host__ __device__ inline T shl(T value, u32 count) {
  return count < sizeof(T) * 8 ? static_cast<T>(value << count) : T{0};
}
// For signed types the sign remains.
template <class T>
__host__ __device__ inline T shr(T value, u32 count) {
  constexpr u32 last = sizeof(T) * 8 - 1;
  return count <= last  ? static_cast<T>(value >> count)
         : T(-1) < T(0) ? static_cast<T>(value >> last)
                        : T{0};
}
template <class T>
__host__ __device__ inline T bfe(T value, u32 position, u32 length) {
  constexpr u32 bits = sizeof(T) * 8;
  position &= 0xff;
  length &= 0xff;
  if (length == 0) return T{0};
  if (position + length >= bits) return shr(value, position);
  return static_cast<T>(shl(value, bits - position - length) >> (bits - length));
}
template <class T>
__host__ __device__ inline T bfi(T field, T base, u32 position, u32 length) {
  position &= 0xff;
  length &= 0xff;
  T mask = shl(static_cast<T>(length < sizeof(T) * 8 ? shl(T{1}, length) - 1 : ~T{0}), position);
  return (shl(field, position) & mask) | (base & ~mask);
}
// A selector's top bit selects copies of the byte's sign.
__host__ __device__ inline u32 prmt(u32 a, u32 b, u32 selectors) {
  u64 bytes = u64{b} << 32 | a;
  u32 result = 0;
  for (u32 i = 0; i < 4; ++i) {
    u32 selector = selectors >> (4 * i);
    u32 byte = static_cast<u32>(bytes >> (8 * (selector & 7))) & 0xff;
    if ((selector & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return result;
}
// Any function of three bits: `table` is its value for a = 0xf0, b = 0xcc, c = 0xaa.
template <u32 table>
__host__ __device__ inline u32 lop3(u32 a, u32 b, u32 c) {
  u32 result = 0;
  for (u32 i = 0; i < 8; ++i) {
    if ((table >> i & 1) != 0)
      result |= ((i & 4) != 0 ? a : ~a) & ((i & 2) != 0 ? b : ~b) & ((i & 1) != 0 ? c : ~c);
  }
  return result;
}
// The position of the highest bit that is not a copy of the sign; ~0 if there is none.
template <class T>
__host__ __device__ inline u32 bfind(T value) {
  u64 bits = static_cast<u64>(value < T(0) ? ~value : value);
  return bits == 0 ? ~0u : 63u - static_cast<u32>(__builtin_clzll(bits));
}
template <class T>
__host__ __device__ inline u32 bfind_shiftamt(T value) {
  u32 place = bfind(value);
  return place == ~0u ? place : static_cast<u32>(sizeof(T) * 8 - 1) - place;
}

// --- integers

template <class T>
__host__ __device__ inline T sad(T a, T b, T c) {
  return static_cast<T>(static_cast<u64>(c) + (a < b ? static_cast<u64>(b) - static_cast<u64>(a)
                                                     : static_cast<u64>(a) - static_cast<u64>(b)));
}
template <class T>
__host__ __device__ inline T min(T a, T b) {
  return b < a ? b : a;
}
template <class T>
__host__ __device__ inline T max(T a, T b) {
  return a < b ? b : a;
}
// The upper half of a product of 32-bit or 64-bit integers.
template <class T>
__host__ __device__ inline T mul_hi(T a, T b) {
  if constexpr (sizeof(T) == 8) {
    if constexpr (T(-1) < T(0))
      return static_cast<T>(static_cast<__int128>(a) * b >> 64);
    else
      return static_cast<T>(static_cast<unsigned __int128>(a) * b >> 64);
  } else if constexpr (T(-1) < T(0)) {
    return static_cast<T>(static_cast<long long>(a) * b >> (8 * sizeof(T)));
  } else {
    return static_cast<T>(static_cast<u64>(a) * b >> (8 * sizeof(T)));
  }
}
// a + b + in, and a - b - in; `out` is the carry, and may be `in` itself.
template <class T>
__host__ __device__ inline T add_carry(T a, T b, u32 in, u32& out) {
  T sum = a + b;
  T result = sum + in;
  out = (sum < a) | (result < sum);
  return result;
}
template <class T>
__host__ __device__ inline T sub_borrow(T a, T b, u32 in, u32& out) {
  T difference = a - b;
  T result = difference - in;
  out = (a < b) | (difference < in);
  return result;
}
__host__ __device__ inline int add_sat(int a, int b) {
  long long sum = static_cast<long long>(a) + b;
  return static_cast<int>(min(max(sum, -2147483648ll), 2147483647ll));
}
__host__ __device__ inline int sub_sat(int a, int b) {
  long long difference = static_cast<long long>(a) - b;
  return static_cast<int>(min(max(difference, -2147483648ll), 2147483647ll));
}
// Four products of bytes, two of a halfword and a byte; A and B: signed char or unsigned char.
template <class A, class B>
__host__ __device__ inline u32 dp4a(u32 a, u32 b, u32 c) {
  for (u32 i = 0; i < 32; i += 8)
    c += static_cast<u32>(int{static_cast<A>(a >> i)} * int{static_cast<B>(b >> i)});
  return c;
}
template <class A, class B>
__host__ __device__ inline u32 dp2a(u32 a, u32 b, u32 c) {
  for (u32 i = 0; i < 2; ++i)
    c += static_cast<u32>(static_cast<A>(a >> (16 * i))) *
         static_cast<u32>(static_cast<B>(b >> (8 * i)));
  return c;
}
// The nearest value of a narrower integer type.
template <class To, class From>
__host__ __device__ inline To clamped(From value) {
  constexpr bool is_signed = To(-1) < To(0);
  constexpr u64 top = ~0ull >> (64 - sizeof(To) * 8 + (is_signed ? 1 : 0));
  if (value < From(0)) {
    if (!is_signed) return To{0};
    constexpr long long lowest = -static_cast<long long>(top >> (is_signed ? 0 : 1)) - 1;
    return static_cast<long long>(value) < lowest ? static_cast<To>(lowest)
                                                  : static_cast<To>(value);
  }
  return static_cast<u64>(value) > top ? static_cast<To>(top) : static_cast<To>(value);
}

// --- floats

typedef _Float16 f16x2 __attribute__((ext_vector_type(2)));

// To [0, 1]; NaN becomes 0.
template <class T>
__host__ __device__ inline T saturated(T value) {
  return value > T(0) ? (value < T(1) ? value : T(1)) : T(0);
}
// From a value already rounded to an integer.
template <class To, class From>
__host__ __device__ inline To to_integer(From value) {
  constexpr bool is_signed = To(-1) < To(0);
  constexpr int bits = sizeof(To) * 8 - (is_signed ? 1 : 0);
  if (value != value)
    return sizeof(From) == 8 || sizeof(To) == 8 ? static_cast<To>(1ull << (sizeof(To) * 8 - 1))
                                                : To{0};
  From limit = static_cast<From>(2) * static_cast<From>(1ull << (bits - 1));
  constexpr u64 top = ~0ull >> (64 - bits);
  if (value >= limit) return static_cast<To>(top);
  if (value < (is_signed ? -limit : From(0))) return is_signed ? static_cast<To>(~top) : To{0};
  return static_cast<To>(value);
}
// Results that no fused instruction may replace.
template <class T>
__host__ __device__ inline T add_rn(T a, T b) {
#pragma clang fp contract(off)
  return a + b;
}
template <class T>
__host__ __device__ inline T mul_rn(T a, T b) {
#pragma clang fp contract(off)
  return a * b;
}
// NaN if either operand is NaN.
__host__ __device__ inline float min_nan(float a, float b) {
  return a != a || b != b ? __builtin_nanf("") : __builtin_fminf(a, b);
}
__host__ __device__ inline float max_nan(float a, float b) {
  return a != a || b != b ? __builtin_nanf("") : __builtin_fmaxf(a, b);
}

__host__ __device__ inline float f16_value(unsigned short bits) {
  return static_cast<float>(bits_as<_Float16>(bits));
}
__host__ __device__ inline unsigned short f16_bits(float value) {
  return bits_as<unsigned short>(static_cast<_Float16>(value));
}
__host__ __device__ inline float bf16_value(unsigned short bits) {
  return bits_as<float>(u32{bits} << 16);
}
__host__ __device__ inline unsigned short bf16_bits(float value) {
  u32 bits = bits_as<u32>(value);
  if (value != value) return 0x7fff;
  return static_cast<unsigned short>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
// Towards zero: drops the bits that do not fit.
__host__ __device__ inline unsigned short bf16_bits_rz(float value) {
  return value != value ? 0x7fff : static_cast<unsigned short>(bits_as<u32>(value) >> 16);
}
__host__ __device__ inline unsigned short f16_bits_rz(float value) {
  unsigned short nearest = f16_bits(value);
  float back = f16_value(nearest);
  bool is_beyond = __builtin_fabsf(back) > __builtin_fabsf(value);
  return static_cast<unsigned short>(nearest - (is_beyond ? 1 : 0));
}
__host__ __device__ inline u32 pack(unsigned short low, unsigned short high) {
  return u32{high} << 16 | low;
}
__host__ __device__ inline unsigned short low(u32 pair) {
  return static_cast<unsigned short>(pair);
}
__host__ __device__ inline unsigned short high(u32 pair) {
  return static_cast<unsigned short>(pair >> 16);
}

// Half values, one or two per register, by their bits: V is _Float16 or f16x2.
template <unsigned size>
struct half_register {
  typedef u32 type;
};
template <>
struct half_register<2> {
  typedef unsigned short type;
};
template <class V>
__host__ __device__ inline typename half_register<sizeof(V)>::type half_bits(V value) {
  return bits_as<typename half_register<sizeof(V)>::type>(value);
}
#define HIP_PTX_HALF(name, expression)                                        \
  template <class V, class B>                                                 \
  __host__ __device__ inline B name##_half(B x, B y) {                        \
    _Pragma("clang fp contract(off)") V a = bits_as<V>(x), b = bits_as<V>(y); \
    return half_bits<V>(expression);                                          \
  }
HIP_PTX_HALF(add, a + b)
HIP_PTX_HALF(sub, a - b)
HIP_PTX_HALF(mul, a* b)
HIP_PTX_HALF(min, __builtin_elementwise_min(a, b))
HIP_PTX_HALF(max, __builtin_elementwise_max(a, b))
#undef HIP_PTX_HALF
template <class V, class B>
__host__ __device__ inline B fma_half(B x, B y, B z) {
  return half_bits<V>(__builtin_elementwise_fma(bits_as<V>(x), bits_as<V>(y), bits_as<V>(z)));
}
// f of both halves of a pair, in float. Results of + - * are those of the narrow type: float has
// more than twice as many digits.
template <class F>
__host__ __device__ inline u32 each_f16(F f, u32 a, u32 b = 0) {
  return pack(f16_bits(f(f16_value(low(a)), f16_value(low(b)))),
              f16_bits(f(f16_value(high(a)), f16_value(high(b)))));
}
template <class F>
__host__ __device__ inline u32 each_bf16(F f, u32 a, u32 b = 0) {
  return pack(bf16_bits(f(bf16_value(low(a)), bf16_value(low(b)))),
              bf16_bits(f(bf16_value(high(a)), bf16_value(high(b)))));
}
// a * b + c of bfloat16 values, rounded once: the sum is first rounded to odd, which preserves the
// information for the second rounding.
__host__ __device__ inline unsigned short fma_bf16(unsigned short x, unsigned short y,
                                                   unsigned short z) {
#pragma clang fp contract(off)
  double product = static_cast<double>(bf16_value(x)) * static_cast<double>(bf16_value(y));
  double addend = static_cast<double>(bf16_value(z));
  double sum = product + addend;
  double part = sum - product;
  double error = (product - (sum - part)) + (addend - part);
  u64 bits = bits_as<u64>(sum);
  if (error == error && error != 0 && (bits & 1) == 0)
    bits += (error > 0) == (sum > 0) ? 1ull : ~0ull;
  sum = bits_as<double>(bits);
  // The same to float, rounded to odd.
  float narrow = static_cast<float>(sum);
  u32 word = bits_as<u32>(narrow);
  if (narrow == narrow && static_cast<double>(narrow) != sum && (word & 1) == 0 &&
      __builtin_isfinite(narrow))
    word += __builtin_fabs(static_cast<double>(narrow)) < __builtin_fabs(sum) ? 1u : ~0u;
  return bf16_bits(bits_as<float>(word));
}
__host__ __device__ inline u32 fma_bf16x2(u32 a, u32 b, u32 c) {
  return pack(fma_bf16(low(a), low(b), low(c)), fma_bf16(high(a), high(b), high(c)));
}

// --- memory

// An address, passed as a pointer or as an integer.
template <class T>
__device__ inline char* at(T* address, long long offset = 0) {
  return const_cast<char*>(reinterpret_cast<const volatile char*>(address)) + offset;
}
__device__ inline char* at(u64 address, long long offset = 0) {
  return reinterpret_cast<char*>(address) + offset;
}
// An address in shared memory, as returned by __cvta_generic_to_shared.
__device__ inline char* shared(u32 address, long long offset = 0) {
  return static_cast<char*>(__cvta_shared_to_generic(address)) + offset;
}
struct copy_chunk {
  template <class To, class From>
  __device__ void operator()(To* to, From* from) const {
    *to = *from;
  }
};
struct load_volatile_chunk {
  template <class T>
  __device__ void operator()(T* to, const volatile T* from) const {
    *to = *from;
  }
};
struct store_volatile_chunk {
  template <class T>
  __device__ void operator()(volatile T* to, const T* from) const {
    *to = *from;
  }
};
template <class T, class A>
__device__ inline T load(A address) {
  T value;
  hip_compat::copy_chunks<16>(&value, reinterpret_cast<const T*>(at(address)), copy_chunk());
  return value;
}
template <class T, class A>
__device__ inline void store(A address, T value) {
  hip_compat::copy_chunks<16>(reinterpret_cast<T*>(at(address)), &value, copy_chunk());
}
template <class T, class A>
__device__ inline T load_volatile(A address) {
  T value;
  hip_compat::copy_chunks<8>(&value, reinterpret_cast<const T*>(at(address)),
                             load_volatile_chunk());
  return value;
}
template <class T, class A>
__device__ inline void store_volatile(A address, T value) {
  hip_compat::copy_chunks<8>(reinterpret_cast<T*>(at(address)), &value, store_volatile_chunk());
}
// With the caches' hints: cg, cs, cv; wt
template <class T, class A>
__device__ inline T load_cg(A address) {
  return __ldcg(reinterpret_cast<const T*>(at(address)));
}
template <class T, class A>
__device__ inline T load_cs(A address) {
  return __ldcs(reinterpret_cast<const T*>(at(address)));
}
template <class T, class A>
__device__ inline T load_cv(A address) {
  return __ldcv(reinterpret_cast<const T*>(at(address)));
}
template <class T, class A>
__device__ inline void store_cg(A address, T value) {
  __stcg(reinterpret_cast<T*>(at(address)), value);
}
template <class T, class A>
__device__ inline void store_cs(A address, T value) {
  __stcs(reinterpret_cast<T*>(at(address)), value);
}
template <class T, class A>
__device__ inline void store_wt(A address, T value) {
  __stwt(reinterpret_cast<T*>(at(address)), value);
}

constexpr int relaxed = __ATOMIC_RELAXED, acquire = __ATOMIC_ACQUIRE, release = __ATOMIC_RELEASE,
              acq_rel = __ATOMIC_ACQ_REL;
constexpr int cta = __HIP_MEMORY_SCOPE_WORKGROUP, gpu = __HIP_MEMORY_SCOPE_AGENT,
              sys = __HIP_MEMORY_SCOPE_SYSTEM;

// For vectors, element by element, as in PTX.
template <int order, int scope>
struct atomic_load_chunk {
  template <class To, class From>
  __device__ void operator()(To* to, From* from) const {
    *to = __hip_atomic_load(from, order, scope);
  }
};
template <int order, int scope>
struct atomic_store_chunk {
  template <class To, class From>
  __device__ void operator()(To* to, From* from) const {
    __hip_atomic_store(to, *from, order, scope);
  }
};
template <class T, int order, int scope, class A>
__device__ inline T atomic_load(A address) {
  T value;
  hip_compat::copy_chunks<8>(&value, reinterpret_cast<const T*>(at(address)),
                             atomic_load_chunk<order, scope>());
  return value;
}
template <class T, int order, int scope, class A>
__device__ inline void atomic_store(A address, T value) {
  hip_compat::copy_chunks<8>(reinterpret_cast<T*>(at(address)), &value,
                             atomic_store_chunk<order, scope>());
}

#define HIP_PTX_ATOMIC(name, function)                                             \
  template <class T, int order, int scope, class A>                                \
  __device__ inline T name(A address, T value) {                                   \
    using Aliased __attribute__((may_alias)) = T;                                  \
    return function(reinterpret_cast<Aliased*>(at(address)), value, order, scope); \
  }
HIP_PTX_ATOMIC(atom_add, __hip_atomic_fetch_add)
HIP_PTX_ATOMIC(atom_min, __hip_atomic_fetch_min)
HIP_PTX_ATOMIC(atom_max, __hip_atomic_fetch_max)
HIP_PTX_ATOMIC(atom_and, __hip_atomic_fetch_and)
HIP_PTX_ATOMIC(atom_or, __hip_atomic_fetch_or)
HIP_PTX_ATOMIC(atom_xor, __hip_atomic_fetch_xor)
HIP_PTX_ATOMIC(atom_exch, __hip_atomic_exchange)
#undef HIP_PTX_ATOMIC

template <class T, int order, int scope, class A>
__device__ inline T atom_cas(A address, T compare, T value) {
  using Aliased __attribute__((may_alias)) = T;
  constexpr int without_release = order == acq_rel ? acquire : order == release ? relaxed : order;
  __hip_atomic_compare_exchange_strong(reinterpret_cast<Aliased*>(at(address)), &compare, value,
                                       order, without_release, scope);
  return compare;
}
// Replaces the stored value v with f(v).
template <class T, int order, int scope, class A, class F>
__device__ inline T atom_by(A address, F f) {
  using Aliased __attribute__((may_alias)) = T;
  auto place = reinterpret_cast<Aliased*>(at(address));
  T old = __hip_atomic_load(place, relaxed, scope);
  for (;;) {
    T seen = atom_cas<T, order, scope>(place, old, static_cast<T>(f(old)));
    if (seen == old) return old;
    old = seen;
  }
}
template <class T, int order, int scope, class A>
__device__ inline T atom_inc(A address, T limit) {
  return atom_by<T, order, scope>(address, [=](T old) { return old >= limit ? T{0} : old + 1; });
}
template <class T, int order, int scope, class A>
__device__ inline T atom_dec(A address, T limit) {
  return atom_by<T, order, scope>(address,
                                  [=](T old) { return old == 0 || old > limit ? limit : old - 1; });
}
template <class T, int order, int scope, class A>
__device__ inline u32 atom_add_f16x2(A address, u32 value) {
  return atom_by<T, order, scope>(address, [=](T old) { return add_half<f16x2>(old, T{value}); });
}
template <class T, int order, int scope, class A>
__device__ inline u32 atom_add_bf16x2(A address, u32 value) {
  return atom_by<T, order, scope>(address, [=](T old) {
    return each_bf16([](float a, float b) { return a + b; }, old, value);
  });
}

// --- lanes

struct Shuffled {
  u32 value;
  bool is_in_range;  // otherwise the value is the lane's own
};
// `clamp`: the last lane of a segment in its low bits, the bits of the lane number that all lanes
// of a segment share from bit 8 on.
enum class Shuffle { up, down, bfly, idx };
template <Shuffle mode>
__device__ inline Shuffled shuffle(HIP_COMPAT_MAYBE_UNSET u32 value, u32 lanes, u32 clamp) {
  int self = warp32::lane();
  int by = static_cast<int>(lanes & 31);
  int shared_bits = static_cast<int>(clamp >> 8 & 31);
  int first = self & shared_bits;
  int last = first | (static_cast<int>(clamp & 31) & ~shared_bits);
  int source = mode == Shuffle::up     ? self - by
               : mode == Shuffle::down ? self + by
               : mode == Shuffle::bfly ? self ^ by
                                       : first | (by & ~shared_bits);
  bool is_in_range = mode == Shuffle::up ? source >= last : source <= last;
  if (!is_in_range) source = self;
  return {static_cast<u32>(hip_compat::from_lane(value, warp32::first_lane() + source)),
          is_in_range};
}
// Do all lanes of the mask agree?
__device__ inline bool uniform(u32 mask, bool predicate) {
  u32 votes = warp32::ballot_sync(mask, predicate);
  return votes == 0 || votes == (mask & warp32::activemask());
}

// --- places

// The warp of a block that a thread is in.
__device__ inline u32 warp_id() {
  return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) / 32;
}

}  // namespace hip_ptx

#endif
