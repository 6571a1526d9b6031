// SPDX-License-Identifier: MIT
// Moving data between registers and memory. Registers are row-major (all lanes of one dword),
// memory is lane-major (all dwords of one lane): every load and store is a transposition. The
// common shapes (lanes next to each other, one scratch slot for all lanes) have wide copies.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "soft/exec/access.h"
#include "soft/exec/inst.h"
#include "soft/exec/ops/valu.h"
#include "soft/exec/wave.h"
#include "soft/exec/workgroup.h"

namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE {

// One address per lane: a pointer, or an offset in LDS or scratch.
struct alignas(64) Addresses {
  u64 lane[64];
};

template <class F>
inline void for_each_lane(u64 mask, F f) {
  for (; mask != 0; mask &= mask - 1) f(static_cast<unsigned>(std::countr_zero(mask)));
}

// --- places: where the bytes of an address lie ---

// Global memory (base 0: addresses are pointers) and LDS.
struct Linear {
  std::uintptr_t base = 0;
  template <unsigned kBytes>
  void read(void* to, u64 address, unsigned) const {
    std::memcpy(to, pointer(address), kBytes);
  }
  template <unsigned kBytes>
  void write(const void* from, u64 address, unsigned) const {
    std::memcpy(pointer(address), from, kBytes);
  }
  u8* pointer(u64 address) const { return std::bit_cast<u8*>(base + address); }
};

// Scratch: dword d of lane l is at (d × lanes + l) × 4.
struct Interleaved {
  u8* base = nullptr;
  unsigned lanes = 64;
  u8* pointer(u64 address, unsigned lane) const {
    return base + ((address >> 2) * lanes + lane) * 4 + (address & 3U);
  }
  template <unsigned kBytes>
  void read(void* to, u64 address, unsigned lane) const {
    u8* bytes = static_cast<u8*>(to);
    if constexpr (kBytes <= 4) {
      if ((address & 3U) + kBytes <= 4) {
        std::memcpy(to, pointer(address, lane), kBytes);
        return;
      }
    } else if ((address & 3U) == 0) {
      for (unsigned i = 0; i < kBytes; i += 4)
        std::memcpy(bytes + i, pointer(address + i, lane), 4);
      return;
    }
    for (unsigned i = 0; i < kBytes; ++i) bytes[i] = *pointer(address + i, lane);
  }
  template <unsigned kBytes>
  void write(const void* from, u64 address, unsigned lane) const {
    const u8* bytes = static_cast<const u8*>(from);
    if constexpr (kBytes <= 4) {
      if ((address & 3U) + kBytes <= 4) {
        std::memcpy(pointer(address, lane), from, kBytes);
        return;
      }
    } else if ((address & 3U) == 0) {
      for (unsigned i = 0; i < kBytes; i += 4)
        std::memcpy(pointer(address + i, lane), bytes + i, 4);
      return;
    }
    for (unsigned i = 0; i < kBytes; ++i) *pointer(address + i, lane) = bytes[i];
  }
};

inline Linear lds_of(const Wave& wave) {
  return {std::bit_cast<std::uintptr_t>(wave.group->lds)};
}
inline Interleaved scratch_of(const Wave& wave) {
  return {wave.group->scratch_of(wave), wave.lanes};
}

// --- elements: what one lane moves ---

template <unsigned N>
struct Dwords {
  static constexpr unsigned kBytes = 4 * N;
  static constexpr unsigned kRows = N;
};

// Which part of the register a value of 8 or 16 bits is loaded into or stored from. Loads into a
// half keep the other half: what the ISA documents say, and what compilers count on only where
// SRAM error correction does not rewrite whole registers.
enum class Half : u8 { kWhole, kLow, kHigh };

template <class T, Half kHalf = Half::kWhole>
struct Narrow {
  using Value = T;
  static constexpr unsigned kBytes = sizeof(T);
  static constexpr unsigned kRows = 1;
  static u32 merge(u32 old, T value) {
    if constexpr (kHalf == Half::kWhole)
      return static_cast<u32>(
          static_cast<std::conditional_t<std::is_signed_v<T>, i32, u32>>(value));
    const u32 half = static_cast<u16>(static_cast<i16>(value));
    if constexpr (kHalf == Half::kLow) return (old & 0xffff0000U) | half;
    return (old & 0xffffU) | (half << 16);
  }
  static T part(u32 value) { return static_cast<T>(kHalf == Half::kHigh ? value >> 16 : value); }
};

// The part of a register that an element goes to or comes from.
template <class E>
inline constexpr RegisterPart kLoadedPart = {};
template <class T, Half kHalf>
inline constexpr RegisterPart kLoadedPart<Narrow<T, kHalf>> = {
    .first_byte = kHalf == Half::kHigh ? 2 : 0,
    .sign = std::is_signed_v<T>,
    .keeps_rest = kHalf != Half::kWhole};
template <class E>
inline constexpr RegisterPart kStoredPart = {.first_byte = kLoadedPart<E>.first_byte};

template <class E>
inline constexpr bool kIsDwords = false;
template <unsigned N>
inline constexpr bool kIsDwords<Dwords<N>> = true;

// --- shapes of a wave's addresses ---

// Lane i is at the first address + i × stride; stride 0: all at the same one.
inline bool consecutive(const Addresses& at, unsigned lanes, u64 stride) {
  // Two lanes suffice to rule out most other shapes.
  if (at.lane[1] != at.lane[0] + stride) return false;
  u64 difference = 0;
  for (std::size_t base = 0; base < lanes; base += kChunk)
    for (std::size_t i = 0; i < kChunk; ++i)
      difference |= at.lane[base + i] ^ (at.lane[0] + (base + i) * stride);
  return difference == 0;
}

// The lanes as a row: all ones where active.
inline const u32* mask_row(const Wave& wave, u64 mask, Row& scratch) {
  if (mask == wave.exec) return wave.exec_row.data();
  for (unsigned i = 0; i < 64; ++i) scratch.lane[i] = -static_cast<u32>((mask >> i) & 1U);
  return scratch.lane;
}

// Below five lanes of eight it is quicker to move them one by one.
inline bool mostly_active(const Wave& wave, u64 mask) {
  return static_cast<unsigned>(std::popcount(mask)) * 8 >= wave.lanes * 5;
}

// --- transposition: four lanes of memory, four lanes of rows ---

using Vector4 [[gnu::vector_size(16)]] = u32;
using Vector2 [[gnu::vector_size(16)]] = u64;

inline u64 read64(const u8* from) {
  u64 value;
  std::memcpy(&value, from, 8);
  return value;
}
inline u32 read32(const u8* from) {
  u32 value;
  std::memcpy(&value, from, 4);
  return value;
}

// N dwords of a lane in one vector, without a detour through memory.
template <unsigned N>
inline Vector4 read_lane(const u8* from) {
  if constexpr (N == 4) {
    Vector4 value;
    std::memcpy(&value, from, 16);
    return value;
  } else {
    return std::bit_cast<Vector4>(Vector2{read64(from), N == 3 ? read32(from + 8) : 0});
  }
}
template <unsigned N>
inline void write_lane(u8* to, Vector4 value) {
  std::memcpy(to, &value, 4 * N);
}

// Four vectors that each hold four dwords of a lane become four that hold a dword of each lane,
// and the other way round.
inline void transpose(Vector4* v) {
  const Vector4 low01 = __builtin_shufflevector(v[0], v[1], 0, 4, 1, 5);
  const Vector4 low23 = __builtin_shufflevector(v[2], v[3], 0, 4, 1, 5);
  const Vector4 high01 = __builtin_shufflevector(v[0], v[1], 2, 6, 3, 7);
  const Vector4 high23 = __builtin_shufflevector(v[2], v[3], 2, 6, 3, 7);
  v[0] = __builtin_shufflevector(low01, low23, 0, 1, 4, 5);
  v[1] = __builtin_shufflevector(low01, low23, 2, 3, 6, 7);
  v[2] = __builtin_shufflevector(high01, high23, 0, 1, 4, 5);
  v[3] = __builtin_shufflevector(high01, high23, 2, 3, 6, 7);
}

// Reads N dwords at every lane's address, whether it is active or not.
template <unsigned N>
inline void gather(const Linear& place, const Addresses& at, unsigned lanes, u32* const* rows) {
  if constexpr (N == 1) {
    u32* __restrict to = rows[0];
    for (unsigned i = 0; i < lanes; ++i) std::memcpy(to + i, place.pointer(at.lane[i]), 4);
  } else {
    for (unsigned i = 0; i < lanes; i += 4) {
      Vector4 four[4];
      for (unsigned j = 0; j < 4; ++j) four[j] = read_lane<N>(place.pointer(at.lane[i + j]));
      transpose(four);
      for (unsigned k = 0; k < N; ++k) std::memcpy(rows[k] + i, &four[k], 16);
    }
  }
}

// Writes N dwords at every lane's address, the highest lane last.
template <unsigned N>
inline void scatter(const Linear& place, const Addresses& at, unsigned lanes,
                    const u32* const* rows) {
  if constexpr (N == 1) {
    const u32* from = rows[0];
    for (unsigned i = 0; i < lanes; ++i) std::memcpy(place.pointer(at.lane[i]), from + i, 4);
  } else {
    for (unsigned i = 0; i < lanes; i += 4) {
      Vector4 four[4]{};
      for (unsigned k = 0; k < N; ++k) std::memcpy(&four[k], rows[k] + i, 16);
      transpose(four);
      for (unsigned j = 0; j < 4; ++j) write_lane<N>(place.pointer(at.lane[i + j]), four[j]);
    }
  }
}

// --- loads ---

template <class E, class Place>
inline void load_each(Wave& wave, unsigned row, const Place& place, const Addresses& at, u64 mask) {
  u32* rows[E::kRows];
  for (unsigned k = 0; k < E::kRows; ++k) rows[k] = wave.vgpr(row + k);
  for_each_lane(mask, [&](unsigned i) {
    if constexpr (kIsDwords<E>) {
      u32 data[E::kRows];
      place.template read<E::kBytes>(data, at.lane[i], i);
      for (unsigned k = 0; k < E::kRows; ++k) rows[k][i] = data[k];
    } else {
      typename E::Value value;
      place.template read<E::kBytes>(&value, at.lane[i], i);
      rows[0][i] = E::merge(rows[0][i], value);
    }
  });
}

template <class E>
inline void load(Wave& wave, unsigned row, const Linear& place, const Addresses& at, u64 mask) {
  const bool all = mask == wave.full_exec;
  if (all && E::kRows == 1 && consecutive(at, wave.lanes, E::kBytes)) {
    u32* to = wave.vgpr(row);
    const u8* from = place.pointer(at.lane[0]);
    if constexpr (kIsDwords<E>) {
      std::memcpy(to, from, std::size_t{wave.lanes} * 4);
    } else {
      for (std::size_t base = 0; base < wave.lanes; base += kChunk) {
        typename E::Value data[kChunk];
        std::memcpy(data, from + base * E::kBytes, sizeof(data));
        for (std::size_t i = 0; i < kChunk; ++i) to[base + i] = E::merge(to[base + i], data[i]);
      }
    }
    return;
  }
  if constexpr (kIsDwords<E>) {
    u32* rows[E::kRows];
    if (all) {
      for (unsigned k = 0; k < E::kRows; ++k) rows[k] = wave.vgpr(row + k);
      gather<E::kRows>(place, at, wave.lanes, rows);
      return;
    }
    if (mostly_active(wave, mask)) {
      // Inactive lanes read what an active one may.
      Row scratch, results[E::kRows];
      const u32* active = mask_row(wave, mask, scratch);
      const u64 allowed = at.lane[std::countr_zero(mask)];
      Addresses safe;
      for (std::size_t base = 0; base < wave.lanes; base += kChunk)
        for (std::size_t i = 0; i < kChunk; ++i)
          safe.lane[base + i] = active[base + i] != 0 ? at.lane[base + i] : allowed;
      for (unsigned k = 0; k < E::kRows; ++k) rows[k] = results[k].lane;
      gather<E::kRows>(place, safe, wave.lanes, rows);
      for (unsigned k = 0; k < E::kRows; ++k) store_row(wave, row + k, results[k], active, false);
      return;
    }
  }
  load_each<E>(wave, row, place, at, mask);
}

// The usual stack slot: the same dword for all lanes, whose copies lie side by side.
inline bool one_slot(const Wave& wave, const Addresses& at, u64 mask) {
  return mask != 0 && mask == wave.exec && (at.lane[0] & 3U) == 0 && consecutive(at, wave.lanes, 0);
}

template <class E>
inline void load(Wave& wave, unsigned row, const Interleaved& place, const Addresses& at,
                 u64 mask) {
  if constexpr (kIsDwords<E>) {
    if (one_slot(wave, at, mask)) {
      const bool all = mask == wave.full_exec;
      for (unsigned k = 0; k < E::kRows; ++k) {
        Row slot;
        std::memcpy(slot.lane, place.pointer(at.lane[0] + 4 * k, 0), std::size_t{wave.lanes} * 4);
        store_row(wave, row + k, slot, wave.exec_row.data(), all);
      }
      return;
    }
  }
  load_each<E>(wave, row, place, at, mask);
}

// --- stores: of lanes that write the same bytes the highest wins ---

template <class E, class Place>
inline void store_each(Wave& wave, unsigned row, const Place& place, const Addresses& at,
                       u64 mask) {
  const u32* rows[E::kRows];
  for (unsigned k = 0; k < E::kRows; ++k) rows[k] = wave.vgpr(row + k);
  for_each_lane(mask, [&](unsigned i) {
    if constexpr (kIsDwords<E>) {
      u32 data[E::kRows];
      for (unsigned k = 0; k < E::kRows; ++k) data[k] = rows[k][i];
      place.template write<E::kBytes>(data, at.lane[i], i);
    } else {
      const typename E::Value value = E::part(rows[0][i]);
      place.template write<E::kBytes>(&value, at.lane[i], i);
    }
  });
}

template <class E>
inline void store(Wave& wave, unsigned row, const Linear& place, const Addresses& at, u64 mask) {
  if (mask == wave.full_exec) {
    if (E::kRows == 1 && consecutive(at, wave.lanes, E::kBytes)) {
      const u32* from = wave.vgpr(row);
      u8* to = place.pointer(at.lane[0]);
      if constexpr (kIsDwords<E>) {
        std::memcpy(to, from, std::size_t{wave.lanes} * 4);
      } else {
        for (std::size_t base = 0; base < wave.lanes; base += kChunk) {
          typename E::Value data[kChunk];
          for (std::size_t i = 0; i < kChunk; ++i) data[i] = E::part(from[base + i]);
          std::memcpy(to + base * E::kBytes, data, sizeof(data));
        }
      }
      return;
    }
    if constexpr (kIsDwords<E>) {
      const u32* rows[E::kRows];
      for (unsigned k = 0; k < E::kRows; ++k) rows[k] = wave.vgpr(row + k);
      scatter<E::kRows>(place, at, wave.lanes, rows);
      return;
    }
  }
  store_each<E>(wave, row, place, at, mask);
}

template <class E>
inline void store(Wave& wave, unsigned row, const Interleaved& place, const Addresses& at,
                  u64 mask) {
  if constexpr (kIsDwords<E>) {
    if (one_slot(wave, at, mask)) {
      for (unsigned k = 0; k < E::kRows; ++k) {
        Row slot;
        u8* to = place.pointer(at.lane[0] + 4 * k, 0);
        std::memcpy(slot.lane, to, std::size_t{wave.lanes} * 4);
        for (std::size_t base = 0; base < wave.lanes; base += kChunk)
          blend(slot.lane + base, wave.vgpr(row + k) + base, wave.exec_row.data() + base);
        std::memcpy(to, slot.lane, std::size_t{wave.lanes} * 4);
      }
      return;
    }
  }
  store_each<E>(wave, row, place, at, mask);
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
