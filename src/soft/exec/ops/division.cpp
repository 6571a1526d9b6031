// SPDX-License-Identifier: MIT
// Follows the manuals' pseudocode, with its known errors corrected: the denominator
// of a quotient that underflows because the denominator is huge is scaled down, not up; div_fmas
// scales by 2^64 (2^128) in the direction that the estimate's size tells, and rounds once; a
// quotient estimate that is a NaN comes from overflow and becomes infinity.
#include "soft/exec/ops/division.h"

#include "soft/exec/ops/arith.h"
#include "soft/exec/ops/half.h"
#include "soft/exec/ops/valu.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

namespace {

__extension__ using u128 = unsigned __int128;
__extension__ using quad = __float128;

template <class L>
struct Shape;
template <>
struct Shape<F32> {
  static constexpr int mantissa = 23, bias = 127, scale = 64, far = 96, tiny = 23;
};
template <>
struct Shape<F64> {
  static constexpr int mantissa = 52, bias = 1023, scale = 128, far = 768, tiny = 53;
};

template <class L>
using Integer = std::make_signed_t<typename L::Bits>;

// Choices as masks: compilers make branches of long chains of conditions, and no SIMD code of
// branches.
template <class Bits>
Bits mask_of(bool condition) {
  return Bits{0} - static_cast<Bits>(condition);
}
template <class Bits>
Bits choose(Bits mask, Bits yes, Bits no) {
  return (yes & mask) | (no & ~mask);
}

template <class L>
Integer<L> exponent_field(typename L::Value value) {
  return static_cast<Integer<L>>((bits_of_value<L>(value) & (L::sign - 1U)) >> Shape<L>::mantissa);
}
// The same, going on below zero for denormals.
template <class L>
Integer<L> true_exponent(typename L::Value value) {
  using S = Shape<L>;
  using Bits = typename L::Bits;
  constexpr Bits step = S::mantissa + 1;
  const auto power = std::bit_cast<typename L::Value>((step + S::bias) << S::mantissa);
  const auto field = static_cast<Bits>(exponent_field<L>(value));
  const Bits normal = static_cast<Bits>(exponent_field<L>(value * power)) - step;
  return static_cast<Integer<L>>(choose(mask_of<Bits>(field == 0), normal, field));
}

template <class L>
struct DivScale {
  using Value = typename L::Value;
  using Bits = typename L::Bits;
  using S = Shape<L>;

  // Of the cases that hold, the last one counts.
  Flagged<Value> operator()(Value what, Value denominator, Value numerator) const {
    constexpr auto factor = [](int step) {
      return static_cast<Bits>(step + S::bias) << S::mantissa;
    };
    constexpr auto when = mask_of<Bits>;
    constexpr Bits same = factor(0), up = factor(S::scale), down = factor(-S::scale);
    const auto top = exponent_field<L>(numerator), bottom = exponent_field<L>(denominator);
    const Bits denormal_quotient =
        when(true_exponent<L>(numerator) - true_exponent<L>(denominator) <= 1 - S::bias);
    const Bits denormal_reciprocal = when(bottom >= 2 * S::bias - 1);
    const Bits denormal_bottom = when(bottom == 0);
    const Bits far = when(top - bottom >= S::far);
    const Bits zero = when(numerator == 0) | when(denominator == 0);
    const Bits is_bottom = when(what == denominator), is_top = when(what == numerator);

    Bits by = choose(when(top <= S::tiny), up, same);
    by = choose(denormal_quotient, choose(is_top, up, same), by);
    by = choose(denormal_reciprocal, choose(denormal_quotient & ~is_bottom, same, down), by);
    by = choose(denormal_bottom, up, by);
    by = choose(far, choose(is_bottom, up, same), by);
    const Bits flag = (denormal_quotient & ~denormal_bottom) | far | zero;

    const Value result = what * std::bit_cast<Value>(by);
    const Bits bits = bits_of_value<L>(nan_result<L>(result, what));
    return {std::bit_cast<Value>(choose(zero, Bits{L::default_nan}, bits)), static_cast<u32>(flag)};
  }
};

// Lanes that need no scaling have exponents away from all the bounds above. Those fields lie in
// the upper dword of f64. Inactive lanes hold arbitrary values.
template <class L>
bool nothing_to_scale(const u32* denominator, const u32* numerator, const u32* active,
                      unsigned lanes) {
  using S = Shape<L>;
  constexpr unsigned shift = S::mantissa % 32;
  constexpr u32 mask = (1U << (31 - shift)) - 1U;
  u32 unusual = 0;
  for (std::size_t base = 0; base < lanes; base += kChunk)
    for (std::size_t i = base; i < base + kChunk; ++i) {
      const auto bottom = static_cast<i32>((denominator[i] >> shift) & mask);
      const auto top = static_cast<i32>((numerator[i] >> shift) & mask);
      const i32 distance = top - bottom;
      const bool usual = (top > S::tiny) & (top <= 2 * S::bias) & (bottom > 0) &
                         (bottom < 2 * S::bias - 1) & (distance < S::far) &
                         (distance > 1 - S::bias);
      unusual |= usual ? 0U : active[i];
    }
  return unusual == 0;
}

template <class L>
void div_scale(Wave& wave, const Inst& inst) {
  constexpr Type type = L::type;
  constexpr bool wide = type == Type::kF64;
  if ((inst.flags & kPlain) && default_mode(wave, type)) [[likely]] {
    Row scratch[3][2];
    const Rows what = plain_rows(wave, inst.src[0], scratch[0]);
    const Rows bottom = plain_rows(wave, inst.src[1], scratch[1]);
    const Rows top = plain_rows(wave, inst.src[2], scratch[2]);
    if (nothing_to_scale<L>(wide ? bottom.high : bottom.low, wide ? top.high : top.low,
                            wave.exec_row.data(), wave.lanes)) {
      Row copy[2];
      std::memcpy(copy[0].lane, what.low, wave.lanes * sizeof(u32));
      if (wide) std::memcpy(copy[1].lane, what.high, wave.lanes * sizeof(u32));
      const bool all = wave.exec == wave.full_exec;
      store_row(wave, inst.dst[0].index, copy[0], wave.exec_row.data(), all);
      if (wide) store_row(wave, inst.dst[0].index + 1U, copy[1], wave.exec_row.data(), all);
      return wave.write_mask(inst.dst[1].index, 0);
    }
  }
  map_flagged<type, type, type, type>(wave, inst, DivScale<L>{});
}

// a + b with a sticky last bit: see add_sticky.
template <class T, class Bits>
T sticky_sum(T a, T b) {
  const Bits sign = Bits{1} << (sizeof(Bits) * 8 - 1);
  const bool first = (std::bit_cast<Bits>(a) & ~sign) >= (std::bit_cast<Bits>(b) & ~sign);
  const T large = first ? a : b, small = first ? b : a;
  const T sum = large + small;
  const T used = sum - large;
  auto bits = std::bit_cast<Bits>(sum);
  if (used != small && used - used == 0 && (bits & 1U) == 0)
    bits += (used < small) == ((bits & sign) == 0) ? Bits{1} : ~Bits{0};
  return std::bit_cast<T>(bits);
}

float scaled_fma(float a, float b, float c) {
  const double sum = sticky_sum<double, u64>(static_cast<double>(a) * static_cast<double>(b),
                                             static_cast<double>(c));
  return static_cast<float>(sum * (exponent_field<F32>(c) > 127 ? 0x1p64 : 0x1p-64));
}
double scaled_fma(double a, double b, double c) {
  const quad sum =
      sticky_sum<quad, u128>(static_cast<quad>(a) * static_cast<quad>(b), static_cast<quad>(c));
  const auto scale = static_cast<quad>(exponent_field<F64>(c) > 1023 ? 0x1p128 : 0x1p-128);
  return static_cast<double>(sum * scale);
}

struct Fma {
  float operator()(float a, float b, float c) const { return __builtin_fmaf(a, b, c); }
  double operator()(double a, double b, double c) const { return __builtin_fma(a, b, c); }
};

template <class L>
void div_fmas(Wave& wave, const Inst& inst) {
  constexpr Type type = L::type;
  const u64 vcc = wave.vcc() & wave.exec;
  if (vcc == 0) return map<type, type, type, type>(wave, inst, Arithmetic<L, Fma>{});
  Rows rows[3];
  Row scratch[3][2];
  for (unsigned i = 0; i < 3; ++i) rows[i] = modified_rows(wave, inst, i, type, scratch[i]);
  Row results[2];
  {
    const RoundingScope rounding(wave, type);
    const auto run = [&](std::size_t i, auto fma) {
      const auto a = get<type>(rows[0], i), b = get<type>(rows[1], i), c = get<type>(rows[2], i);
      put<type>(results, i, nan_result<L>(fma(a, b, c), a, b, c));
    };
    for (std::size_t base = 0; base < wave.lanes; base += kChunk)
      for (std::size_t i = 0; i < kChunk; ++i) run(base + i, Fma{});
    const auto scaled = [](auto... value) { return scaled_fma(value...); };
    for (u64 left = vcc; left != 0; left &= left - 1)
      run(static_cast<std::size_t>(std::countr_zero(left)), scaled);
  }
  Row* high = sizeof(typename L::Value) == 8 ? &results[1] : nullptr;
  modify_results(wave, inst, type, &results[0], high);
  Lanes lanes;
  active_lanes(wave, inst, lanes);
  store_row(wave, inst.dst[0].index, results[0], lanes.row, lanes.all);
  if (high) store_row(wave, inst.dst[0].index + 1U, results[1], lanes.row, lanes.all);
}

// Sources: the estimate, the denominator, the numerator.
template <class L>
struct DivFixup {
  using Value = typename L::Value;
  using Bits = typename L::Bits;
  Bits underflow[2] = {0, 0};  // what is far too small becomes, by its sign

  // Right when numerator and denominator are ordinary; a NaN asks for the whole.
  static Value quick(Value estimate, Value denominator, Value numerator) {
    const Bits q = bits_of_value<L>(estimate) & (L::sign - 1U);
    const Bits d = bits_of_value<L>(denominator), n = bits_of_value<L>(numerator);
    constexpr Bits lowest = L::infinity & (~L::infinity + 1U), range = L::infinity - lowest;
    const bool ordinary = static_cast<bool>((((d & (L::sign - 1U)) - lowest) < range) &
                                            (((n & (L::sign - 1U)) - lowest) < range));
    // Far below the smallest denormal only where the exponents are far apart.
    constexpr i32 mantissa = std::is_same_v<L, F16> ? 10 : std::is_same_v<L, F32> ? 23 : 52;
    constexpr i32 bias = std::is_same_v<L, F16> ? 15 : std::is_same_v<L, F32> ? 127 : 1023;
    const auto top = static_cast<i32>((n & (L::sign - 1U)) >> mantissa);
    const auto bottom = static_cast<i32>((d & (L::sign - 1U)) >> mantissa);
    const bool near = top - bottom > -bias;
    const Bits mask = (ordinary & near) ? Bits{0} : L::sign - 1U;
    return std::bit_cast<Value>(q | ((d ^ n) & L::sign) | mask);
  }

  Value operator()(Value estimate, Value denominator, Value numerator) const {
    const Bits q = bits_of_value<L>(estimate) & (L::sign - 1U);
    const Bits d = bits_of_value<L>(denominator), n = bits_of_value<L>(numerator);
    const Bits bottom = d & (L::sign - 1U), top = n & (L::sign - 1U);
    const Bits sign = (d ^ n) & L::sign;
    const bool to_infinity = bottom == 0 || top == L::infinity;
    const bool to_zero = bottom == L::infinity || top == 0;
    Bits result = q | sign;
    if constexpr (!std::is_same_v<L, F16>) {
      constexpr i32 lowest = -Shape<L>::bias - Shape<L>::mantissa;
      const i32 distance = static_cast<i32>(top >> Shape<L>::mantissa) -
                           static_cast<i32>(bottom >> Shape<L>::mantissa);
      result = is_nan<L>(q) ? L::infinity | sign : result;
      result = distance < lowest ? underflow[sign != 0 ? 1 : 0] | sign : result;
    }
    result = to_zero ? sign : result;
    result = to_infinity ? L::infinity | sign : result;
    result = to_zero && to_infinity ? L::default_nan : result;
    result = is_nan<L>(d) ? d | L::quiet : result;
    result = is_nan<L>(n) ? n | L::quiet : result;
    return std::bit_cast<Value>(result);
  }
};
template <class L>
DivFixup<L> div_fixup(unsigned rounding) {
  DivFixup<L> function;
  function.underflow[0] = rounding == 1 ? 1 : 0;  // toward +infinity
  function.underflow[1] = rounding == 2 ? 1 : 0;
  return function;
}

// The first 1201 bits of 2/pi, from the binary point on.
constexpr u64 kTwoOverPi[] = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
    0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
    0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b0000, 0,
};

// 53 of these bits, chosen by the argument's exponent and the segment's number.
double two_over_pi(double argument, u32 segment) {
  const auto field = static_cast<i32>(exponent_field<F64>(argument));
  const u32 shift = (segment & 31U) * 53U + (field > 1077 ? static_cast<u32>(field) - 1077U : 0U);
  const u32 word = shift / 64, bit = shift % 64;
  if (word >= std::size(kTwoOverPi) - 1) return 0.0;
  const u64 window = (kTwoOverPi[word] << bit) | (bit ? kTwoOverPi[word + 1] >> (64 - bit) : 0);
  const i32 scale = -53 - static_cast<i32>(shift) + (field >= 1968 ? 128 : 0);
  return scale_by<F64>(static_cast<double>(window >> 11), scale);
}

}  // namespace

void div_scale_f32(Wave& wave, const Inst& inst) {
  div_scale<F32>(wave, inst);
}
void div_scale_f64(Wave& wave, const Inst& inst) {
  div_scale<F64>(wave, inst);
}
void div_fmas_f32(Wave& wave, const Inst& inst) {
  div_fmas<F32>(wave, inst);
}
void div_fmas_f64(Wave& wave, const Inst& inst) {
  div_fmas<F64>(wave, inst);
}
void div_fixup_f16(Wave& wave, const Inst& inst) {
  constexpr Type type = Type::kF16;
  map<type, type, type, type>(wave, inst, DivFixup<F16>{});
}
void div_fixup_f32(Wave& wave, const Inst& inst) {
  constexpr Type type = Type::kF32;
  map<type, type, type, type>(wave, inst, div_fixup<F32>(wave.mode.round_f32));
}
void div_fixup_f64(Wave& wave, const Inst& inst) {
  constexpr Type type = Type::kF64;
  map<type, type, type, type>(wave, inst, div_fixup<F64>(wave.mode.round_f64_f16));
}
void trig_preop_f64(Wave& wave, const Inst& inst) {
  map<Type::kF64, Type::kF64, Type::kB32>(
      wave, inst, [](double argument, u32 segment) { return two_over_pi(argument, segment); });
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
