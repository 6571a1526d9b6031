// SPDX-License-Identifier: MIT
// Moving data between registers and memory. Registers are row-major (all lanes of one dword),
// memory is lane-major (all dwords of one lane): every load and store is a transposition. The
// common shapes (lanes next to each other, one scratch slot for all lanes) have wide copies.
#pragma once

#include <bit>
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

template <class E>
inline constexpr bool kIsDwords = false;
template <unsigned N>
inline constexpr bool kIsDwords<Dwords<N>> = true;

// --- shapes of a wave's addresses ---

// Lane i is at the first address + i × stride; stride 0: all at the same one.
inline bool consecutive(const Addresses& at, unsigned lanes, u64 stride) {
  u64 difference = 0;
  for (std::size_t base = 0; base < lanes; base += kChunk)
    for (std::size_t i = 0; i < kChunk; ++i)
      difference |= at.lane[base + i] ^ (at.lane[0] + (base + i) * stride);
  return difference == 0;
}

// --- loads ---

template <class E, class Place>
inline void load_lane(Wave& wave, unsigned row, const Place& place, u64 address, unsigned lane) {
  if constexpr (kIsDwords<E>) {
    u32 data[E::kRows];
    place.template read<E::kBytes>(data, address, lane);
    for (unsigned k = 0; k < E::kRows; ++k) wave.vgpr(row + k)[lane] = data[k];
  } else {
    typename E::Value value;
    place.template read<E::kBytes>(&value, address, lane);
    u32* to = wave.vgpr(row) + lane;
    *to = E::merge(*to, value);
  }
}

// Lanes next to each other in memory, all active.
template <class E>
inline void load_block(Wave& wave, unsigned row, const u8* from) {
  if constexpr (std::is_same_v<E, Dwords<1>>) {
    std::memcpy(wave.vgpr(row), from, std::size_t{wave.lanes} * 4);
  } else if constexpr (kIsDwords<E>) {
    for (std::size_t base = 0; base < wave.lanes; base += kChunk) {
      u32 data[kChunk * E::kRows];
      std::memcpy(data, from + base * E::kBytes, sizeof(data));
      for (unsigned k = 0; k < E::kRows; ++k) {
        u32* __restrict to = wave.vgpr(row + k) + base;
        for (std::size_t i = 0; i < kChunk; ++i) to[i] = data[i * E::kRows + k];
      }
    }
  } else {
    for (std::size_t base = 0; base < wave.lanes; base += kChunk) {
      typename E::Value data[kChunk];
      std::memcpy(data, from + base * E::kBytes, sizeof(data));
      u32* __restrict to = wave.vgpr(row) + base;
      for (std::size_t i = 0; i < kChunk; ++i) to[i] = E::merge(to[i], data[i]);
    }
  }
}

template <class E>
inline void load(Wave& wave, unsigned row, const Linear& place, const Addresses& at, u64 mask) {
  if (mask == wave.full_exec) {
    if (consecutive(at, wave.lanes, E::kBytes)) {
      load_block<E>(wave, row, place.pointer(at.lane[0]));
    } else {
      for (unsigned i = 0; i < wave.lanes; ++i) load_lane<E>(wave, row, place, at.lane[i], i);
    }
    return;
  }
  for_each_lane(mask, [&](unsigned i) { load_lane<E>(wave, row, place, at.lane[i], i); });
}

template <class E>
inline void load(Wave& wave, unsigned row, const Interleaved& place, const Addresses& at,
                 u64 mask) {
  if (mask == 0) return;
  if constexpr (kIsDwords<E>) {
    const u64 first = at.lane[std::countr_zero(mask)];
    // The usual stack slot: the same dword for all lanes, whose copies lie side by side.
    if (mask == wave.full_exec && (first & 3U) == 0 && consecutive(at, wave.lanes, 0)) {
      for (unsigned k = 0; k < E::kRows; ++k)
        std::memcpy(wave.vgpr(row + k), place.pointer(first + 4 * k, 0),
                    std::size_t{wave.lanes} * 4);
      return;
    }
  }
  for_each_lane(mask, [&](unsigned i) { load_lane<E>(wave, row, place, at.lane[i], i); });
}

// --- stores ---

template <class E, class Place>
inline void store_lane(Wave& wave, unsigned row, const Place& place, u64 address, unsigned lane) {
  if constexpr (kIsDwords<E>) {
    u32 data[E::kRows];
    for (unsigned k = 0; k < E::kRows; ++k) data[k] = wave.vgpr(row + k)[lane];
    place.template write<E::kBytes>(data, address, lane);
  } else {
    const typename E::Value value = E::part(wave.vgpr(row)[lane]);
    place.template write<E::kBytes>(&value, address, lane);
  }
}

template <class E>
inline void store_block(Wave& wave, unsigned row, u8* to) {
  if constexpr (std::is_same_v<E, Dwords<1>>) {
    std::memcpy(to, wave.vgpr(row), std::size_t{wave.lanes} * 4);
  } else if constexpr (kIsDwords<E>) {
    for (std::size_t base = 0; base < wave.lanes; base += kChunk) {
      u32 data[kChunk * E::kRows];
      for (unsigned k = 0; k < E::kRows; ++k) {
        const u32* __restrict from = wave.vgpr(row + k) + base;
        for (std::size_t i = 0; i < kChunk; ++i) data[i * E::kRows + k] = from[i];
      }
      std::memcpy(to + base * E::kBytes, data, sizeof(data));
    }
  } else {
    for (std::size_t base = 0; base < wave.lanes; base += kChunk) {
      typename E::Value data[kChunk];
      const u32* __restrict from = wave.vgpr(row) + base;
      for (std::size_t i = 0; i < kChunk; ++i) data[i] = E::part(from[i]);
      std::memcpy(to + base * E::kBytes, data, sizeof(data));
    }
  }
}

// Of lanes that write the same bytes the highest wins.
template <class E>
inline void store(Wave& wave, unsigned row, const Linear& place, const Addresses& at, u64 mask) {
  if (mask == wave.full_exec && consecutive(at, wave.lanes, E::kBytes)) {
    store_block<E>(wave, row, place.pointer(at.lane[0]));
    return;
  }
  for_each_lane(mask, [&](unsigned i) { store_lane<E>(wave, row, place, at.lane[i], i); });
}

template <class E>
inline void store(Wave& wave, unsigned row, const Interleaved& place, const Addresses& at,
                  u64 mask) {
  if (mask == 0) return;
  if constexpr (kIsDwords<E>) {
    const u64 first = at.lane[std::countr_zero(mask)];
    if (mask == wave.full_exec && (first & 3U) == 0 && consecutive(at, wave.lanes, 0)) {
      for (unsigned k = 0; k < E::kRows; ++k)
        std::memcpy(place.pointer(first + 4 * k, 0), wave.vgpr(row + k),
                    std::size_t{wave.lanes} * 4);
      return;
    }
  }
  for_each_lane(mask, [&](unsigned i) { store_lane<E>(wave, row, place, at.lane[i], i); });
}

}  // namespace hipwright::soft::HIPWRIGHT_SIMD_NAMESPACE
