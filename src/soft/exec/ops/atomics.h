// SPDX-License-Identifier: MIT
// What read-modify-write operations compute, and how they reach memory. Lanes of a wave act one
// after the other, lane 0 first: hardware leaves the order open, a fixed one makes sums of floats
// repeatable.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "soft/exec/ops/half.h"
#include "soft/exec/ops/transfer.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

// What float operations need to know of the wave and the memory.
struct AtomicRules {
  bool flush_f32 = false;       // denormals count as zeros, before and after an addition
  bool flush_f64_f16 = false;   // likewise
  bool minimum_number = false;  // gfx12: min and max prefer numbers to NaN and order zeros
};

// LDS follows the MODE register. Memory units flush denormals of f32 additions always or never.
inline AtomicRules lds_rules(const Wave& wave) {
  return {.flush_f32 = wave.mode.denormal_f32 == 0,
          .flush_f64_f16 = wave.mode.denormal_f64_f16 == 0,
          .minimum_number = wave.isa == Isa::kGfx12};
}
inline AtomicRules memory_rules(const Wave& wave) {
  return {.flush_f32 = has_plain_memory_atomics(wave.isa),
          .minimum_number = wave.isa == Isa::kGfx12};
}

template <class F>
using FloatBits = std::conditional_t<sizeof(F) == 8, u64, u32>;

template <class F>
inline F quiet(F value) {
  using Bits = FloatBits<F>;
  return std::bit_cast<F>(static_cast<Bits>(std::bit_cast<Bits>(value) |
                                            (Bits{1} << (std::numeric_limits<F>::digits - 2))));
}

template <class F>
inline F flushed(F value, bool flush) {
  return flush && std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(F{0}, value) : value;
}

// The sum, NaNs as the hardware makes them: an operand's, quieted, the memory's first; else the
// positive default one.
template <class F>
inline F float_sum(F memory, F data, bool flush) {
  if (std::isnan(memory)) return quiet(memory);
  if (std::isnan(data)) return quiet(data);
  const F sum = flushed(memory, flush) + flushed(data, flush);
  if (std::isnan(sum)) return std::numeric_limits<F>::quiet_NaN();
  return flushed(sum, flush);
}

// Sums in f32: one rounding to 24 bits before the one to 11 or 8 is harmless.
inline u32 f16_sum(u32 memory, u32 data, bool flush) {
  const auto is_nan = [](u32 x) { return (x & 0x7fffU) > 0x7c00U; };
  const auto flush_one = [flush](u32 x) { return flush && (x & 0x7c00U) == 0 ? x & 0x8000U : x; };
  if (is_nan(memory)) return memory | 0x200U;
  if (is_nan(data)) return data | 0x200U;
  const float sum = f16_to_f32(flush_one(memory)) + f16_to_f32(flush_one(data));
  return std::isnan(sum) ? 0x7e00U : flush_one(f32_to_f16_nearest(sum));
}
inline u32 bf16_sum(u32 memory, u32 data) {
  return f32_to_bf16_nearest(float_sum(bf16_to_f32(memory), bf16_to_f32(data), false));
}

// --- the operations: apply(old, data, second data, rules) gives what memory becomes ---

namespace atomic {

struct Add {
  template <class T>
  static T apply(T old, T data, T, const AtomicRules&) {
    return old + data;
  }
};
struct Sub {
  template <class T>
  static T apply(T old, T data, T, const AtomicRules&) {
    return old - data;
  }
};
struct ReverseSub {
  template <class T>
  static T apply(T old, T data, T, const AtomicRules&) {
    return data - old;
  }
};
struct SubClamp {
  template <class T>
  static T apply(T old, T data, T, const AtomicRules&) {
    return old >= data ? old - data : 0;
  }
};
struct ConditionalSub {
  template <class T>
  static T apply(T old, T data, T, const AtomicRules&) {
    return old >= data ? old - data : old;
  }
};
struct Inc {
  template <class T>
  static T apply(T old, T data, T, const AtomicRules&) {
    return old >= data ? 0 : old + 1;
  }
};
struct Dec {
  template <class T>
  static T apply(T old, T data, T, const AtomicRules&) {
    return old == 0 || old > data ? data : old - 1;
  }
};
struct SignedMin {
  template <class T>
  static T apply(T old, T data, T, const AtomicRules&) {
    using S = std::make_signed_t<T>;
    return static_cast<S>(data) < static_cast<S>(old) ? data : old;
  }
};
struct SignedMax {
  template <class T>
  static T apply(T old, T data, T, const AtomicRules&) {
    using S = std::make_signed_t<T>;
    return static_cast<S>(data) > static_cast<S>(old) ? data : old;
  }
};
struct UnsignedMin {
  template <class T>
  static T apply(T old, T data, T, const AtomicRules&) {
    return data < old ? data : old;
  }
};
struct UnsignedMax {
  template <class T>
  static T apply(T old, T data, T, const AtomicRules&) {
    return data > old ? data : old;
  }
};
struct And {
  template <class T>
  static T apply(T old, T data, T, const AtomicRules&) {
    return old & data;
  }
};
struct Or {
  template <class T>
  static T apply(T old, T data, T, const AtomicRules&) {
    return old | data;
  }
};
struct Xor {
  template <class T>
  static T apply(T old, T data, T, const AtomicRules&) {
    return old ^ data;
  }
};
// The data's bits are cleared, then those of the second data set.
struct MaskedOr {
  static constexpr bool kSecond = true;
  template <class T>
  static T apply(T old, T data, T second, const AtomicRules&) {
    return (old & ~data) | second;
  }
};
struct Swap {
  template <class T>
  static T apply(T, T data, T, const AtomicRules&) {
    return data;
  }
};
// data: the new value; second: what memory must hold. gfx9's ds_cmpst has them the other way
// round.
struct CompareSwap {
  static constexpr bool kSecond = true;
  template <class T>
  static T apply(T old, T data, T second, const AtomicRules&) {
    return old == second ? data : old;
  }
};
struct FloatCompareSwap {
  static constexpr bool kSecond = true;
  template <class T>
  static T apply(T old, T data, T second, const AtomicRules&) {
    using F = std::conditional_t<sizeof(T) == 8, double, float>;
    return std::bit_cast<F>(old) == std::bit_cast<F>(second) ? data : old;
  }
};
template <class Operation>
struct Swapped {
  static constexpr bool kSecond = true;
  template <class T>
  static T apply(T old, T data, T second, const AtomicRules& rules) {
    return Operation::apply(old, second, data, rules);
  }
};
// Ring buffers: subtract, or wrap around by adding the second data.
struct Wrap {
  static constexpr bool kSecond = true;
  template <class T>
  static T apply(T old, T data, T second, const AtomicRules&) {
    return old >= data ? old - data : old + second;
  }
};
struct FloatAdd {
  template <class T>
  static T apply(T old, T data, T, const AtomicRules& rules) {
    using F = std::conditional_t<sizeof(T) == 8, double, float>;
    return std::bit_cast<T>(float_sum(std::bit_cast<F>(old), std::bit_cast<F>(data),
                                      sizeof(T) == 8 ? rules.flush_f64_f16 : rules.flush_f32));
  }
};
// gfx9 and gfx11 keep memory's value unless the data compares less (greater): a NaN changes
// nothing. gfx12 has IEEE 754-2019's minimumNumber and maximumNumber.
template <bool kGreatest>
struct FloatExtreme {
  template <class T>
  static T apply(T old, T data, T, const AtomicRules& rules) {
    using F = std::conditional_t<sizeof(T) == 8, double, float>;
    const F memory = std::bit_cast<F>(old);
    const F other = std::bit_cast<F>(data);
    const bool better = kGreatest ? other > memory : other < memory;
    if (!rules.minimum_number) return better ? data : old;
    if (std::isnan(memory) && std::isnan(other)) return std::bit_cast<T>(quiet(other));
    if (std::isnan(other)) return old;
    if (std::isnan(memory)) return data;
    const bool zeros = memory == 0 && other == 0;
    return better || (zeros && std::signbit(kGreatest ? memory : other) &&
                      !std::signbit(kGreatest ? other : memory))
               ? data
               : old;
  }
};
using FloatMin = FloatExtreme<false>;
using FloatMax = FloatExtreme<true>;
struct PackedAddF16 {
  static u32 apply(u32 old, u32 data, u32, const AtomicRules& rules) {
    return f16_sum(old & 0xffffU, data & 0xffffU, rules.flush_f64_f16) |
           (f16_sum(old >> 16, data >> 16, rules.flush_f64_f16) << 16);
  }
};
struct PackedAddBF16 {
  static u32 apply(u32 old, u32 data, u32, const AtomicRules&) {
    return bf16_sum(old & 0xffffU, data & 0xffffU) | (bf16_sum(old >> 16, data >> 16) << 16);
  }
};

template <class A>
concept TakesSecond = requires {
  A::kSecond;
};

template <class A>
inline constexpr bool kCompares =
    std::is_same_v<A, CompareSwap> || std::is_same_v<A, FloatCompareSwap>;
template <class A>
inline constexpr bool kCompares<Swapped<A>> = kCompares<A>;

}  // namespace atomic

// --- reaching memory ---

// Global memory is shared with other host threads. seq_cst: the same machine code as relaxed on
// x86, and what ordering the kernel asked for holds.
template <class A, class T>
inline T exchange(const Linear& place, u64 address, unsigned, T data, T second,
                  const AtomicRules& rules, std::true_type) {
  T* target = reinterpret_cast<T*>(place.pointer(address));
  T old = __atomic_load_n(target, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(target, &old, A::apply(old, data, second, rules), false,
                                      __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
  }
  return old;
}

// LDS and scratch belong to the thread that runs the workgroup.
template <class A, class T, class Place>
inline T exchange(const Place& place, u64 address, unsigned lane, T data, T second,
                  const AtomicRules& rules, std::false_type) {
  T old;
  place.template read<sizeof(T)>(&old, address, lane);
  const T changed = A::apply(old, data, second, rules);
  place.template write<sizeof(T)>(&changed, address, lane);
  return old;
}

template <class T>
inline T read_rows(const Wave& wave, unsigned row, unsigned lane) {
  if constexpr (sizeof(T) == 8)
    return wave.vgpr(row)[lane] | (T{wave.vgpr(row + 1)[lane]} << 32);
  else
    return wave.vgpr(row)[lane];
}
template <class T>
inline void write_rows(Wave& wave, unsigned row, unsigned lane, T value) {
  wave.vgpr(row)[lane] = static_cast<u32>(value);
  if constexpr (sizeof(T) == 8) wave.vgpr(row + 1)[lane] = static_cast<u32>(value >> 32);
}

// Rows of an atomic's operands. `result` is kVectorRows when the old value is not wanted.
struct AtomicRows {
  unsigned data = 0;
  unsigned second = 0;
  unsigned result = kVectorRows;
};

template <class A, class T, bool kShared, class Place>
inline void exchange_lanes(Wave& wave, const Place& place, const Addresses& at, u64 mask,
                           const AtomicRows& rows, const AtomicRules& rules) {
  for_each_lane(mask, [&](unsigned i) {
    const T data = read_rows<T>(wave, rows.data, i);
    T second{};
    if constexpr (atomic::TakesSecond<A>) second = read_rows<T>(wave, rows.second, i);
    const T old =
        exchange<A, T>(place, at.lane[i], i, data, second, rules, std::bool_constant<kShared>());
    if (rows.result != kVectorRows) write_rows<T>(wave, rows.result, i, old);
  });
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
