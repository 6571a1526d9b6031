// SPDX-License-Identifier: MIT
// What the tests of memory instructions share: which values move and how, which atomics there are,
// and a model of memory as plain bytes that is written apart from the handlers.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "soft/lab.h"

namespace hipwright::soft::memory_test {

using Bytes = std::vector<std::uint8_t>;
using Words = std::vector<std::uint32_t>;

// "v4", "v[4:7]".
inline std::string registers(char file, unsigned first, unsigned count) {
  return count == 1 ? fmt::format("{}{}", file, first)
                    : fmt::format("{}[{}:{}]", file, first, first + count - 1);
}

// A load or a store of one value per lane.
struct Move {
  std::string_view gfx9, gfx11;  // both spellings, without the family
  unsigned bytes;
  bool sign = false;
  int half = -1;  // 0: the low half of the register, 1: the high one, -1: all of it
  unsigned dwords() const { return bytes < 4 ? 1 : bytes / 4; }
};

inline const std::vector<Move>& loads() {
  static const std::vector<Move> kLoads = {
      {"load_ubyte", "load_u8", 1},
      {"load_sbyte", "load_i8", 1, true},
      {"load_ushort", "load_u16", 2},
      {"load_sshort", "load_i16", 2, true},
      {"load_ubyte_d16", "load_d16_u8", 1, false, 0},
      {"load_ubyte_d16_hi", "load_d16_hi_u8", 1, false, 1},
      {"load_sbyte_d16", "load_d16_i8", 1, true, 0},
      {"load_sbyte_d16_hi", "load_d16_hi_i8", 1, true, 1},
      {"load_short_d16", "load_d16_b16", 2, false, 0},
      {"load_short_d16_hi", "load_d16_hi_b16", 2, false, 1},
      {"load_dword", "load_b32", 4},
      {"load_dwordx2", "load_b64", 8},
      {"load_dwordx3", "load_b96", 12},
      {"load_dwordx4", "load_b128", 16},
  };
  return kLoads;
}
inline const std::vector<Move>& stores() {
  static const std::vector<Move> kStores = {
      {"store_byte", "store_b8", 1},
      {"store_short", "store_b16", 2},
      {"store_byte_d16_hi", "store_d16_hi_b8", 1, false, 1},
      {"store_short_d16_hi", "store_d16_hi_b16", 2, false, 1},
      {"store_dword", "store_b32", 4},
      {"store_dwordx2", "store_b64", 8},
      {"store_dwordx3", "store_b96", 12},
      {"store_dwordx4", "store_b128", 16},
  };
  return kStores;
}

// What the registers hold after a load of these bytes.
inline Words loaded(const Move& move, const std::uint8_t* bytes, Words before) {
  if (move.bytes >= 4) {
    for (unsigned i = 0; i < move.dwords(); ++i)
      before[i] = bytes[4 * i] | (bytes[4 * i + 1] << 8) | (bytes[4 * i + 2] << 16) |
                  (std::uint32_t{bytes[4 * i + 3]} << 24);
    return before;
  }
  long long value = 0;
  for (unsigned i = 0; i < move.bytes; ++i) value += static_cast<long long>(bytes[i]) << (8 * i);
  const long long range = 1LL << (8 * move.bytes);
  if (move.sign && value >= range / 2) value -= range;
  const auto bits = static_cast<std::uint32_t>(value);
  if (move.half == -1)
    before[0] = bits;
  else if (move.half == 0)
    before[0] = (before[0] / 65536 * 65536) + bits % 65536;
  else
    before[0] = before[0] % 65536 + bits % 65536 * 65536;
  return before;
}
// The bytes that a store of these registers writes.
inline Bytes stored(const Move& move, const Words& registers) {
  Bytes bytes;
  for (unsigned i = 0; i < move.bytes; ++i)
    bytes.push_back(
        static_cast<std::uint8_t>(registers[i / 4] >> (8 * (i % 4) + (move.half == 1 ? 16 : 0))));
  return bytes;
}

// One read-modify-write operation. Values are 32 or 64 bits wide, in the low bits.
struct Atomic {
  std::string_view gfx9, gfx11;  // without family and "atomic_"
  unsigned bits;
  // What memory becomes; `isa` for rules that differ.
  std::function<std::uint64_t(std::uint64_t old, std::uint64_t data, std::uint64_t compare, Isa)>
      result;
  bool compares = false;
  char values = 'i';  // i: integers, f: floats, h: halves, b: bfloats
  std::string_view gfx10 = gfx9;
};

template <class F>
F as_float(std::uint64_t bits) {
  F value;
  std::memcpy(&value, &bits, sizeof(F));
  return value;
}
template <class F>
std::uint64_t as_bits(F value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(F));
  return bits;
}
template <class F>
std::uint64_t quiet(std::uint64_t bits) {
  return bits | (sizeof(F) == 8 ? 1ULL << 51 : 1ULL << 22);
}

// f32 additions in memory lose denormals on these.
inline bool flushes_f32(Isa isa) {
  return isa != Isa::kGfx942 && isa != Isa::kGfx950 && isa != Isa::kGfx12;
}
template <class F>
std::uint64_t added(std::uint64_t a, std::uint64_t b, bool flush) {
  F x = as_float<F>(a), y = as_float<F>(b);
  if (x != x) return quiet<F>(a);
  if (y != y) return quiet<F>(b);
  const F least = sizeof(F) == 8 ? F(0x1p-1022) : F(0x1p-126);
  if (flush && std::fabs(x) < least) x = std::copysign(F(0), x);
  if (flush && std::fabs(y) < least) y = std::copysign(F(0), y);
  F sum = x + y;
  if (sum != sum) return sizeof(F) == 8 ? 0x7ff8000000000000 : 0x7fc00000;
  if (flush && std::fabs(sum) < least) sum = std::copysign(F(0), sum);
  return as_bits(sum);
}
template <class F>
std::uint64_t extreme(std::uint64_t old, std::uint64_t data, Isa isa, bool greatest) {
  const F memory = as_float<F>(old), other = as_float<F>(data);
  if (isa == Isa::kGfx12) {
    if (memory != memory) return other != other ? quiet<F>(data) : data;
    if (other != other) return old;
    if (memory == 0 && other == 0) return std::signbit(memory) == greatest ? data : old;
  }
  return (greatest ? other > memory : other < memory) ? data : old;
}
// The sum of two 16-bit floats, rounded once; f16 has 10 bits of mantissa, bf16 7.
std::uint32_t add_half(std::uint32_t a, std::uint32_t b, unsigned mantissa_bits);

inline std::uint64_t add_pair(std::uint64_t a, std::uint64_t b, unsigned mantissa_bits) {
  return add_half(a & 0xffff, b & 0xffff, mantissa_bits) |
         (add_half((a >> 16) & 0xffff, (b >> 16) & 0xffff, mantissa_bits) << 16);
}

const std::vector<Atomic>& atomics();

// Interesting values of a kind, the same every time.
inline std::uint64_t pick(char values, unsigned bits, std::mt19937_64& random) {
  const auto choose = [&](const auto& list) { return list[random() % list.size()]; };
  static const auto i32 = interesting_i32(128), f32 = interesting_f32(128);
  static const auto i64 = interesting_i64(128), f64 = interesting_f64(128);
  static const auto f16 = interesting_f16(128);
  if (values == 'h') return choose(f16) | (std::uint32_t{choose(f16)} << 16);
  if (values == 'b') return (choose(f32) >> 16) | (choose(f32) & 0xffff0000);
  if (values == 'f') return bits == 64 ? choose(f64) : choose(f32);
  return bits == 64 ? choose(i64) : choose(i32);
}

// The first of the texts that the target's assembler takes; empty: it has no such instruction.
inline std::string accepted(const Lab& lab, const std::vector<std::string>& texts) {
  for (const std::string& text : texts)
    if (lab.accepts(text)) return text;
  return {};
}

// Every target in every wave size it has.
struct Machine {
  std::string gfx;
  unsigned lanes;
};
inline std::vector<Machine> machines() {
  std::vector<Machine> all;
  for (const std::string& gfx : all_targets()) {
    all.push_back({gfx, 64});
    if (gfx.starts_with("gfx1")) all.push_back({gfx, 32});
  }
  return all;
}

// EXEC: full, none, one lane, and some.
inline std::vector<std::uint64_t> masks(unsigned lanes) {
  const std::uint64_t full = lanes == 64 ? ~0ULL : 0xffffffffULL;
  return {full, 0, (1ULL << 5) & full, 0x9e3779b97f4a7c15ULL & full};
}

inline void fill(Bytes& bytes, std::mt19937_64& random) {
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
}
inline bool active(std::uint64_t mask, unsigned lane) {
  return ((mask >> lane) & 1) != 0;
}

}  // namespace hipwright::soft::memory_test
