// SPDX-License-Identifier: MIT
// Vector operations on 32 and 64-bit integers and bits.
#include <algorithm>
#include <array>

#include "soft/exec/ops/integer.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

namespace {

constexpr Type kB16 = Type::kB16, kB32 = Type::kB32, kB64 = Type::kB64, kI64 = Type::kI64,
               kMask = Type::kMask;

template <class F>
constexpr Op b32_1(std::string_view name, F f) {
  return vector_op<kB32, kB32>(name, f);
}
template <class F>
constexpr Op b32_2(std::string_view name, F f) {
  return vector_op<kB32, kB32, kB32>(name, f);
}
template <class F>
constexpr Op b32_3(std::string_view name, F f) {
  return vector_op<kB32, kB32, kB32, kB32>(name, f);
}
template <class T, class F>
constexpr Op clamped_2(std::string_view name, F f) {
  return saturating_op<T, kB32, kB32, kB32>(name, f);
}
template <class T, class F>
constexpr Op clamped_3(std::string_view name, F f) {
  return saturating_op<T, kB32, kB32, kB32, kB32>(name, f);
}

constexpr i32 as_signed(u32 x) {
  return static_cast<i32>(x);
}
constexpr u32 as_bits(i32 x) {
  return static_cast<u32>(x);
}

constexpr u32 reverse_bits(u32 x) {
  x = ((x >> 1) & 0x5555'5555U) | ((x & 0x5555'5555U) << 1);
  x = ((x >> 2) & 0x3333'3333U) | ((x & 0x3333'3333U) << 2);
  x = ((x >> 4) & 0x0f0f'0f0fU) | ((x & 0x0f0f'0f0fU) << 4);
  x = ((x >> 8) & 0x00ff'00ffU) | ((x & 0x00ff'00ffU) << 8);
  return (x >> 16) | (x << 16);
}

// Zeros above the highest set bit; ~0 when there is none.
constexpr u32 first_high_bit(u32 x) {
  u32 filled = x;
  for (const unsigned step : {1U, 2U, 4U, 8U, 16U}) filled |= filled >> step;
  return x == 0 ? ~0U : popcount(~filled);
}

constexpr u32 bit_field(u32 value, u32 offset, u32 width) {
  return (value >> (offset & 31U)) & ((1U << (width & 31U)) - 1U);
}
constexpr u32 signed_bit_field(u32 value, u32 offset, u32 width) {
  const u32 bits = width & 31U;
  const u32 field = as_bits(as_signed(value) >> (offset & 31U)) & ((1U << bits) - 1U);
  const u32 sign = (1U << bits) >> 1;
  return (field ^ sign) - sign;
}

// 64-bit arithmetic on halves. Shifts by up to 63: in two steps, since 32 is not a legal shift.
constexpr Pair shifted_left(Pair x, u32 n) {
  const u32 low = x.low << (n & 31U);
  const u32 high = (x.high << (n & 31U)) | ((x.low >> 1) >> (~n & 31U));
  return n & 32U ? Pair{0, low} : Pair{low, high};
}
constexpr Pair shifted_right(Pair x, u32 n, u32 fill) {
  const u32 high = (x.high >> (n & 31U)) | ((fill << 1) << (~n & 31U));
  const u32 low = (x.low >> (n & 31U)) | ((x.high << 1) << (~n & 31U));
  return n & 32U ? Pair{high, fill} : Pair{low, high};
}
constexpr Pair sum(Pair a, Pair b) {
  const u32 low = a.low + b.low;
  return {low, a.high + b.high + (low < a.low ? 1U : 0U)};
}

// One byte of {high, low} by a selector; 8 to 11 are signs of bytes, 12 is 0x00, above is 0xff.
constexpr u32 permuted_byte(u32 high, u32 low, u32 selector) {
  const u32 from = selector & 4U ? high : low;
  const u32 byte = (from >> (8U * (selector & 3U))) & 0xffU;
  const u32 word = selector & 2U ? high : low;
  const u32 sign = (word >> (selector & 1U ? 31 : 15)) & 1U ? 0xffU : 0U;
  const u32 special = selector > 12 ? 0xffU : selector == 12 ? 0U : sign;
  return selector < 8 ? byte : special;
}
constexpr u32 permute_bytes(u32 high, u32 low, u32 selectors) {
  u32 result = 0;
  for (unsigned i = 0; i < 32; i += 8)
    result |= permuted_byte(high, low, (selectors >> i) & 0xffU) << i;
  return result;
}

#ifdef __AVX2__
__m256i load8(const u32* from) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}
__m256i at_least(__m256i bytes, u8 limit) {
  const __m256i limits = _mm256_set1_epi8(static_cast<char>(limit));
  return _mm256_cmpeq_epi8(_mm256_max_epu8(bytes, limits), bytes);
}

// Selectors of signs (8 to 11) are rare: the plain code handles them.
bool selects_signs(const u32* selectors, unsigned lanes) {
  __m256i found = _mm256_setzero_si256();
  for (std::size_t i = 0; i < lanes; i += 8) {
    const __m256i group = _mm256_and_si256(load8(selectors + i), _mm256_set1_epi8(-4));
    found = _mm256_or_si256(found, _mm256_cmpeq_epi8(group, _mm256_set1_epi8(8)));
  }
  return !_mm256_testz_si256(found, found);
}

// Shuffles pick bytes 0 to 3 of the own lane from either register; selects join them.
__m256i permute8(__m256i high, __m256i low, __m256i selectors) {
  const __m256i lane_start = _mm256_set_epi32(0x0c0c0c0c, 0x08080808, 0x04040404, 0, 0x0c0c0c0c,
                                              0x08080808, 0x04040404, 0);
  const __m256i part =
      _mm256_or_si256(_mm256_and_si256(selectors, _mm256_set1_epi8(3)), lane_start);
  const __m256i bytes =
      _mm256_blendv_epi8(_mm256_shuffle_epi8(low, part), _mm256_shuffle_epi8(high, part),
                         _mm256_slli_epi16(selectors, 5));
  return _mm256_blendv_epi8(bytes, at_least(selectors, 13), at_least(selectors, 12));
}
#endif

void perm_b32(Wave& wave, const Inst& inst) {
#ifdef __AVX2__
  if (inst.flags & kPlain) {
    Row scratch[3][2];
    const u32* rows[3];
    for (unsigned i = 0; i < 3; ++i) rows[i] = plain_rows(wave, inst.src[i], scratch[i]).low;
    if (!selects_signs(rows[2], wave.lanes)) {
      u32* to = wave.vgpr(inst.dst[0].index);
      for (std::size_t i = 0; i < wave.lanes; i += 8) {
        const __m256i result = permute8(load8(rows[0] + i), load8(rows[1] + i), load8(rows[2] + i));
        _mm256_maskstore_epi32(reinterpret_cast<int*>(to + i), load8(wave.exec_row.data() + i),
                               result);
      }
      return;
    }
  }
#endif
  map<kB32, kB32, kB32, kB32>(wave, inst,
                              [](u32 a, u32 b, u32 c) { return permute_bytes(a, b, c); });
}

constexpr auto kSumOfDistances8 = [](auto a, auto b, auto c) {
  auto sum = c;
  for (unsigned i = 0; i < 32; i += 8) sum += distance(zext<8>(a >> i), zext<8>(b >> i));
  return sum;
};
// Bytes of the reference (b) that are 0 do not count.
constexpr auto kMaskedSum8 = [](auto a, auto b, auto c) {
  auto sum = c;
  for (unsigned i = 0; i < 32; i += 8) {
    const auto reference = zext<8>(b >> i);
    sum += reference == 0 ? reference : distance(zext<8>(a >> i), reference);
  }
  return sum;
};

constexpr u32 average_bytes(u32 a, u32 b, u32 rounding) {
  u32 result = 0;
  for (unsigned i = 0; i < 32; i += 8) {
    const u32 sum = zext<8>(a >> i) + zext<8>(b >> i) + ((rounding >> i) & 1U);
    result |= zext<8>(sum >> 1) << i;
  }
  return result;
}

template <class T>
constexpr u32 smaller(u32 a, u32 b) {
  return static_cast<u32>(std::min(static_cast<T>(a), static_cast<T>(b)));
}
template <class T>
constexpr u32 larger(u32 a, u32 b) {
  return static_cast<u32>(std::max(static_cast<T>(a), static_cast<T>(b)));
}
template <class T>
constexpr u32 median(u32 a, u32 b, u32 c) {
  return larger<T>(smaller<T>(a, b), smaller<T>(larger<T>(a, b), c));
}

// --- carries ---

// With clamp an overflow gives the limit instead of the wrapped value.
template <class T, T Limit, Type D, Type... S, class F>
constexpr Op carry_op(std::string_view name, F) {
  Op op{.name = name,
        .run =
            [](Wave& wave, const Inst& inst) {
              if (inst.clamp)
                map_flagged<D, S...>(wave, inst, [](auto... value) {
                  const auto result = F{}(value...);
                  return Flagged<Value<D>>{result.flag ? Limit : result.value, result.flag};
                });
              else
                map_flagged<D, S...>(wave, inst, F{});
            },
        .kind = OpClass::kVector};
  op.dst = {D, kMask};
  op.src = {S...};
  return op;
}

constexpr Flagged<u32> add_carry(u32 a, u32 b, u32 carry) {
  const u32 sum = a + b, all = sum + (carry & 1U);
  return {all, u32{sum < a} | u32{all < sum}};
}
constexpr Flagged<u32> sub_borrow(u32 a, u32 b, u32 borrow) {
  const u32 difference = a - b, all = difference - (borrow & 1U);
  return {all, u32{a < b} | u32{difference < all}};
}

// The flag is bit 64 of the exact sum: the sign of a signed one.
void mad_i64_i32(Wave& wave, const Inst& inst) {
  const auto exact = [](u32 a, u32 b, i64 c) {
    const i64 product = i64{as_signed(a)} * as_signed(b);
    const auto sum = static_cast<i64>(static_cast<u64>(product) + static_cast<u64>(c));
    const bool overflow = ((product ^ sum) & (c ^ sum)) < 0;
    return std::pair{Flagged<i64>{sum, u32{(sum < 0) != overflow}}, overflow};
  };
  if (!inst.clamp) {
    map_flagged<kI64, kB32, kB32, kI64>(
        wave, inst, [exact](u32 a, u32 b, i64 c) { return exact(a, b, c).first; });
    return;
  }
  map_flagged<kI64, kB32, kB32, kI64>(wave, inst, [exact](u32 a, u32 b, i64 c) {
    auto [result, overflow] = exact(a, b, c);
    if (overflow)
      result.value =
          result.flag ? std::numeric_limits<i64>::min() : std::numeric_limits<i64>::max();
    return result;
  });
}

// --- quads of sums of absolute differences ---

// Four sums over the bytes at offsets 0 to 3 of a, each added to 16 bits of c.
template <const auto& Sum>
void quad_of_sums(Wave& wave, const Inst& inst) {
  const bool clamp = inst.clamp;
  map<kB64, kB64, kB32, kB64>(wave, inst, [clamp](u64 a, u32 b, u64 c) {
    u64 result = 0;
    for (unsigned i = 0; i < 4; ++i) {
      const u32 sum =
          Sum(static_cast<u32>(a >> (8 * i)), b, zext<16>(static_cast<u32>(c >> (16 * i))));
      result |= u64{clamp ? saturate<u16>(sum) : zext<16>(sum)} << (16 * i);
    }
    return result;
  });
}

// The same with four 32-bit sums in four registers.
void mqsad_u32_u8(Wave& wave, const Inst& inst) {
  if (!inst.src[2].is_vector()) {
    wave.unsupported(inst, "v_mqsad_u32_u8 with an accumulator outside vector registers");
    return;
  }
  Row scratch[2][2];
  const Rows a = modified_rows(wave, inst, 0, kB64, scratch[0]);
  const Rows b = modified_rows(wave, inst, 1, kB32, scratch[1]);
  Lanes lanes;
  active_lanes(wave, inst, lanes);
  Row results[4];
  for (unsigned part = 0; part < 4; ++part) {
    const u32* c = wave.vgpr(inst.src[2].index + part);
    for (std::size_t i = 0; i < wave.lanes; ++i) {
      const auto window = static_cast<u32>(get<kB64>(a, i) >> (8 * part));
      const i64 sum = kMaskedSum8(i64{window}, i64{b.low[i]}, i64{c[i]});
      results[part].lane[i] = inst.clamp ? saturate<u32>(sum) : static_cast<u32>(sum);
    }
  }
  for (unsigned part = 0; part < 4; ++part)
    store_row(wave, inst.dst[0].index + part, results[part], lanes.row, lanes.all);
}

constexpr Op wide_sums(std::string_view name, Handler run, Type type) {
  Op op{.name = name, .run = run, .kind = OpClass::kVector};
  op.dst = {type};
  op.src = {kB64, kB32, type};
  return op;
}

// --- bits ---

// A truth table of three inputs: the index of an entry is (a << 2) | (b << 1) | c.
void bitop3(Wave& wave, const Inst& inst, auto&& run) {
  const u32 table = inst.bitop3;
  run(wave, inst, [table](u32 a, u32 b, u32 c) {
    u32 result = 0;
    for (unsigned entry = 0; entry < 8; ++entry) {
      const u32 match = (entry & 4U ? a : ~a) & (entry & 2U ? b : ~b) & (entry & 1U ? c : ~c);
      result |= match & -((table >> entry) & 1U);
    }
    return result;
  });
}
void bitop3_b32(Wave& wave, const Inst& inst) {
  bitop3(wave, inst, [](Wave& w, const Inst& i, auto f) { map<kB32, kB32, kB32, kB32>(w, i, f); });
}
void bitop3_b16(Wave& wave, const Inst& inst) {
  bitop3(wave, inst, [](Wave& w, const Inst& i, auto f) { map<kB16, kB16, kB16, kB16>(w, i, f); });
}

constexpr Op three(std::string_view name, Handler run, Type type, u32 flags = 0) {
  Op op{.name = name, .run = run, .kind = OpClass::kVector, .flags = flags};
  op.dst = {type};
  op.src = {type, type, type};
  return op;
}

// For each lane the bits of a 32-bit mask that belong to lanes before it: the mask's first lane is
// lane 0 or lane 32.
template <unsigned First>
constexpr std::array<u32, 64> kBelow = [] {
  std::array<u32, 64> masks{};
  for (unsigned i = 0; i < 64; ++i) {
    const unsigned below = i < First ? 0 : i - First;
    masks[i] = below >= 32 ? ~0U : (1U << below) - 1U;
  }
  return masks;
}();

template <unsigned First>
void count_below(Wave& wave, const Inst& inst) {
  Rows rows[2];
  Row scratch[2][2];
  source_rows<kB32, kB32>(wave, inst, rows, scratch, std::make_index_sequence<2>());
  Lanes lanes;
  active_lanes(wave, inst, lanes);
  Row result;
  for (std::size_t base = 0; base < wave.lanes; base += kChunk)
    for (std::size_t i = base; i < base + kChunk; ++i)
      result.lane[i] = popcount(rows[0].low[i] & kBelow<First>[i]) + rows[1].low[i];
  store_row(wave, inst.dst[0].index, result, lanes.row, lanes.all);
}

constexpr Op counting(std::string_view name, Handler run) {
  Op op{.name = name, .run = run, .kind = OpClass::kVector};
  op.dst = {kB32};
  op.src = {kB32, kB32};
  return op;
}

using Rule = VectorRule;

constexpr Op kOps[] = {
    // Logic
    b32_1("v_not_b32", [](u32 a) { return ~a; }) | Rule::kNot,
    b32_2("v_and_b32", [](u32 a, u32 b) { return a & b; }) | Rule::kAnd,
    b32_2("v_or_b32", [](u32 a, u32 b) { return a | b; }) | Rule::kOr,
    b32_2("v_xor_b32", [](u32 a, u32 b) { return a ^ b; }) | Rule::kXor,
    b32_2("v_xnor_b32", [](u32 a, u32 b) { return ~(a ^ b); }) | Rule::kXor,
    b32_3("v_and_or_b32", [](u32 a, u32 b, u32 c) { return (a & b) | c; }) | Rule::kAndOr,
    b32_3("v_or3_b32", [](u32 a, u32 b, u32 c) { return a | b | c; }) | Rule::kOr3,
    b32_3("v_xor3_b32", [](u32 a, u32 b, u32 c) { return a ^ b ^ c; }) | Rule::kXor3,
    b32_3("v_xad_u32", [](u32 a, u32 b, u32 c) { return (a ^ b) + c; }),
    three("v_bitop3_b32", bitop3_b32, kB32),
    three("v_bitop3_b16", bitop3_b16, kB16, kKeepsHigh),

    // Shifts
    b32_2("v_lshlrev_b32", [](u32 a, u32 b) { return b << (a & 31U); }) | Rule::kShiftLeft,
    b32_2("v_lshrrev_b32", [](u32 a, u32 b) { return b >> (a & 31U); }) | Rule::kShiftRight,
    b32_2("v_ashrrev_i32", [](u32 a, u32 b) { return as_bits(as_signed(b) >> (a & 31U)); }) |
        Rule::kShiftRightSigned,
    vector_op<kB64, kB32, kB64>("v_lshlrev_b64",
                                split([](u32 a, Pair b) { return shifted_left(b, a & 63U); })) |
        Rule::kWideShiftLeft,
    vector_op<kB64, kB32, kB64>("v_lshrrev_b64",
                                split([](u32 a, Pair b) { return shifted_right(b, a & 63U, 0); })) |
        Rule::kWideShiftRight,
    vector_op<kI64, kB32, kI64>("v_ashrrev_i64", split([](u32 a, Pair b) {
                                  const u32 sign = as_bits(as_signed(b.high) >> 31);
                                  return shifted_right(b, a & 63U, sign);
                                })),
    b32_3("v_lshl_add_u32", [](u32 a, u32 b, u32 c) { return (a << (b & 31U)) + c; }) |
        Rule::kShiftLeftAdd,
    b32_3("v_add_lshl_u32", [](u32 a, u32 b, u32 c) { return (a + b) << (c & 31U); }) |
        Rule::kAddShiftLeft,
    b32_3("v_lshl_or_b32", [](u32 a, u32 b, u32 c) { return (a << (b & 31U)) | c; }) |
        Rule::kShiftLeftOr,
    vector_op<kB64, kB64, kB32, kB64>("v_lshl_add_u64", split([](Pair a, u32 b, Pair c) {
                                        return sum(shifted_left(a, b & 7U), c);
                                      })) |
        Rule::kWideSum,
    vector_op<kB32, kB32, kB32, kB16>("v_alignbit_b32",
                                      [](u32 a, u32 b, u32 c) {
                                        const u32 n = c & 31U;
                                        return (b >> n) | ((a << 1) << (31U - n));
                                      }) |
        Rule::kAlignBit,
    vector_op<kB32, kB32, kB32, kB16>("v_alignbyte_b32",
                                      [](u32 a, u32 b, u32 c) {
                                        const u32 n = (c & 3U) * 8U;
                                        return (b >> n) | ((a << 1) << (31U - n));
                                      }) |
        Rule::kAlignByte,

    // Fields and counts
    b32_3("v_bfe_u32", [](u32 a, u32 b, u32 c) { return bit_field(a, b, c); }) | Rule::kExtract,
    b32_3("v_bfe_i32", [](u32 a, u32 b, u32 c) { return signed_bit_field(a, b, c); }) |
        Rule::kExtractSigned,
    b32_3("v_bfi_b32", [](u32 a, u32 b, u32 c) { return (a & b) | (~a & c); }) | Rule::kInsert,
    b32_2("v_bfm_b32", [](u32 a, u32 b) { return ((1U << (a & 31U)) - 1U) << (b & 31U); }),
    b32_1("v_bfrev_b32", [](u32 a) { return reverse_bits(a); }),
    b32_1("v_ffbh_u32", [](u32 a) { return first_high_bit(a); }),
    b32_1("v_ffbh_i32", [](u32 a) { return first_high_bit(as_signed(a) < 0 ? ~a : a); }),
    b32_1("v_ffbl_b32", [](u32 a) { return a == 0 ? ~0U : popcount(~a & (a - 1U)); }),
    b32_2("v_bcnt_u32_b32", [](u32 a, u32 b) { return popcount(a) + b; }),
    counting("v_mbcnt_lo_u32_b32", count_below<0>),
    counting("v_mbcnt_hi_u32_b32", count_below<32>),
    three("v_perm_b32", perm_b32, kB32) | Rule::kPermute,
    // A step of a linear feedback shift register.
    b32_1("v_prng_b32", [](u32 a) { return (a << 1) ^ (as_signed(a) < 0 ? 197U : 0U); }),

    // Sums
    clamped_2<u32>("v_add_u32", [](auto a, auto b) { return a + b; }) | Rule::kSum,
    clamped_2<u32>("v_sub_u32", [](auto a, auto b) { return a - b; }) | Rule::kSum,
    clamped_2<u32>("v_subrev_u32", [](auto a, auto b) { return b - a; }) | Rule::kSum,
    clamped_2<i32>("v_add_i32", [](auto a, auto b) { return a + b; }) | Rule::kSum,
    clamped_2<i32>("v_sub_i32", [](auto a, auto b) { return a - b; }) | Rule::kSum,
    b32_3("v_add3_u32", [](u32 a, u32 b, u32 c) { return a + b + c; }) | Rule::kSum,
    carry_op<u32, ~0U, kB32, kB32, kB32>("v_add_co_u32",
                                         [](u32 a, u32 b) { return add_carry(a, b, 0); }),
    carry_op<u32, 0U, kB32, kB32, kB32>("v_sub_co_u32",
                                        [](u32 a, u32 b) { return sub_borrow(a, b, 0); }),
    carry_op<u32, 0U, kB32, kB32, kB32>("v_subrev_co_u32",
                                        [](u32 a, u32 b) { return sub_borrow(b, a, 0); }),
    carry_op<u32, ~0U, kB32, kB32, kB32, kMask>(
        "v_addc_co_u32", [](u32 a, u32 b, u32 c) { return add_carry(a, b, c); }),
    carry_op<u32, 0U, kB32, kB32, kB32, kMask>(
        "v_subb_co_u32", [](u32 a, u32 b, u32 c) { return sub_borrow(a, b, c); }),
    carry_op<u32, 0U, kB32, kB32, kB32, kMask>(
        "v_subbrev_co_u32", [](u32 a, u32 b, u32 c) { return sub_borrow(b, a, c); }),

    // Products
    b32_2("v_mul_lo_u32", [](u32 a, u32 b) { return a * b; }) | Rule::kSum,
    b32_2("v_mul_hi_u32", [](u32 a, u32 b) { return static_cast<u32>((u64{a} * b) >> 32); }),
    b32_2("v_mul_hi_i32",
          [](u32 a, u32 b) { return static_cast<u32>((i64{as_signed(a)} * as_signed(b)) >> 32); }),
    clamped_2<u32>("v_mul_u32_u24", [](auto a, auto b) { return zext<24>(a) * zext<24>(b); }) |
        Rule::kSum24,
    clamped_2<i32>("v_mul_i32_i24", [](auto a, auto b) { return sext<24>(a) * sext<24>(b); }) |
        Rule::kSum24,
    b32_2("v_mul_hi_u32_u24",
          [](u32 a, u32 b) { return static_cast<u32>((u64{zext<24>(a)} * zext<24>(b)) >> 32); }),
    b32_2("v_mul_hi_i32_i24",
          [](u32 a, u32 b) {
            const i64 product = i64{as_signed(sext<24>(a))} * as_signed(sext<24>(b));
            return static_cast<u32>(product >> 32);
          }),
    clamped_3<u32>("v_mad_u32_u24",
                   [](auto a, auto b, auto c) { return zext<24>(a) * zext<24>(b) + c; }) |
        Rule::kSum24,
    clamped_3<i32>("v_mad_i32_i24",
                   [](auto a, auto b, auto c) { return sext<24>(a) * sext<24>(b) + c; }) |
        Rule::kSum24,
    carry_op<u64, ~u64{0}, kB64, kB32, kB32, kB64>("v_mad_u64_u32",
                                                   [](u32 a, u32 b, u64 c) {
                                                     const u64 sum = u64{a} * b + c;
                                                     return Flagged<u64>{sum, u32{sum < c}};
                                                   }) |
        Rule::kWideSum,
    Op{.name = "v_mad_i64_i32",
       .run = mad_i64_i32,
       .kind = OpClass::kVector,
       .dst = {kI64, kMask},
       .src = {kB32, kB32, kI64}} |
        Rule::kWideSum,

    // Order
    b32_2("v_min_u32", [](u32 a, u32 b) { return smaller<u32>(a, b); }),
    b32_2("v_max_u32", [](u32 a, u32 b) { return larger<u32>(a, b); }),
    b32_2("v_min_i32", [](u32 a, u32 b) { return smaller<i32>(a, b); }),
    b32_2("v_max_i32", [](u32 a, u32 b) { return larger<i32>(a, b); }),
    b32_3("v_min3_u32", [](u32 a, u32 b, u32 c) { return smaller<u32>(smaller<u32>(a, b), c); }),
    b32_3("v_max3_u32", [](u32 a, u32 b, u32 c) { return larger<u32>(larger<u32>(a, b), c); }),
    b32_3("v_min3_i32", [](u32 a, u32 b, u32 c) { return smaller<i32>(smaller<i32>(a, b), c); }),
    b32_3("v_max3_i32", [](u32 a, u32 b, u32 c) { return larger<i32>(larger<i32>(a, b), c); }),
    b32_3("v_med3_u32", [](u32 a, u32 b, u32 c) { return median<u32>(a, b, c); }),
    b32_3("v_med3_i32", [](u32 a, u32 b, u32 c) { return median<i32>(a, b, c); }),
    b32_3("v_minmax_u32", [](u32 a, u32 b, u32 c) { return larger<u32>(smaller<u32>(a, b), c); }),
    b32_3("v_maxmin_u32", [](u32 a, u32 b, u32 c) { return smaller<u32>(larger<u32>(a, b), c); }),
    b32_3("v_minmax_i32", [](u32 a, u32 b, u32 c) { return larger<i32>(smaller<i32>(a, b), c); }),
    b32_3("v_maxmin_i32", [](u32 a, u32 b, u32 c) { return smaller<i32>(larger<i32>(a, b), c); }),

    // Bytes
    b32_3("v_lerp_u8", [](u32 a, u32 b, u32 c) { return average_bytes(a, b, c); }),
    clamped_3<u32>("v_sad_u8", kSumOfDistances8),
    clamped_3<u32>("v_msad_u8", kMaskedSum8),
    clamped_3<u32>(
        "v_sad_hi_u8",
        [](auto a, auto b, auto c) { return (kSumOfDistances8(a, b, decltype(a){0}) << 16) + c; }),
    clamped_3<u32>("v_sad_u16",
                   [](auto a, auto b, auto c) {
                     return distance(zext<16>(a), zext<16>(b)) +
                            distance(zext<16>(a >> 16), zext<16>(b >> 16)) + c;
                   }),
    clamped_3<u32>("v_sad_u32", [](auto a, auto b, auto c) { return distance(a, b) + c; }),
    wide_sums("v_qsad_pk_u16_u8", quad_of_sums<kSumOfDistances8>, kB64),
    wide_sums("v_mqsad_pk_u16_u8", quad_of_sums<kMaskedSum8>, kB64),
    wide_sums("v_mqsad_u32_u8", mqsad_u32_u8, Type::kWide),
};

}  // namespace

std::span<const Op> integer_ops() {
  return kOps;
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
