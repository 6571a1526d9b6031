// SPDX-License-Identifier: MIT
// What the float families share: bit layouts, how NaNs pass through arithmetic, minimum and
// maximum by the rules of each generation.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <type_traits>

#include "soft/exec/ops/valu.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

// Layouts. `Value` is what functions see (valu.h): the float itself, or the bits of an f16.
struct F16 {
  using Value = u32;
  using Bits = u32;
  using Key = i32;
  static constexpr Type type = Type::kF16;
  static constexpr Bits sign = 0x8000, infinity = 0x7c00, quiet = 0x200, default_nan = 0xfe00;
  static Key key(Bits bits) { return flip(static_cast<i32>(bits << 16) >> 16); }
  static Bits from_key(Key key) { return static_cast<u32>(flip(key)) & 0xffffU; }
  static Key flip(Key key) { return key ^ ((key >> 31) & 0x7fff); }
  static bool unordered(Value a, Value b) {
    return (a & 0x7fffU) > infinity || (b & 0x7fffU) > infinity;
  }
};
struct F32 {
  using Value = float;
  using Bits = u32;
  using Key = i32;
  static constexpr Type type = Type::kF32;
  static constexpr Bits sign = 0x80000000U, infinity = 0x7f800000U, quiet = 0x400000U,
                        default_nan = 0xffc00000U;
  static Key key(Bits bits) { return flip(static_cast<i32>(bits)); }
  static Bits from_key(Key key) { return static_cast<u32>(flip(key)); }
  static Key flip(Key key) { return key ^ ((key >> 31) & 0x7fffffff); }
  static bool unordered(Value a, Value b) { return __builtin_isunordered(a, b); }
};
struct F64 {
  using Value = double;
  using Bits = u64;
  using Key = i64;
  static constexpr Type type = Type::kF64;
  static constexpr Bits sign = 1ULL << 63, infinity = 0x7ffULL << 52, quiet = 1ULL << 51,
                        default_nan = 0x1fffULL << 51;
  static Key key(Bits bits) { return flip(static_cast<i64>(bits)); }
  static Bits from_key(Key key) { return static_cast<u64>(flip(key)); }
  static Key flip(Key key) { return key ^ ((key < 0 ? -1LL : 0LL) & 0x7fffffffffffffffLL); }
  static bool unordered(Value a, Value b) { return __builtin_isunordered(a, b); }
};
static_assert(F64::default_nan == 0xfff8000000000000ULL);

// `key` above orders numbers as integers, with -0 below +0; `from_key` goes back.

template <class L>
inline typename L::Bits bits_of_value(typename L::Value value) {
  return std::bit_cast<typename L::Bits>(value);
}
template <class L>
inline typename L::Key key_of(typename L::Value value) {
  return L::key(bits_of_value<L>(value));
}
template <class L>
inline bool is_nan(typename L::Bits bits) {
  // Signed: SIMD instruction sets compare nothing else.
  return static_cast<typename L::Key>(bits & (L::sign - 1U)) >
         static_cast<typename L::Key>(L::infinity);
}
template <class L>
inline bool is_signalling(typename L::Bits bits) {
  return is_nan<L>(bits) && (bits & L::quiet) == 0;
}

// The result of an operation whose operands held a NaN, or that was invalid: the first NaN
// operand, quiet; else the default NaN, which is negative (the manuals' examples for log, sqrt and
// 0/0 show it, and measurements of inf - inf).
template <class L, class... A>
inline typename L::Value nan_result(typename L::Value result, A... operands) {
  using Bits = typename L::Bits;
  const Bits bits = bits_of_value<L>(result);
  const Bits from[] = {bits_of_value<L>(operands)...};
  Bits nan = L::default_nan;
  for (unsigned i = sizeof...(A); i-- > 0;) nan = is_nan<L>(from[i]) ? from[i] | L::quiet : nan;
  return std::bit_cast<typename L::Value>(is_nan<L>(bits) ? nan : bits);
}

// A function F on numbers as an operation: `quick` is right unless the result is NaN.
template <class L, class F>
struct Arithmetic {
  template <class... A>
  static typename L::Value quick(A... operands) {
    return F{}(operands...);
  }
  template <class... A>
  typename L::Value operator()(A... operands) const {
    return nan_result<L>(F{}(operands...), operands...);
  }
};

// How minimum and maximum treat NaNs. Numbers win over NaNs; what else happens depends on the
// generation and on MODE.IEEE.
struct ExtremumRules {
  bool signalling_wins = false;  // a signalling NaN operand is the result, quiet
  bool both_second = false;      // of two NaNs, the second is the result
  bool both_quiet = false;       // and it becomes quiet
};
inline ExtremumRules extremum_rules(const Wave& wave) {
  if (wave.isa == Isa::kGfx12) return {.both_quiet = true};
  return {.signalling_wins = wave.mode.ieee, .both_second = wave.isa < Isa::kGfx11};
}

template <bool Max, class Key>
inline Key extreme_key(Key a, Key b) {
  return Max ? (a > b ? a : b) : (a < b ? a : b);
}
// Bits of the number, or of some NaN: that is how `quick` asks for the full function.
template <class L>
inline typename L::Value number_unless(typename L::Key key, bool closer_look) {
  const auto mask = static_cast<typename L::Bits>(-static_cast<typename L::Key>(closer_look));
  return std::bit_cast<typename L::Value>(L::from_key(key) | (mask & (L::sign - 1U)));
}

template <class L, bool Max>
struct Extremum {
  using Bits = typename L::Bits;
  using Value = typename L::Value;
  ExtremumRules rules;

  Bits bits(Bits a, Bits b) const {
    const bool nan_a = is_nan<L>(a), nan_b = is_nan<L>(b);
    Bits result = L::from_key(extreme_key<Max>(L::key(a), L::key(b)));
    result = nan_a ? b : result;
    result = nan_b ? a : result;
    const Bits quiet_bit = rules.both_quiet ? L::quiet : Bits{0};
    const Bits both = (rules.both_second ? b : a) | quiet_bit;
    result = nan_a && nan_b ? both : result;
    const bool signalling = rules.signalling_wins;
    result = signalling && is_signalling<L>(b) ? b | L::quiet : result;
    return signalling && is_signalling<L>(a) ? a | L::quiet : result;
  }
  Value operator()(Value a, Value b) const {
    return std::bit_cast<Value>(bits(bits_of_value<L>(a), bits_of_value<L>(b)));
  }
  static Value quick(Value a, Value b) {
    return number_unless<L>(extreme_key<Max>(key_of<L>(a), key_of<L>(b)), L::unordered(a, b));
  }
  static constexpr bool max = Max;
};

// IEEE 754-2019 minimum and maximum: NaNs win, signalling ones first.
template <class L, bool Max>
struct Extremum2019 {
  using Bits = typename L::Bits;
  using Value = typename L::Value;

  static Bits bits(Bits a, Bits b) {
    Bits result = L::from_key(extreme_key<Max>(L::key(a), L::key(b)));
    result = is_nan<L>(b) ? b | L::quiet : result;
    result = is_nan<L>(a) ? a | L::quiet : result;
    return is_signalling<L>(b) && !is_signalling<L>(a) ? b | L::quiet : result;
  }
  Value operator()(Value a, Value b) const {
    return std::bit_cast<Value>(bits(bits_of_value<L>(a), bits_of_value<L>(b)));
  }
  static Value quick(Value a, Value b) { return Extremum<L, Max>::quick(a, b); }
  static constexpr bool max = Max;
};

// Outer(Inner(a, b), c): min3, max3, minmax, maxmin.
template <class L, class Inner, class Outer>
struct Nested {
  using Value = typename L::Value;
  Inner inner;
  Outer outer;
  Value operator()(Value a, Value b, Value c) const { return outer(inner(a, b), c); }
  static Value quick(Value a, Value b, Value c) {
    const auto first = extreme_key<Inner::max>(key_of<L>(a), key_of<L>(b));
    return number_unless<L>(extreme_key<Outer::max>(first, key_of<L>(c)),
                            L::unordered(a, b) | L::unordered(c, c));
  }
};

template <class L>
struct Median {
  using Bits = typename L::Bits;
  using Value = typename L::Value;
  ExtremumRules rules;

  // Zeros compare equal, as the manual's == does.
  static bool same(Bits a, Bits b) { return a == b || ((a | b) & (L::sign - 1U)) == 0; }
  Bits number(Bits x, Bits y, Bits z) const {
    const Extremum<L, true> max{rules};
    const Bits top = max.bits(max.bits(x, y), z);
    if (same(top, x)) return max.bits(y, z);
    return same(top, y) ? max.bits(x, z) : max.bits(x, y);
  }
  Value operator()(Value a, Value b, Value c) const {
    const Bits x = bits_of_value<L>(a), y = bits_of_value<L>(b), z = bits_of_value<L>(c);
    const Extremum<L, false> min{rules};
    const bool nan = is_nan<L>(x) || is_nan<L>(y) || is_nan<L>(z);
    return std::bit_cast<Value>(nan ? min.bits(min.bits(x, y), z) : number(x, y, z));
  }
  static Value quick(Value a, Value b, Value c) {
    const auto x = key_of<L>(a), y = key_of<L>(b), z = key_of<L>(c);
    const auto low = extreme_key<false>(x, y), high = extreme_key<true>(x, y);
    const auto middle = extreme_key<true>(low, extreme_key<false>(high, z));
    const auto top = extreme_key<true>(high, z);
    const bool zeros = (middle == -1) & (top == 0);  // -0 and +0: the order of operands matters
    return number_unless<L>(middle, L::unordered(a, b) | L::unordered(c, c) | zeros);
  }
};

// Handlers. T is the operand type; packed ones take L's values element by element.
template <class L, bool Max, Type T = L::type>
void extremum(Wave& wave, const Inst& inst) {
  map<T, T, T>(wave, inst, Extremum<L, Max>{extremum_rules(wave)});
}
template <class L, bool Inner, bool Outer>
void extremum3(Wave& wave, const Inst& inst) {
  const ExtremumRules rules = extremum_rules(wave);
  map<L::type, L::type, L::type, L::type>(
      wave, inst, Nested<L, Extremum<L, Inner>, Extremum<L, Outer>>{{rules}, {rules}});
}
template <class L>
void median3(Wave& wave, const Inst& inst) {
  map<L::type, L::type, L::type, L::type>(wave, inst, Median<L>{extremum_rules(wave)});
}
template <class L, bool Max, Type T = L::type>
void extremum_2019(Wave& wave, const Inst& inst) {
  map<T, T, T>(wave, inst, Extremum2019<L, Max>{});
}
template <class L, bool Inner, bool Outer, Type T = L::type>
void extremum3_2019(Wave& wave, const Inst& inst) {
  map<T, T, T, T>(wave, inst, Nested<L, Extremum2019<L, Inner>, Extremum2019<L, Outer>>{});
}

// A table entry around a handler.
constexpr Op float_op(std::string_view name, Handler run, Type dst, std::array<Type, 5> src,
                      u32 flags = 0, OpClass kind = OpClass::kVector) {
  Op op{.name = name, .run = run, .kind = kind, .flags = flags};
  op.dst = {dst};
  op.src = src;
  return op;
}

// x * 2^step with one rounding. L::Value is float or double.
template <class L>
inline typename L::Value scale_by(typename L::Value value, i32 step) {
  using Value = typename L::Value;
  using Bits = typename L::Bits;
  constexpr int mantissa = std::is_same_v<Value, float> ? 23 : 52;
  constexpr int bias = std::is_same_v<Value, float> ? 127 : 1023;
  const auto power = [](i32 exponent) {
    return std::bit_cast<Value>(static_cast<Bits>(static_cast<u32>(exponent + bias)) << mantissa);
  };
  const Bits given = bits_of_value<L>(value) & (L::sign - 1U);
  const bool denormal = given < (Bits{1} << mantissa);
  const Value normal = denormal ? value * power(mantissa + 1) : value;
  const Bits bits = bits_of_value<L>(normal);
  const auto field = static_cast<i32>((bits & (L::sign - 1U)) >> mantissa);
  const i32 exponent = field - bias - (denormal ? mantissa + 1 : 0);
  const i32 limit = 3 * bias;
  const i32 bounded = step < -limit ? -limit : (step > limit ? limit : step);
  const i32 lowest = -bias - mantissa - 4, highest = bias + 4;
  const i32 wanted = exponent + bounded;
  const i32 target = wanted < lowest ? lowest : (wanted > highest ? highest : wanted);
  const i32 half = target >> 1;
  // 1.m, then two exact or final products.
  const auto unit = std::bit_cast<Value>((bits & ((Bits{1} << mantissa) - 1U)) | (bits & L::sign) |
                                         (static_cast<Bits>(bias) << mantissa));
  const Value scaled = unit * power(half) * power(target - half);
  return given == 0 || given >= L::infinity ? value : scaled;
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
