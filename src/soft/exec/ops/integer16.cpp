// SPDX-License-Identifier: MIT
// Vector operations on 16-bit integers, packed pairs of them, and integer dot products.
#include <algorithm>

#include "soft/exec/ops/integer.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

namespace {

constexpr Type kB16 = Type::kB16, kB32 = Type::kB32, kF16 = Type::kF16, kPk = Type::kPkB16;

// The function sees 16 bits in a u32; what it leaves above them is dropped. T is how operands
// are read: u16 or i16.
template <class T>
constexpr i32 read(u32 x) {
  return static_cast<T>(x);
}

constexpr auto kAdd = [](auto a, auto b) { return a + b; };
constexpr auto kSub = [](auto a, auto b) { return a - b; };
constexpr auto kSubRev = [](auto a, auto b) { return b - a; };
constexpr auto kMad = [](auto a, auto b, auto c) { return a * b + c; };
constexpr auto kMul = [](u32 a, u32 b) { return a * b; };
constexpr auto kShl = [](u32 a, u32 b) { return b << (a & 15U); };
constexpr auto kShr = [](u32 a, u32 b) { return b >> (a & 15U); };
constexpr auto kAshr = [](u32 a, u32 b) { return static_cast<u32>(read<i16>(b) >> (a & 15U)); };

template <class T>
constexpr u32 smaller(u32 a, u32 b) {
  return static_cast<u32>(std::min(read<T>(a), read<T>(b)));
}
template <class T>
constexpr u32 larger(u32 a, u32 b) {
  return static_cast<u32>(std::max(read<T>(a), read<T>(b)));
}
template <class T>
constexpr auto kMin = [](u32 a, u32 b) { return smaller<T>(a, b); };
template <class T>
constexpr auto kMax = [](u32 a, u32 b) { return larger<T>(a, b); };
template <class T>
constexpr auto kMin3 = [](u32 a, u32 b, u32 c) { return smaller<T>(smaller<T>(a, b), c); };
template <class T>
constexpr auto kMax3 = [](u32 a, u32 b, u32 c) { return larger<T>(larger<T>(a, b), c); };
template <class T>
constexpr auto kMed3 =
    [](u32 a, u32 b, u32 c) { return larger<T>(smaller<T>(a, b), smaller<T>(larger<T>(a, b), c)); };

template <class F>
constexpr Op b16_2(std::string_view name, F f) {
  return vector_op<kB16, kB16, kB16>(name, f);
}
template <class F>
constexpr Op b16_3(std::string_view name, F f, u32 flags = kKeepsHigh) {
  return vector_op<kB16, kB16, kB16, kB16>(name, f, flags);
}
template <class F>
constexpr Op pk_2(std::string_view name, F f) {
  return vector_op<kPk, kPk, kPk>(name, f, kNoSrcModifiers);
}

// --- dot products ---

// `Bits`-wide elements of two registers, multiplied pairwise and added to c.
template <unsigned Bits, bool Signed>
constexpr auto kDot = [](auto a, auto b, auto c) {
  auto sum = c;
  for (unsigned i = 0; i < 32; i += Bits) {
    if constexpr (Signed)
      sum += sext<Bits>(a >> i) * sext<Bits>(b >> i);
    else
      sum += zext<Bits>(a >> i) * zext<Bits>(b >> i);
  }
  return sum;
};

template <class T, class F>
constexpr Op dot(std::string_view name, F f, u32 flags = 0) {
  return saturating_op<T, kB32, kB32, kB32, kB32>(name, f, flags | kNoSrcModifiers);
}

// Pairs of 16 bits with op_sel: which halves meet is the instruction's choice.
template <bool Signed>
void dot2(Wave& wave, const Inst& inst) {
  Row low[2], high[2], scratch[2], result;
  for (unsigned i = 0; i < 2; ++i) packed_rows(wave, inst, i, kPk, &low[i], &high[i]);
  const Rows c = plain_rows(wave, inst.src[2], scratch);
  Lanes lanes;
  active_lanes(wave, inst, lanes);
  for (std::size_t i = 0; i < wave.lanes; ++i) {
    using T = std::conditional_t<Signed, i16, u16>;
    using Sum = std::conditional_t<Signed, i32, u32>;
    const auto product = [&](const Row* rows) {
      return i64{static_cast<T>(rows[0].lane[i])} * static_cast<T>(rows[1].lane[i]);
    };
    const i64 sum = product(low) + product(high) + static_cast<Sum>(c.low[i]);
    result.lane[i] = inst.clamp ? saturate<Sum>(sum) : static_cast<u32>(sum);
  }
  store_row(wave, inst.dst[0].index, result, lanes.row, lanes.all);
}

constexpr Op pair_dot(std::string_view name, Handler run) {
  Op op{.name = name, .run = run, .kind = OpClass::kVector, .flags = kNoSrcModifiers};
  op.dst = {kB32};
  op.src = {kPk, kPk, kB32};
  return op;
}

// neg_lo says of each of the first two sources whether it is signed.
template <unsigned Bits, bool SignedA, bool SignedB>
void mixed_dot(Wave& wave, const Inst& inst) {
  const auto products = [](u32 a, u32 b) {
    u32 sum = 0;
    for (unsigned i = 0; i < 32; i += Bits)
      sum += (SignedA ? sext<Bits>(a >> i) : zext<Bits>(a >> i)) *
             (SignedB ? sext<Bits>(b >> i) : zext<Bits>(b >> i));
    return static_cast<i32>(sum);
  };
  if (inst.clamp)
    map<kB32, kB32, kB32, kB32>(wave, inst, [=](u32 a, u32 b, u32 c) {
      return saturate<i32>(i64{products(a, b)} + static_cast<i32>(c));
    });
  else
    map<kB32, kB32, kB32, kB32>(
        wave, inst, [=](u32 a, u32 b, u32 c) { return static_cast<u32>(products(a, b)) + c; });
}

template <unsigned Bits>
void any_mixed_dot(Wave& wave, const Inst& inst) {
  static constexpr Handler kVariants[] = {
      mixed_dot<Bits, false, false>, mixed_dot<Bits, false, true>, mixed_dot<Bits, true, false>,
      mixed_dot<Bits, true, true>};
  kVariants[(inst.src[0].neg ? 2 : 0) + (inst.src[1].neg ? 1 : 0)](wave, inst);
}

constexpr Op mixed(std::string_view name, Handler run) {
  Op op{.name = name, .run = run, .kind = OpClass::kVector, .flags = kNoSrcModifiers};
  op.dst = {kB32};
  op.src = {kB32, kB32, kB32};
  return op;
}

// --- narrowing ---

constexpr u32 pair(u32 low, u32 high) {
  return (low & 0xffffU) | (high << 16);
}
template <class T>
constexpr u32 bytes(i32 low, i32 high) {
  return zext<8>(saturate<T>(low)) | (zext<8>(saturate<T>(high)) << 8);
}
template <class T>
constexpr auto kShiftToBytes = [](u32 a, u32 b, u32 c) {
  return bytes<T>(static_cast<i32>(a) >> (c & 31U), static_cast<i32>(b) >> (c & 31U));
};

constexpr Op kOps[] = {
    vector_op<kB16, kB16>("v_not_b16", [](u32 a) { return ~a; }) | VectorRule::kNot,
    b16_2("v_and_b16", [](u32 a, u32 b) { return a & b; }) | VectorRule::kAnd,
    b16_2("v_or_b16", [](u32 a, u32 b) { return a | b; }) | VectorRule::kOr,
    b16_2("v_xor_b16", [](u32 a, u32 b) { return a ^ b; }) | VectorRule::kXor,
    b16_2("v_lshlrev_b16", kShl) | VectorRule::kShiftLeft,
    b16_2("v_lshrrev_b16", kShr) | VectorRule::kShiftRight,
    b16_2("v_ashrrev_i16", kAshr),

    saturating_op<u16, kB16, kB16, kB16>("v_add_u16", kAdd),
    saturating_op<u16, kB16, kB16, kB16>("v_sub_u16", kSub),
    saturating_op<u16, kB16, kB16, kB16>("v_subrev_u16", kSubRev),
    saturating_op<i16, kB16, kB16, kB16>("v_add_i16", kAdd, kKeepsHigh),
    saturating_op<i16, kB16, kB16, kB16>("v_sub_i16", kSub, kKeepsHigh),
    b16_2("v_mul_lo_u16", kMul),
    saturating_op<u16, kB16, kB16, kB16, kB16>("v_mad_u16", kMad, kKeepsHigh),
    saturating_op<i16, kB16, kB16, kB16, kB16>("v_mad_i16", kMad, kKeepsHigh),
    saturating_op<u16, kB16, kB16, kB16, kB16>("v_mad_legacy_u16", kMad),
    saturating_op<i16, kB16, kB16, kB16, kB16>("v_mad_legacy_i16", kMad),
    saturating_op<u32, kB32, kB16, kB16, kB32>("v_mad_u32_u16", kMad),
    saturating_op<i32, kB32, kB16, kB16, kB32>(
        "v_mad_i32_i16", [](auto a, auto b, auto c) { return sext<16>(a) * sext<16>(b) + c; }),

    b16_2("v_min_u16", kMin<u16>),
    b16_2("v_max_u16", kMax<u16>),
    b16_2("v_min_i16", kMin<i16>),
    b16_2("v_max_i16", kMax<i16>),
    b16_3("v_min3_u16", kMin3<u16>),
    b16_3("v_max3_u16", kMax3<u16>),
    b16_3("v_med3_u16", kMed3<u16>),
    b16_3("v_min3_i16", kMin3<i16>),
    b16_3("v_max3_i16", kMax3<i16>),
    b16_3("v_med3_i16", kMed3<i16>),

    saturating_op<u16, kPk, kPk, kPk>("v_pk_add_u16", kAdd, kNoSrcModifiers),
    saturating_op<u16, kPk, kPk, kPk>("v_pk_sub_u16", kSub, kNoSrcModifiers),
    saturating_op<i16, kPk, kPk, kPk>("v_pk_add_i16", kAdd, kNoSrcModifiers),
    saturating_op<i16, kPk, kPk, kPk>("v_pk_sub_i16", kSub, kNoSrcModifiers),
    saturating_op<u16, kPk, kPk, kPk, kPk>("v_pk_mad_u16", kMad, kNoSrcModifiers),
    saturating_op<i16, kPk, kPk, kPk, kPk>("v_pk_mad_i16", kMad, kNoSrcModifiers),
    pk_2("v_pk_mul_lo_u16", kMul),
    pk_2("v_pk_lshlrev_b16", kShl),
    pk_2("v_pk_lshrrev_b16", kShr),
    pk_2("v_pk_ashrrev_i16", kAshr),
    pk_2("v_pk_min_u16", kMin<u16>),
    pk_2("v_pk_max_u16", kMax<u16>),
    pk_2("v_pk_min_i16", kMin<i16>),
    pk_2("v_pk_max_i16", kMax<i16>),

    pair_dot("v_dot2_i32_i16", dot2<true>),
    pair_dot("v_dot2_u32_u16", dot2<false>),
    dot<i32>("v_dot4_i32_i8", kDot<8, true>),
    dot<u32>("v_dot4_u32_u8", kDot<8, false>),
    dot<i32>("v_dot8_i32_i4", kDot<4, true>),
    dot<u32>("v_dot8_u32_u4", kDot<4, false>),
    dot<i32>("v_dot2c_i32_i16", kDot<16, true>, kReadsDst),
    dot<i32>("v_dot4c_i32_i8", kDot<8, true>, kReadsDst),
    dot<i32>("v_dot8c_i32_i4", kDot<4, true>, kReadsDst),
    mixed("v_dot4_i32_iu8", any_mixed_dot<8>),
    mixed("v_dot8_i32_iu4", any_mixed_dot<4>),

    vector_op<kB32, kF16, kF16>("v_pack_b32_f16", [](u32 a, u32 b) { return pair(a, b); }) |
        VectorRule::kPackHalves,
    vector_op<kB32, kB32, kB32>(
        "v_cvt_pk_u16_u32", [](u32 a, u32 b) { return pair(saturate<u16>(a), saturate<u16>(b)); }),
    vector_op<kB32, kB32, kB32>("v_cvt_pk_i16_i32",
                                [](u32 a, u32 b) {
                                  return pair(saturate<i16>(static_cast<i32>(a)),
                                              saturate<i16>(static_cast<i32>(b)));
                                }),
    vector_op<kB16, kB32>("v_sat_pk_u8_i16",
                          [](u32 a) { return bytes<u8>(read<i16>(a), read<i16>(a >> 16)); }),
    vector_op<kB16, kB32, kB32, kB32>("v_ashr_pk_i8_i32", kShiftToBytes<i8>, kKeepsHigh),
    vector_op<kB16, kB32, kB32, kB32>("v_ashr_pk_u8_i32", kShiftToBytes<u8>, kKeepsHigh),
};

}  // namespace

std::span<const Op> integer16_ops() {
  return kOps;
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
