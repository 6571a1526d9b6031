// SPDX-License-Identifier: MIT
// What is known about the values that a wave holds: which bytes were never given a value, and
// which lanes hold results that hardware may compute differently.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "soft/exec/wave.h"

namespace hipwright::soft {

using LaneMask = std::uint64_t;

// Lanes in which each byte of a dword is undefined.
struct UndefinedBytes {
  std::array<LaneMask, 4> byte{};

  LaneMask any() const { return byte[0] | byte[1] | byte[2] | byte[3]; }
  static UndefinedBytes all(LaneMask lanes) { return {{lanes, lanes, lanes, lanes}}; }
  friend UndefinedBytes operator|(const UndefinedBytes& a, const UndefinedBytes& b) {
    return {{a.byte[0] | b.byte[0], a.byte[1] | b.byte[1], a.byte[2] | b.byte[2],
             a.byte[3] | b.byte[3]}};
  }
};

// Where an undefined value comes from. 0: unknown; the first ones are the registers themselves.
using OriginId = std::uint32_t;

struct Origin {
  enum class Kind : std::uint8_t { kVector, kScalar, kLds, kScratch, kInactiveLane };
  Kind kind{};
  unsigned reg = 0;           // kVector: row; kScalar: index
  std::uint64_t address = 0;  // of the instruction that read it, where that is known
};

struct WaveShadow {
  std::array<UndefinedBytes, kVectorRows> vector{};
  std::array<std::uint32_t, kScalarCount> scalar{};  // undefined bits
  std::array<OriginId, kVectorRows> vector_origin{};
  std::array<OriginId, kScalarCount> scalar_origin{};
  // Approximate results: lanes, and whole scalar registers.
  std::array<LaneMask, kVectorRows> vector_approximate{};
  std::array<bool, kScalarCount> scalar_approximate{};
  std::vector<std::uint8_t> scratch;  // kUndefined, kApproximate; by lane, then byte
};

// Bits of a shadow byte of LDS and scratch.
constexpr std::uint8_t kUndefinedByte = 1;
constexpr std::uint8_t kApproximateByte = 2;
constexpr std::uint8_t kInactiveByte = 4;  // undefined because a lane was not active

}  // namespace hipwright::soft
