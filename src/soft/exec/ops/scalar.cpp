// SPDX-License-Identifier: MIT
// SOP1, SOP2, SOPC and SOPK on integers and masks. scalar_float.cpp has the float ones.
#include <array>
#include <bit>
#include <cstdint>

#include "soft/exec/ops/ops.h"
#include "soft/exec/ops/scalar.h"
#include "soft/exec/wave.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

namespace {

constexpr Type kB32 = Type::kB32;
constexpr Type kB64 = Type::kB64;
constexpr Type kI64 = Type::kI64;

using i32 = std::int32_t;
using i64 = std::int64_t;

constexpr i32 s(u32 value) {
  return static_cast<i32>(value);
}
constexpr i64 s(u64 value) {
  return static_cast<i64>(value);
}
constexpr u32 imm_signed(u32 imm) {
  return static_cast<u32>(static_cast<std::int16_t>(imm));
}
constexpr u32 imm_unsigned(u32 imm) {
  return imm & 0xffffU;
}

// --- arithmetic ---

constexpr Out<u32> add_carry(u32 a, u32 b, u32 carry) {
  const u64 sum = u64{a} + b + carry;
  return {static_cast<u32>(sum), (sum >> 32) != 0};
}
constexpr Out<u32> sub_borrow(u32 a, u32 b, u32 borrow) {
  return {a - b - borrow, u64{a} < u64{b} + borrow};
}
constexpr Out<u32> add_signed(u32 a, u32 b) {
  const i64 sum = i64{s(a)} + s(b);
  return {static_cast<u32>(sum), sum != s(static_cast<u32>(sum))};
}
constexpr Out<u32> sub_signed(u32 a, u32 b) {
  const i64 difference = i64{s(a)} - s(b);
  return {static_cast<u32>(difference), difference != s(static_cast<u32>(difference))};
}
constexpr u32 magnitude(u32 value) {
  return s(value) < 0 ? 0U - value : value;
}
constexpr Out<u32> shift_add(u32 a, u32 b, unsigned shift) {
  const u64 sum = (u64{a} << shift) + b;
  return {static_cast<u32>(sum), (sum >> 32) != 0};
}

// --- bit fields: offset in the low bits of the second source, width in [22:16] ---

template <class T>
constexpr T ones(u32 width) {
  return width >= sizeof(T) * 8 ? ~T{0} : (T{1} << width) - 1;
}
template <class T>
constexpr T extract(T value, u32 field) {
  return (value >> (field & (sizeof(T) * 8 - 1))) & ones<T>((field >> 16) & 0x7fU);
}
template <class T>
constexpr T extract_signed(T value, u32 field) {
  constexpr u32 bits = sizeof(T) * 8;
  const u32 width = (field >> 16) & 0x7fU;
  const T shifted = static_cast<T>(s(value) >> (field & (bits - 1)));
  if (width == 0) return 0;
  if (width >= bits) return shifted;
  return static_cast<T>(s(static_cast<T>(shifted << (bits - width))) >> (bits - width));
}

// --- counting; -1 when there is nothing to find ---

template <class T>
constexpr u32 first_one(T value) {
  return value == 0 ? ~0U : static_cast<u32>(std::countr_zero(value));
}
template <class T>
constexpr u32 leading_zeros(T value) {
  return value == 0 ? ~0U : static_cast<u32>(std::countl_zero(value));
}
// Leading bits that equal the sign.
template <class T>
constexpr u32 leading_signs(T value) {
  return leading_zeros<T>(s(value) < 0 ? static_cast<T>(~value) : value);
}

template <class T>
constexpr T reverse(T value) {
  T result = 0;
  for (unsigned i = 0; i < sizeof(T) * 8; ++i)
    result |= ((value >> i) & 1U) << (sizeof(T) * 8 - 1 - i);
  return result;
}
template <class T>
constexpr T quads(T value) {
  T result = 0;
  for (unsigned i = 0; i < sizeof(T) * 2; ++i)
    if ((value >> (4 * i)) & 0xfU) result |= T{1} << i;
  return result;
}
template <class T>
constexpr T whole_quads(T value) {
  T result = 0;
  for (unsigned i = 0; i < sizeof(T) * 2; ++i)
    if ((value >> (4 * i)) & 0xfU) result |= T{0xf} << (4 * i);
  return result;
}
constexpr u64 replicate(u32 value) {
  u64 result = 0;
  for (unsigned i = 0; i < 32; ++i) result |= ((u64{value} >> i) & 1U) * 3 << (2 * i);
  return result;
}

// --- families ---

using Rule = ScalarRule;

// A function of bits that says how undefined ones go through it.
template <Rule kRule, class F>
struct Logic : F {};
template <Rule kRule, class F>
constexpr Logic<kRule, F> logic(F function) {
  return {function};
}
template <class F>
constexpr Rule rule_of = Rule::kWhole;
template <Rule kRule, class F>
constexpr Rule rule_of<Logic<kRule, F>> = kRule;

// SCC: whether the result is not zero.
template <Type T, class F>
constexpr Op bitwise(std::string_view name, F) {
  return scalar_op<T, T, T>(
             name, [](auto a, auto b) { return nonzero(F{}(a, b)); }, kSccIsZeroTest) |
         rule_of<F>;
}
template <Type T, class F>
constexpr Op shift(std::string_view name, F) {
  return scalar_op<T, T, kB32>(
             name, [](auto a, u32 count) { return nonzero(F{}(a, count & (sizeof(a) * 8 - 1))); },
             kSccIsZeroTest) |
         rule_of<F>;
}
template <Type T, class F>
constexpr Op compare(std::string_view name, F) {
  return compare_op<T, T>(name, F{}) | rule_of<F>;
}
// SOPK compares: the immediate is one of 16 bits.
template <bool kSigned, class F>
constexpr Op compare_imm(std::string_view name, F) {
  return compare_op<kB32, kB32>(name,
                                [](u32 a, u32 imm) {
                                  if constexpr (kSigned) return F{}(s(a), s(imm_signed(imm)));
                                  return F{}(a, imm_unsigned(imm));
                                }) |
         rule_of<F>;
}

// EXEC = f(source, EXEC). The destination gets the old EXEC, or the new one (wrexec).
template <Type T, bool kNewToDst, class F>
void change_exec(Wave& wave, const Inst& inst) {
  using W = Word<T>;
  const W source = source_word<T>(wave, inst.src[0]);
  const W old = sizeof(W) == 8
                    ? static_cast<W>(wave.scalars[kExecLo] | (u64{wave.scalars[kExecHi]} << 32))
                    : static_cast<W>(wave.scalars[kExecLo]);
  const W now = F{}(source, old);
  wave.scalars[kExecLo] = static_cast<u32>(now);
  if constexpr (sizeof(W) == 8) wave.scalars[kExecHi] = static_cast<u32>(now >> 32);
  write_word<T>(wave, inst.dst[0], kNewToDst ? now : old);
  wave.set_scc(now != 0);
}
template <Type T, bool kNewToDst, class F>
constexpr Op exec_op(std::string_view name, F) {
  Op op{.name = name, .run = change_exec<T, kNewToDst, F>, .kind = OpClass::kScalar};
  op.dst = {T};
  op.src = {T};
  op.flags = kReadsExec | kImplicitExecDst | kWritesScc | kSccIsZeroTest |
             (kNewToDst ? u32{kNewExecToDst} : 0U);
  return op | rule_of<F>;
}

// --- M0-relative moves ---

bool register_in_range(Wave& wave, const Inst& inst, u64 index, unsigned dwords) {
  if (index + dwords <= kVccHi + 1U && (dwords == 1 || index % 2 == 0)) return true;
  wave.unsupported(inst, "the register that m0 selects does not exist");
  return false;
}
template <Type T, bool kSource, bool kDst, bool kTwo>
void move_relative(Wave& wave, const Inst& inst) {
  constexpr unsigned dwords = sizeof(Word<T>) / 4;
  const u32 m0 = wave.scalars[kM0];
  Operand from = inst.src[0];
  Operand to = inst.dst[0];
  const u64 source = u64{from.index} + (kSource ? (kTwo ? m0 & 0x3ffU : m0) : 0U);
  const u64 dest = u64{to.index} + (kDst ? (kTwo ? (m0 >> 16) & 0x3ffU : m0) : 0U);
  if (kSource && !register_in_range(wave, inst, source, dwords)) return;
  if (kDst && !register_in_range(wave, inst, dest, dwords)) return;
  from.index = static_cast<std::uint16_t>(source);
  to.index = static_cast<std::uint16_t>(dest);
  write_word<T>(wave, to, source_word<T>(wave, from));
}
template <Type T, bool kSource, bool kDst, bool kTwo = false>
constexpr Op relative_op(std::string_view name) {
  Op op{.name = name, .run = move_relative<T, kSource, kDst, kTwo>, .kind = OpClass::kScalar};
  op.dst = {T};
  op.src = {T};
  op.flags = kReadsM0 | kMayFault;
  return op;
}

constexpr auto kAnd = logic<Rule::kAnd>([](auto a, auto b) { return a & b; });
constexpr auto kOr = logic<Rule::kOr>([](auto a, auto b) { return a | b; });
constexpr auto kXor = logic<Rule::kXor>([](auto a, auto b) { return a ^ b; });
constexpr auto kAndNot = logic<Rule::kAndNot>([](auto a, auto b) { return a & ~b; });
constexpr auto kOrNot = logic<Rule::kOrNot>([](auto a, auto b) { return a | ~b; });
constexpr auto kNotAnd = logic<Rule::kNotAnd>([](auto a, auto b) { return ~a & b; });
constexpr auto kNotOr = logic<Rule::kNotOr>([](auto a, auto b) { return ~a | b; });
constexpr auto kNand = logic<Rule::kNand>([](auto a, auto b) { return ~(a & b); });
constexpr auto kNor = logic<Rule::kNor>([](auto a, auto b) { return ~(a | b); });
constexpr auto kXnor = logic<Rule::kXor>([](auto a, auto b) { return ~(a ^ b); });
constexpr auto kLeft = logic<Rule::kShiftLeft>([](auto a, u32 n) { return a << n; });
constexpr auto kRight = logic<Rule::kShiftRight>([](auto a, u32 n) { return a >> n; });
constexpr auto kArithmetic = logic<Rule::kShiftRightSigned>(
    [](auto a, u32 n) { return static_cast<decltype(a)>(s(a) >> n); });
constexpr auto kEq = logic<Rule::kEqual>([](auto a, auto b) { return a == b; });
constexpr auto kNe = logic<Rule::kEqual>([](auto a, auto b) { return a != b; });
constexpr auto kGt = [](auto a, auto b) { return a > b; };
constexpr auto kGe = [](auto a, auto b) { return a >= b; };
constexpr auto kLt = [](auto a, auto b) { return a < b; };
constexpr auto kLe = [](auto a, auto b) { return a <= b; };

template <class F>
constexpr Op compare_signed(std::string_view name, F) {
  return compare<kB32>(name, [](u32 a, u32 b) { return F{}(s(a), s(b)); }) | rule_of<F>;
}

// The 32 and 64-bit forms of one name.
constexpr Op kSop2[] = {
    // SCC: carry out, borrow out, or signed overflow.
    scalar_op<kB32, kB32, kB32>("s_add_u32", [](u32 a, u32 b) { return add_carry(a, b, 0); }) |
        Rule::kSum,
    scalar_op<kB32, kB32, kB32>("s_sub_u32", [](u32 a, u32 b) { return sub_borrow(a, b, 0); }) |
        Rule::kSum,
    scalar_op<kB32, kB32, kB32>("s_add_i32", [](u32 a, u32 b) { return add_signed(a, b); }) |
        Rule::kSum,
    scalar_op<kB32, kB32, kB32>("s_sub_i32", [](u32 a, u32 b) { return sub_signed(a, b); }) |
        Rule::kSum,
    scalar_op<kB32, kB32, kB32>("s_addc_u32",
                                [](Scc scc, u32 a, u32 b) { return add_carry(a, b, scc.value); }) |
        Rule::kSum,
    scalar_op<kB32, kB32, kB32>("s_subb_u32",
                                [](Scc scc, u32 a, u32 b) { return sub_borrow(a, b, scc.value); }) |
        Rule::kSum,
    scalar_op<kB64, kB64, kB64>("s_add_nc_u64", [](u64 a, u64 b) { return a + b; }) | Rule::kSum,
    scalar_op<kB64, kB64, kB64>("s_sub_nc_u64", [](u64 a, u64 b) { return a - b; }) | Rule::kSum,
    scalar_op<kB64, kB64, kB64>("s_mul_u64", [](u64 a, u64 b) { return a * b; }) | Rule::kSum,
    // SCC: the first source was taken. Equal sources: the second one, as hardware shows for
    // both directions (the manuals' pseudocode of max has >=).
    scalar_op<kB32, kB32, kB32>("s_min_i32",
                                [](u32 a, u32 b) { return chosen(s(a) < s(b), a, b); }),
    scalar_op<kB32, kB32, kB32>("s_min_u32", [](u32 a, u32 b) { return chosen(a < b, a, b); }),
    scalar_op<kB32, kB32, kB32>("s_max_i32",
                                [](u32 a, u32 b) { return chosen(s(a) > s(b), a, b); }),
    scalar_op<kB32, kB32, kB32>("s_max_u32", [](u32 a, u32 b) { return chosen(a > b, a, b); }),
    scalar_op<kB32, kB32, kB32>("s_cselect_b32",
                                [](Scc scc, u32 a, u32 b) { return scc.value ? a : b; }) |
        Rule::kSelect,
    scalar_op<kB64, kB64, kB64>("s_cselect_b64",
                                [](Scc scc, u64 a, u64 b) { return scc.value ? a : b; }) |
        Rule::kSelect,
    bitwise<kB32>("s_and_b32", kAnd),
    bitwise<kB64>("s_and_b64", kAnd),
    bitwise<kB32>("s_or_b32", kOr),
    bitwise<kB64>("s_or_b64", kOr),
    bitwise<kB32>("s_xor_b32", kXor),
    bitwise<kB64>("s_xor_b64", kXor),
    bitwise<kB32>("s_andn2_b32", kAndNot),
    bitwise<kB64>("s_andn2_b64", kAndNot),
    bitwise<kB32>("s_orn2_b32", kOrNot),
    bitwise<kB64>("s_orn2_b64", kOrNot),
    bitwise<kB32>("s_nand_b32", kNand),
    bitwise<kB64>("s_nand_b64", kNand),
    bitwise<kB32>("s_nor_b32", kNor),
    bitwise<kB64>("s_nor_b64", kNor),
    bitwise<kB32>("s_xnor_b32", kXnor),
    bitwise<kB64>("s_xnor_b64", kXnor),
    shift<kB32>("s_lshl_b32", kLeft),
    shift<kB64>("s_lshl_b64", kLeft),
    shift<kB32>("s_lshr_b32", kRight),
    shift<kB64>("s_lshr_b64", kRight),
    shift<kB32>("s_ashr_i32", kArithmetic),
    shift<kI64>("s_ashr_i64", kArithmetic),
    scalar_op<kB32, kB32, kB32>("s_bfm_b32",
                                [](u32 a, u32 b) { return ((1U << (a & 31U)) - 1U) << (b & 31U); }),
    scalar_op<kB64, kB32, kB32>(
        "s_bfm_b64", [](u32 a, u32 b) { return ((u64{1} << (a & 63U)) - 1U) << (b & 63U); }),
    scalar_op<kB32, kB32, kB32>("s_mul_i32", [](u32 a, u32 b) { return a * b; }) | Rule::kSum,
    scalar_op<kB32, kB32, kB32>("s_mul_hi_u32",
                                [](u32 a, u32 b) { return static_cast<u32>((u64{a} * b) >> 32); }),
    scalar_op<kB32, kB32, kB32>(
        "s_mul_hi_i32", [](u32 a, u32 b) { return static_cast<u32>((i64{s(a)} * s(b)) >> 32); }),
    scalar_op<kB32, kB32, kB32>(
        "s_bfe_u32", [](u32 a, u32 b) { return nonzero(extract<u32>(a, b)); }, kSccIsZeroTest) |
        Rule::kExtract,
    scalar_op<kB64, kB64, kB32>(
        "s_bfe_u64", [](u64 a, u32 b) { return nonzero(extract<u64>(a, b)); }, kSccIsZeroTest) |
        Rule::kExtract,
    scalar_op<kB32, kB32, kB32>(
        "s_bfe_i32", [](u32 a, u32 b) { return nonzero(extract_signed<u32>(a, b)); },
        kSccIsZeroTest) |
        Rule::kExtract,
    scalar_op<kI64, kI64, kB32>(
        "s_bfe_i64", [](u64 a, u32 b) { return nonzero(extract_signed<u64>(a, b)); },
        kSccIsZeroTest) |
        Rule::kExtract,
    scalar_op<kB32, kB32, kB32>("s_absdiff_i32",
                                [](u32 a, u32 b) { return nonzero(magnitude(a - b)); }),
    scalar_op<kB32, kB32, kB32>("s_lshl1_add_u32", [](u32 a, u32 b) { return shift_add(a, b, 1); }),
    scalar_op<kB32, kB32, kB32>("s_lshl2_add_u32", [](u32 a, u32 b) { return shift_add(a, b, 2); }),
    scalar_op<kB32, kB32, kB32>("s_lshl3_add_u32", [](u32 a, u32 b) { return shift_add(a, b, 3); }),
    scalar_op<kB32, kB32, kB32>("s_lshl4_add_u32", [](u32 a, u32 b) { return shift_add(a, b, 4); }),
    scalar_op<kB32, kB32, kB32>("s_pack_ll_b32_b16",
                                [](u32 a, u32 b) { return (a & 0xffffU) | (b << 16); }) |
        Rule::kPackLowLow,
    scalar_op<kB32, kB32, kB32>("s_pack_lh_b32_b16",
                                [](u32 a, u32 b) { return (a & 0xffffU) | (b & 0xffff0000U); }) |
        Rule::kPackLowHigh,
    scalar_op<kB32, kB32, kB32>("s_pack_hh_b32_b16",
                                [](u32 a, u32 b) { return (a >> 16) | (b & 0xffff0000U); }) |
        Rule::kPackHighHigh,
    scalar_op<kB32, kB32, kB32>("s_pack_hl_b32_b16",
                                [](u32 a, u32 b) { return (a >> 16) | (b << 16); }),
};

constexpr Op kSop1[] = {
    scalar_op<kB32, kB32>("s_mov_b32", [](u32 a) { return a; }) | Rule::kMove,
    scalar_op<kB64, kB64>("s_mov_b64", [](u64 a) { return a; }) | Rule::kMove,
    scalar_op<kB32, kB32, kB32>(
        "s_cmov_b32", [](Scc scc, u32 a, u32 old) { return scc.value ? a : old; }, kReadsDst) |
        Rule::kSelect,
    scalar_op<kB64, kB64, kB64>(
        "s_cmov_b64", [](Scc scc, u64 a, u64 old) { return scc.value ? a : old; }, kReadsDst) |
        Rule::kSelect,
    scalar_op<kB32, kB32>(
        "s_not_b32", [](u32 a) { return nonzero(~a); }, kSccIsZeroTest) |
        Rule::kNot,
    scalar_op<kB64, kB64>(
        "s_not_b64", [](u64 a) { return nonzero(~a); }, kSccIsZeroTest) |
        Rule::kNot,
    scalar_op<kB32, kB32>("s_wqm_b32", [](u32 a) { return nonzero(whole_quads(a)); }),
    scalar_op<kB64, kB64>("s_wqm_b64", [](u64 a) { return nonzero(whole_quads(a)); }),
    scalar_op<kB32, kB32>("s_quadmask_b32", [](u32 a) { return nonzero(quads(a)); }),
    scalar_op<kB64, kB64>("s_quadmask_b64", [](u64 a) { return nonzero(quads(a)); }),
    scalar_op<kB32, kB32>("s_brev_b32", [](u32 a) { return reverse(a); }),
    scalar_op<kB64, kB64>("s_brev_b64", [](u64 a) { return reverse(a); }),
    scalar_op<kB32, kB32>("s_bcnt0_i32_b32",
                          [](u32 a) { return nonzero(static_cast<u32>(std::popcount(~a))); }),
    scalar_op<kB32, kB64>("s_bcnt0_i32_b64",
                          [](u64 a) { return nonzero(static_cast<u32>(std::popcount(~a))); }),
    scalar_op<kB32, kB32>("s_bcnt1_i32_b32",
                          [](u32 a) { return nonzero(static_cast<u32>(std::popcount(a))); }),
    scalar_op<kB32, kB64>("s_bcnt1_i32_b64",
                          [](u64 a) { return nonzero(static_cast<u32>(std::popcount(a))); }),
    scalar_op<kB32, kB32>("s_ff0_i32_b32", [](u32 a) { return first_one<u32>(~a); }),
    scalar_op<kB32, kB64>("s_ff0_i32_b64", [](u64 a) { return first_one<u64>(~a); }),
    scalar_op<kB32, kB32>("s_ff1_i32_b32", [](u32 a) { return first_one<u32>(a); }),
    scalar_op<kB32, kB64>("s_ff1_i32_b64", [](u64 a) { return first_one<u64>(a); }),
    scalar_op<kB32, kB32>("s_flbit_i32_b32", [](u32 a) { return leading_zeros<u32>(a); }),
    scalar_op<kB32, kB64>("s_flbit_i32_b64", [](u64 a) { return leading_zeros<u64>(a); }),
    scalar_op<kB32, kB32>("s_flbit_i32", [](u32 a) { return leading_signs<u32>(a); }),
    scalar_op<kB32, kI64>("s_flbit_i32_i64", [](u64 a) { return leading_signs<u64>(a); }),
    scalar_op<kB32, kB32>("s_sext_i32_i8",
                          [](u32 a) { return static_cast<u32>(static_cast<std::int8_t>(a)); }),
    scalar_op<kB32, kB32>("s_sext_i32_i16",
                          [](u32 a) { return static_cast<u32>(static_cast<std::int16_t>(a)); }),
    scalar_op<kB32, kB32, kB32>(
        "s_bitset0_b32", [](u32 a, u32 old) { return old & ~(1U << (a & 31U)); }, kReadsDst),
    scalar_op<kB64, kB32, kB64>(
        "s_bitset0_b64", [](u32 a, u64 old) { return old & ~(u64{1} << (a & 63U)); }, kReadsDst),
    scalar_op<kB32, kB32, kB32>(
        "s_bitset1_b32", [](u32 a, u32 old) { return old | (1U << (a & 31U)); }, kReadsDst),
    scalar_op<kB64, kB32, kB64>(
        "s_bitset1_b64", [](u32 a, u64 old) { return old | (u64{1} << (a & 63U)); }, kReadsDst),
    scalar_op<kB64, kB32>("s_bitreplicate_b64_b32", [](u32 a) { return replicate(a); }),
    scalar_op<kB32, kB32>("s_abs_i32", [](u32 a) { return nonzero(magnitude(a)); }),
    relative_op<kB32, true, false>("s_movrels_b32"),
    relative_op<kB64, true, false>("s_movrels_b64"),
    relative_op<kB32, false, true>("s_movreld_b32"),
    relative_op<kB64, false, true>("s_movreld_b64"),
    relative_op<kB32, true, true, true>("s_movrelsd_2_b32"),
};

constexpr Op kExecOps[] = {
    exec_op<kB32, false>("s_and_saveexec_b32", kAnd),
    exec_op<kB64, false>("s_and_saveexec_b64", kAnd),
    exec_op<kB32, false>("s_or_saveexec_b32", kOr),
    exec_op<kB64, false>("s_or_saveexec_b64", kOr),
    exec_op<kB32, false>("s_xor_saveexec_b32", kXor),
    exec_op<kB64, false>("s_xor_saveexec_b64", kXor),
    exec_op<kB32, false>("s_andn2_saveexec_b32", kAndNot),
    exec_op<kB64, false>("s_andn2_saveexec_b64", kAndNot),
    exec_op<kB32, false>("s_orn2_saveexec_b32", kOrNot),
    exec_op<kB64, false>("s_orn2_saveexec_b64", kOrNot),
    exec_op<kB32, false>("s_nand_saveexec_b32", kNand),
    exec_op<kB64, false>("s_nand_saveexec_b64", kNand),
    exec_op<kB32, false>("s_nor_saveexec_b32", kNor),
    exec_op<kB64, false>("s_nor_saveexec_b64", kNor),
    exec_op<kB32, false>("s_xnor_saveexec_b32", kXnor),
    exec_op<kB64, false>("s_xnor_saveexec_b64", kXnor),
    exec_op<kB32, false>("s_andn1_saveexec_b32", kNotAnd),
    exec_op<kB64, false>("s_andn1_saveexec_b64", kNotAnd),
    exec_op<kB32, false>("s_orn1_saveexec_b32", kNotOr),
    exec_op<kB64, false>("s_orn1_saveexec_b64", kNotOr),
    exec_op<kB32, true>("s_andn1_wrexec_b32", kNotAnd),
    exec_op<kB64, true>("s_andn1_wrexec_b64", kNotAnd),
    exec_op<kB32, true>("s_andn2_wrexec_b32", kAndNot),
    exec_op<kB64, true>("s_andn2_wrexec_b64", kAndNot),
};

constexpr Op kSopc[] = {
    compare_signed("s_cmp_eq_i32", kEq),
    compare_signed("s_cmp_lg_i32", kNe),
    compare_signed("s_cmp_gt_i32", kGt),
    compare_signed("s_cmp_ge_i32", kGe),
    compare_signed("s_cmp_lt_i32", kLt),
    compare_signed("s_cmp_le_i32", kLe),
    compare<kB32>("s_cmp_eq_u32", kEq),
    compare<kB32>("s_cmp_lg_u32", kNe),
    compare<kB32>("s_cmp_gt_u32", kGt),
    compare<kB32>("s_cmp_ge_u32", kGe),
    compare<kB32>("s_cmp_lt_u32", kLt),
    compare<kB32>("s_cmp_le_u32", kLe),
    compare<kB64>("s_cmp_eq_u64", kEq),
    compare<kB64>("s_cmp_lg_u64", kNe),
    compare_op<kB32, kB32>("s_bitcmp0_b32", [](u32 a, u32 b) { return !((a >> (b & 31U)) & 1U); }),
    compare_op<kB32, kB32>("s_bitcmp1_b32",
                           [](u32 a, u32 b) { return ((a >> (b & 31U)) & 1U) != 0; }),
    compare_op<kB64, kB32>("s_bitcmp0_b64", [](u64 a, u32 b) { return !((a >> (b & 63U)) & 1U); }),
    compare_op<kB64, kB32>("s_bitcmp1_b64",
                           [](u64 a, u32 b) { return ((a >> (b & 63U)) & 1U) != 0; }),
};

constexpr Op kSopk[] = {
    scalar_op<kB32, kB32>("s_movk_i32", [](u32 imm) { return imm_signed(imm); }) | Rule::kMove,
    scalar_op<kB32, kB32, kB32>(
        "s_cmovk_i32", [](Scc scc, u32 imm, u32 old) { return scc.value ? imm_signed(imm) : old; },
        kReadsDst) |
        Rule::kSelect,
    scalar_op<kB32, kB32, kB32>(
        "s_addk_i32", [](u32 imm, u32 old) { return add_signed(old, imm_signed(imm)); },
        kReadsDst) |
        Rule::kSum,
    scalar_op<kB32, kB32, kB32>(
        "s_mulk_i32", [](u32 imm, u32 old) { return old * imm_signed(imm); }, kReadsDst) |
        Rule::kSum,
    compare_imm<true>("s_cmpk_eq_i32", kEq),
    compare_imm<true>("s_cmpk_lg_i32", kNe),
    compare_imm<true>("s_cmpk_gt_i32", kGt),
    compare_imm<true>("s_cmpk_ge_i32", kGe),
    compare_imm<true>("s_cmpk_lt_i32", kLt),
    compare_imm<true>("s_cmpk_le_i32", kLe),
    compare_imm<false>("s_cmpk_eq_u32", kEq),
    compare_imm<false>("s_cmpk_lg_u32", kNe),
    compare_imm<false>("s_cmpk_gt_u32", kGt),
    compare_imm<false>("s_cmpk_ge_u32", kGe),
    compare_imm<false>("s_cmpk_lt_u32", kLt),
    compare_imm<false>("s_cmpk_le_u32", kLe),
};

constexpr auto kOps = join(kSop2, kSop1, kExecOps, kSopc, kSopk);

}  // namespace

std::span<const Op> scalar_ops() {
  return kOps;
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
