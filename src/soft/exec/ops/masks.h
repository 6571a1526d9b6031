// SPDX-License-Identifier: MIT
// Drivers of vector operations whose result is a lane mask, alone or beside a value.
#pragma once

#ifdef __AVX2__
#include <immintrin.h>
#endif

#include "soft/exec/ops/valu.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

// The rows of all sources, with modifiers only where the instruction has some.
template <Type... S, std::size_t... I>
inline void source_rows(const Wave& wave, const Inst& inst, Rows* rows, Row (*scratch)[2],
                        std::index_sequence<I...>) {
  constexpr Type types[] = {S..., Type::kNone};
  const bool plain = (inst.flags & kPlain) && (default_mode(wave, S) && ...);
  ((rows[I] = types[I] == Type::kMask ? mask_rows(wave, inst.src[I], scratch[I])
              : plain                 ? plain_rows(wave, inst.src[I], scratch[I])
                                      : modified_rows(wave, inst, I, types[I], scratch[I])),
   ...);
}

// One bit per lane from a row of 0 and ~0.
inline u64 lane_bits(const Row& row, unsigned lanes) {
  u64 bits = 0;
#ifdef __AVX2__
  for (unsigned i = 0; i < lanes; i += 8) {
    const __m256 part = _mm256_load_ps(reinterpret_cast<const float*>(row.lane + i));
    bits |= u64{static_cast<u32>(_mm256_movemask_ps(part))} << i;
  }
#else
  for (unsigned i = 0; i < lanes; ++i) bits |= u64{row.lane[i] >> 31} << i;
#endif
  return bits;
}

// Runs a predicate over the lanes: one bit each, 0 for those that do not run.
template <Type... S, class F>
inline u64 map_mask(const Wave& wave, const Inst& inst, F f) {
  Rows rows[sizeof...(S)];
  Row scratch[sizeof...(S)][2];
  source_rows<S...>(wave, inst, rows, scratch, std::make_index_sequence<sizeof...(S)>());
  Row result;
  const auto run = [&]<std::size_t... I>(std::index_sequence<I...>) {
    for (std::size_t base = 0; base < wave.lanes; base += kChunk)
      for (std::size_t i = 0; i < kChunk; ++i)
        result.lane[base + i] = f(fetch<F, S>(rows[I], base + i)...) ? ~0U : 0U;
  };
  run(std::make_index_sequence<sizeof...(S)>());
  return lane_bits(result, wave.lanes) & active_mask(wave, inst);
}

// A value and one bit per lane: carries, scale flags.
template <class T>
struct Flagged {
  T value;
  u32 flag;  // set: not 0. As wide as a lane, for the vectoriser
};

// Like map; f gives a Flagged, whose flag goes to the lane's bit of destination 1. Bits of lanes
// that do not run are 0.
template <Type D, Type... S, class F>
inline void map_flagged(Wave& wave, const Inst& inst, F f) {
  Rows rows[sizeof...(S)];
  Row scratch[sizeof...(S)][2];
  source_rows<S...>(wave, inst, rows, scratch, std::make_index_sequence<sizeof...(S)>());
  Lanes lanes;
  active_lanes(wave, inst, lanes);
  Row results[2], flags;
  const auto run = [&]<std::size_t... I>(std::index_sequence<I...>) {
    const RoundingScope rounding(wave, D);
    for (std::size_t base = 0; base < wave.lanes; base += kChunk)
      for (std::size_t i = 0; i < kChunk; ++i) {
        const auto result = f(fetch<F, S>(rows[I], base + i)...);
        put<D>(results, base + i, result.value);
        flags.lane[base + i] = result.flag ? ~0U : 0U;
      }
  };
  run(std::make_index_sequence<sizeof...(S)>());
  const u64 bits = lane_bits(flags, wave.lanes) & active_mask(wave, inst);
  if (!(inst.flags & kPlain) || !default_mode(wave, D))
    modify_results(wave, inst, D, &results[0], sizeof(Value<D>) == 8 ? &results[1] : nullptr);
  if constexpr (sizeof(Value<D>) == 8) {
    store_row(wave, inst.dst[0].index, results[0], lanes.row, lanes.all);
    store_row(wave, inst.dst[0].index + 1U, results[1], lanes.row, lanes.all);
  } else if (inst.flags & kHasSdwa) {
    store_part(wave, inst, D, results[0], lanes.row);
  } else {
    store_row(wave, inst.dst[0].index, results[0], lanes.row, lanes.all);
  }
  wave.write_mask(inst.dst[1].index, bits);
}

// The same for operations with a lane mask as second result.
template <Type D, Type... S, class F>
constexpr Op flagged_op(std::string_view name, F, u32 flags = 0) {
  static_assert(std::is_empty_v<F>, "a function pointer would be lost: give a lambda");
  Op op{.name = name,
        .run = [](Wave& wave, const Inst& inst) { map_flagged<D, S...>(wave, inst, F{}); },
        .kind = OpClass::kVector,
        .flags = flags};
  op.dst = {D, Type::kMask};
  op.src = {S...};
  return op;
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
