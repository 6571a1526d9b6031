// SPDX-License-Identifier: MIT
// Shared by the integer operations: bit functions that compilers vectorise, and saturation.
#pragma once

#include <limits>

#include "soft/exec/ops/valu.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

constexpr u32 popcount(u32 x) {
  x -= (x >> 1) & 0x5555'5555U;
  x = (x & 0x3333'3333U) + ((x >> 2) & 0x3333'3333U);
  return (((x + (x >> 4)) & 0x0f0f'0f0fU) * 0x0101'0101U) >> 24;
}

// The low `Bits` bits as a signed number, in u32 (wrapping) or in i64 (exact).
template <unsigned Bits, class T>
constexpr T sext(T x) {
  using Signed = std::make_signed_t<T>;
  constexpr unsigned shift = sizeof(T) * 8 - Bits;
  return static_cast<T>(static_cast<Signed>(x << shift) >> shift);
}
template <unsigned Bits, class T>
constexpr T zext(T x) {
  return x & static_cast<T>((u64{1} << Bits) - 1);
}

template <class T>
constexpr T distance(T a, T b) {
  return a > b ? a - b : b - a;
}

// The nearest value that T can hold.
template <class T, class Wide>
constexpr u32 saturate(Wide value) {
  constexpr auto high = static_cast<Wide>(std::numeric_limits<T>::max());
  if constexpr (std::is_signed_v<Wide>) {
    constexpr auto low = static_cast<Wide>(std::numeric_limits<T>::min());
    value = value < low ? low : value;
  }
  return static_cast<u32>(value > high ? high : value);
}

// An operation whose clamp bit saturates to T. F is generic: it runs on u32 and wraps, or with
// clamp on exact i64 values, its operands being extended as T says.
template <class T, Type D, Type... S, class F>
constexpr Op saturating_op(std::string_view name, F, u32 flags = 0) {
  Op op{.name = name,
        .run =
            [](Wave& wave, const Inst& inst) {
              if (inst.clamp)
                map<D, S...>(wave, inst, [](auto... value) {
                  return saturate<T>(F{}(static_cast<i64>(static_cast<T>(value))...));
                });
              else
                map<D, S...>(wave, inst, F{});
            },
        .kind = OpClass::kVector,
        .flags = flags};
  op.dst = {D};
  op.src = {S...};
  return op;
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
