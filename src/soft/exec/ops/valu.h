// SPDX-License-Identifier: MIT
// How a vector instruction runs: sources become rows of lanes, a scalar function is mapped over
// them, results are blended into the destination under EXEC. The function sees plain C++ values;
// everything that modifiers do (neg, abs, op_sel, DPP, SDWA, clamp, omod, denormal flushing,
// rounding mode) happens here, in the slow path. The fast path is a loop that compilers turn into
// SIMD code: fixed trip count, no branches.
#pragma once

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "soft/exec/inst.h"
#include "soft/exec/ops/ops.h"
#include "soft/exec/wave.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i8 = std::int8_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using i64 = std::int64_t;

// Waves have 32 or 64 lanes: loops run over chunks of 32 so that their length is fixed.
constexpr std::size_t kChunk = 32;

struct alignas(64) Row {
  u32 lane[64];
};

// What a function sees of an operand. 16-bit values come zero-extended in a u32 (bits, not
// floats); masks come as 0 or ~0; packed types as their elements, one call per element.
template <Type T>
struct ValueOf {
  using type = u32;
};
template <>
struct ValueOf<Type::kF32> {
  using type = float;
};
template <>
struct ValueOf<Type::kPkF32> {
  using type = float;
};
template <>
struct ValueOf<Type::kB64> {
  using type = u64;
};
template <>
struct ValueOf<Type::kI64> {
  using type = i64;
};
template <>
struct ValueOf<Type::kF64> {
  using type = double;
};
template <Type T>
using Value = typename ValueOf<T>::type;

constexpr bool is_packed16(Type t) {
  return t == Type::kPkB16 || t == Type::kPkF16 || t == Type::kPkBF16;
}
constexpr bool is_packed32(Type t) {
  return t == Type::kPkF32 || t == Type::kPkB32;
}
constexpr bool is_packed(Type t) {
  return is_packed16(t) || is_packed32(t);
}
constexpr bool is_16(Type t) {
  return t == Type::kB16 || t == Type::kF16 || t == Type::kBF16;
}

// The rows of one operand: two for 64-bit values.
struct Rows {
  const u32* low = nullptr;
  const u32* high = nullptr;
};

// Rows of an operand without its modifiers. `scratch` receives broadcast scalars.
inline Rows plain_rows(const Wave& wave, const Operand& operand, Row* scratch) {
  const bool wide = operand.dwords > 1;
  if (operand.is_vector())
    return {wave.vgpr(operand.index), wide ? wave.vgpr(operand.index + 1U) : nullptr};
  if (operand.is_constant() && operand.row) return {operand.row, operand.row + 64};
  const u64 value = operand.is_constant() ? operand.value
                    : wide                ? wave.read64(operand)
                                          : wave.read_scalar(operand.index);
  for (u32& lane : scratch[0].lane) lane = static_cast<u32>(value);
  if (!wide) return {scratch[0].lane, nullptr};
  for (u32& lane : scratch[1].lane) lane = static_cast<u32>(value >> 32);
  return {scratch[0].lane, scratch[1].lane};
}

// Bit n of a mask becomes lane n: all ones or 0.
inline void expand_mask(u64 mask, u32* row) {
  for (std::size_t i = 0; i < 32; ++i) {
    row[i] = static_cast<u32>(mask) & kLaneBit[i] ? ~0U : 0U;
    row[i + 32] = static_cast<u32>(mask >> 32) & kLaneBit[i] ? ~0U : 0U;
  }
}

inline Rows mask_rows(const Wave& wave, const Operand& operand, Row* scratch) {
  expand_mask(wave.read_mask(operand), scratch[0].lane);
  return {scratch[0].lane, nullptr};
}

template <Type T>
inline Value<T> get(const Rows& rows, std::size_t i) {
  if constexpr (std::is_same_v<Value<T>, float>) {
    return std::bit_cast<float>(rows.low[i]);
  } else if constexpr (sizeof(Value<T>) == 8) {
    return std::bit_cast<Value<T>>(rows.low[i] | (u64{rows.high[i]} << 32));
  } else if constexpr (is_16(T)) {
    return rows.low[i] & 0xffffU;
  } else {
    return rows.low[i];
  }
}

// 64-bit values as two halves, for functions that are faster on 32-bit lanes: split(f) marks one.
struct Pair {
  u32 low, high;
};
template <class F>
struct Split : F {};
template <class F>
constexpr Split<F> split(F f) {
  return {f};
}
template <class F>
constexpr bool is_split = false;
template <class F>
constexpr bool is_split<Split<F>> = true;

// A lane of an operand as F wants it.
template <class F, Type T>
inline auto fetch(const Rows& rows, std::size_t i) {
  if constexpr (is_split<F> && sizeof(Value<T>) == 8)
    return Pair{rows.low[i], rows.high[i]};
  else
    return get<T>(rows, i);
}

// --- the slow path: modifiers (valu.cpp) ---

// The lanes that an instruction writes: EXEC, less what DPP disables.
struct Lanes {
  const u32* row = nullptr;  // all ones where active
  bool all = false;
  Row scratch;
};

// Fills `lane` with the source lane of each lane and returns the lanes that have one. A source
// lane that is inactive counts as missing unless fi:1.
u64 dpp_sources(const Wave& wave, const DppControl& dpp, u32* lane);
// The lanes that write under DPP.
u64 dpp_write_mask(const Wave& wave, const DppControl& dpp);
// Rows of source `number` with all of its modifiers applied. `scratch`: two rows.
Rows modified_rows(const Wave& wave, const Inst& inst, unsigned number, Type type, Row* scratch);
// Packed operands: the rows of the low and of the high element, selected, negated, as `element`
// bits (16 bits zero-extended, or 32).
void packed_rows(const Wave& wave, const Inst& inst, unsigned number, Type type, Row* low,
                 Row* high);
void active_lanes(const Wave& wave, const Inst& inst, Lanes& lanes);
u64 active_mask(const Wave& wave, const Inst& inst);  // the same as bits
// Applies omod, clamp and output denormal flushing to results of `type`, in place.
void modify_results(const Wave& wave, const Inst& inst, Type type, Row* low, Row* high);
// Merges 32 or 16-bit results into the destination register as SDWA and op_sel say.
void store_part(Wave& wave, const Inst& inst, Type type, const Row& result, const u32* mask);

// Whether a 16-bit result in the low half of a register leaves its high half alone.
inline bool keeps_high_half(const Wave& wave, const Inst& inst) {
  return !is_gfx9(wave.isa) || (inst.flags & kKeepsHigh);
}

// True when the wave's float mode is the default (nearest even, denormals kept) for the type.
inline bool default_mode(const Wave& wave, Type type) {
  if (!is_float(type)) return true;
  const FloatMode& mode = wave.mode;
  const bool single = type == Type::kF32 || type == Type::kPkF32;
  return single ? mode.round_f32 == 0 && mode.denormal_f32 == 3
                : mode.round_f64_f16 == 0 && mode.denormal_f64_f16 == 3;
}

// Sets the host's rounding mode to that of the wave for the type while it lives.
class RoundingScope {
 public:
  RoundingScope(const Wave& wave, Type type) {
    const bool single = type == Type::kF32 || type == Type::kPkF32;
    static constexpr int kModes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    const unsigned wanted = single ? wave.mode.round_f32 : wave.mode.round_f64_f16;
    if (wanted == 0) return;
    changed_ = true;
    std::fesetround(kModes[wanted & 3U]);
  }
  ~RoundingScope() {
    if (changed_) std::fesetround(FE_TONEAREST);
  }
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;

 private:
  bool changed_ = false;
};

// --- blending ---

inline void blend(u32* __restrict to, const u32* __restrict from, const u32* __restrict mask) {
  for (std::size_t i = 0; i < kChunk; ++i) to[i] = (from[i] & mask[i]) | (to[i] & ~mask[i]);
}

inline void store_row(Wave& wave, unsigned row, const Row& result, const u32* mask, bool all) {
  u32* to = wave.vgpr(row);
  for (std::size_t base = 0; base < wave.lanes; base += kChunk) {
    if (all)
      std::memcpy(to + base, result.lane + base, kChunk * sizeof(u32));
    else
      blend(to + base, result.lane + base, mask + base);
  }
}

// What F gives for a destination of type D.
template <class F, Type D>
using Result = std::conditional_t<is_split<F>, Pair, Value<D>>;

template <Type D, class T>
inline void put(Row* results, std::size_t i, T value) {
  if constexpr (std::is_same_v<T, Pair>) {
    results[0].lane[i] = value.low;
    results[1].lane[i] = value.high;
  } else if constexpr (sizeof(Value<D>) == 8) {
    const u64 bits = std::bit_cast<u64>(static_cast<Value<D>>(value));
    results[0].lane[i] = static_cast<u32>(bits);
    results[1].lane[i] = static_cast<u32>(bits >> 32);
  } else {
    results[0].lane[i] = std::bit_cast<u32>(static_cast<Value<D>>(value));
  }
}

// --- drivers ---

// A float function may offer `quick`: the same result unless that is NaN. Lanes are then
// computed by `quick`, and again by the full function in the rare chunk that has a NaN.
template <class F, class... A>
concept HasQuick = requires(A... operands) {
  F::quick(operands...);
};

// Whether a chunk of results holds a NaN (of 64-bit results: perhaps an infinity).
template <Type D>
inline bool any_nan(const u32 (*result)[kChunk]) {
  constexpr Type kind = D;
  constexpr bool wide = sizeof(Value<D>) == 8;
  constexpr bool half = kind == Type::kF16 || kind == Type::kPkF16;
  constexpr i32 infinity = wide ? 0x7fef'ffff : half ? 0x7c00 : 0x7f80'0000;
  const auto check = [](const u32* row, unsigned shift) {
    u32 found = 0;
    for (std::size_t i = 0; i < kChunk; ++i) {
      const u32 magnitude = (row[i] >> shift) & (half ? 0x7fffU : 0x7fff'ffffU);
      found |= static_cast<i32>(magnitude) > infinity ? ~0U : 0U;
    }
    return found != 0;
  };
  if (check(result[wide ? 1 : 0], 0)) return true;
  if constexpr (kind == Type::kPkF16) return check(result[0], 16);
  if constexpr (kind == Type::kPkF32) return check(result[1], 0);
  return false;
}

// Runs f over the lanes: D is the result's type, S… those of the sources, in the text's order.
// For operations with kReadsDst the decoder adds the old destination as the last source.
template <Type D, Type... S, class F>
inline void map(Wave& wave, const Inst& inst, F f);

namespace detail {

template <Type D, Type... S, class F, std::size_t... I>
inline void map_plain(Wave& wave, const Inst& inst, F f, std::index_sequence<I...>) {
  constexpr Type types[] = {S..., Type::kNone};
  Row scratch[sizeof...(S) + 1][2];
  const Rows rows[] = {(types[I] == Type::kMask ? mask_rows(wave, inst.src[I], scratch[I])
                                                : plain_rows(wave, inst.src[I], scratch[I]))...,
                       Rows{}};
  const bool all = wave.exec == wave.full_exec;
  u32* low = wave.vgpr(inst.dst[0].index);
  u32* high = sizeof(Value<D>) == 8 ? wave.vgpr(inst.dst[0].index + 1U) : nullptr;
  const u32 keep = is_16(D) && keeps_high_half(wave, inst) ? 0xffff'0000U : 0;
  for (std::size_t base = 0; base < wave.lanes; base += kChunk) {
    alignas(64) u32 result[2][kChunk];
    const auto compute = [&](auto g) {
      for (std::size_t i = 0; i < kChunk; ++i) {
        const auto value = static_cast<Result<F, D>>(g(fetch<F, S>(rows[I], base + i)...));
        if constexpr (is_split<F>) {
          result[0][i] = value.low;
          result[1][i] = value.high;
        } else if constexpr (sizeof(Value<D>) == 8) {
          const u64 bits = std::bit_cast<u64>(value);
          result[0][i] = static_cast<u32>(bits);
          result[1][i] = static_cast<u32>(bits >> 32);
        } else if constexpr (is_16(D)) {
          result[0][i] = (value & 0xffffU) | (low[base + i] & keep);
        } else {
          result[0][i] = std::bit_cast<u32>(value);
        }
      }
    };
    if constexpr (HasQuick<F, Value<S>...>) {
      compute([](auto... operands) { return F::quick(operands...); });
      if (any_nan<D>(result)) [[unlikely]]
        compute(f);
    } else {
      compute(f);
    }
    const u32* mask = wave.exec_row.data() + base;
    if (all)
      std::memcpy(low + base, result[0], sizeof(result[0]));
    else
      blend(low + base, result[0], mask);
    if constexpr (sizeof(Value<D>) == 8) {
      if (all)
        std::memcpy(high + base, result[1], sizeof(result[1]));
      else
        blend(high + base, result[1], mask);
    }
  }
}

template <Type D, Type... S, class F, std::size_t... I>
inline void map_modified(Wave& wave, const Inst& inst, F f, std::index_sequence<I...>) {
  constexpr Type types[] = {S..., Type::kNone};
  Row scratch[sizeof...(S) + 1][2];
  const Rows rows[] = {
      (types[I] == Type::kMask ? mask_rows(wave, inst.src[I], scratch[I])
                               : modified_rows(wave, inst, I, types[I], scratch[I]))...,
      Rows{}};
  Lanes lanes;
  active_lanes(wave, inst, lanes);
  Row results[2];
  {
    const RoundingScope rounding(wave, D);
    for (std::size_t base = 0; base < wave.lanes; base += kChunk)
      for (std::size_t i = 0; i < kChunk; ++i)
        put<D>(results, base + i, f(fetch<F, S>(rows[I], base + i)...));
  }
  modify_results(wave, inst, D, &results[0], sizeof(Value<D>) == 8 ? &results[1] : nullptr);
  if constexpr (sizeof(Value<D>) == 8) {
    store_row(wave, inst.dst[0].index, results[0], lanes.row, lanes.all);
    store_row(wave, inst.dst[0].index + 1U, results[1], lanes.row, lanes.all);
  } else {
    store_part(wave, inst, D, results[0], lanes.row);
  }
}

// Whether element 0 comes from the low and element 1 from the high part, unchanged.
inline bool straight(const Operand& operand) {
  return !operand.op_sel && operand.op_sel_hi && !operand.neg && !operand.neg_hi && !operand.abs;
}

template <Type D, Type... S, class F, std::size_t... I>
inline void map_packed_plain(Wave& wave, const Inst& inst, F f, std::index_sequence<I...>) {
  Row scratch[sizeof...(S) + 1][2];
  const Rows rows[] = {plain_rows(wave, inst.src[I], scratch[I])..., Rows{}};
  const bool all = wave.exec == wave.full_exec;
  u32* low = wave.vgpr(inst.dst[0].index);
  u32* high = is_packed32(D) ? wave.vgpr(inst.dst[0].index + 1U) : nullptr;
  for (std::size_t base = 0; base < wave.lanes; base += kChunk) {
    alignas(64) u32 result[2][kChunk];
    const u32* mask = wave.exec_row.data() + base;
    const auto compute = [&](auto g) {
      for (std::size_t i = 0; i < kChunk; ++i) {
        if constexpr (is_packed16(D)) {
          const u32 first = g((rows[I].low[base + i] & 0xffffU)...);
          const u32 second = g((rows[I].low[base + i] >> 16)...);
          result[0][i] = (first & 0xffffU) | (second << 16);
        } else {
          result[0][i] = std::bit_cast<u32>(
              static_cast<Value<D>>(g(std::bit_cast<Value<S>>(rows[I].low[base + i])...)));
          result[1][i] = std::bit_cast<u32>(
              static_cast<Value<D>>(g(std::bit_cast<Value<S>>(rows[I].high[base + i])...)));
        }
      }
    };
    if constexpr (HasQuick<F, Value<S>...>) {
      compute([](auto... operands) { return F::quick(operands...); });
      if (any_nan<D>(result)) [[unlikely]]
        compute(f);
    } else {
      compute(f);
    }
    if constexpr (!is_packed16(D)) {
      if (all)
        std::memcpy(high + base, result[1], sizeof(result[1]));
      else
        blend(high + base, result[1], mask);
    }
    if (all)
      std::memcpy(low + base, result[0], sizeof(result[0]));
    else
      blend(low + base, result[0], mask);
  }
}

// Packed: f once for the low elements, once for the high ones.
template <Type D, Type... S, class F, std::size_t... I>
inline void map_packed(Wave& wave, const Inst& inst, F f, std::index_sequence<I...>) {
  constexpr Type types[] = {S..., Type::kNone};
  Row low[sizeof...(S) + 1], high[sizeof...(S) + 1];
  (packed_rows(wave, inst, I, types[I], &low[I], &high[I]), ...);
  Lanes lanes;
  active_lanes(wave, inst, lanes);
  Row results[2];
  {
    const RoundingScope rounding(wave, D);
    const auto run = [&](Row* from, Row* to) {
      const Rows rows[] = {Rows{from[I].lane, nullptr}..., Rows{}};
      for (std::size_t base = 0; base < wave.lanes; base += kChunk)
        for (std::size_t i = 0; i < kChunk; ++i)
          to->lane[base + i] =
              std::bit_cast<u32>(static_cast<Value<D>>(f(get<S>(rows[I], base + i)...)));
    };
    run(low, &results[0]);
    run(high, &results[1]);
  }
  constexpr Type element = D == Type::kPkF16    ? Type::kF16
                           : D == Type::kPkBF16 ? Type::kBF16
                           : D == Type::kPkB16  ? Type::kB16
                           : D == Type::kPkF32  ? Type::kF32
                                                : Type::kB32;
  if (is_float(element) && (!(inst.flags & kPlain) || !default_mode(wave, element))) {
    modify_results(wave, inst, element, &results[0], nullptr);
    modify_results(wave, inst, element, &results[1], nullptr);
  }
  if constexpr (is_packed16(D)) {
    for (unsigned i = 0; i < 64; ++i)
      results[0].lane[i] = (results[0].lane[i] & 0xffffU) | (results[1].lane[i] << 16);
    store_row(wave, inst.dst[0].index, results[0], lanes.row, lanes.all);
  } else {
    store_row(wave, inst.dst[0].index, results[0], lanes.row, lanes.all);
    store_row(wave, inst.dst[0].index + 1U, results[1], lanes.row, lanes.all);
  }
}

}  // namespace detail

template <Type D, Type... S, class F>
inline void map(Wave& wave, const Inst& inst, F f) {
  constexpr auto indices = std::make_index_sequence<sizeof...(S)>();
  if constexpr (is_packed(D)) {
    bool plain = !(inst.flags & (kHasDpp | kHasSdwa)) && !inst.clamp && inst.omod == 0 &&
                 (default_mode(wave, D) && ... && default_mode(wave, S));
    for (std::size_t i = 0; i < sizeof...(S); ++i) plain = plain && detail::straight(inst.src[i]);
    if (plain) [[likely]]
      detail::map_packed_plain<D, S...>(wave, inst, f, indices);
    else
      detail::map_packed<D, S...>(wave, inst, f, indices);
  } else {
    if ((inst.flags & kPlain) && (default_mode(wave, D) && ... && default_mode(wave, S))) [[likely]]
      detail::map_plain<D, S...>(wave, inst, f, indices);
    else
      detail::map_modified<D, S...>(wave, inst, f, indices);
  }
}

// A table entry: name, types and function in one place. F is a captureless lambda's type, so that
// the handler is a plain function.
template <Type D, Type... S, class F>
constexpr Op vector_op(std::string_view name, F, u32 flags = 0, OpClass kind = OpClass::kVector) {
  static_assert(std::is_empty_v<F>, "a function pointer would be lost: give a lambda");
  Op op{.name = name,
        .run = [](Wave& wave, const Inst& inst) { map<D, S...>(wave, inst, F{}); },
        .kind = kind,
        .flags = flags};
  op.dst = {D};
  op.src = {S...};
  return op;
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE

#include "soft/exec/ops/masks.h"  // the drivers of operations whose result is a lane mask
