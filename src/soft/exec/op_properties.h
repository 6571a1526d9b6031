// SPDX-License-Identifier: MIT
// What an instruction does beyond computing its result. These properties stand in its table entry;
// the decoder and the checks read them there and never look at names.
#pragma once

#include <cstdint>

namespace hipwright::soft {

// Which wait counter a memory operation adds to until it is done. Targets differ in what they
// call the counters and in which of them they share: see check/waits.h.
enum class Counts : std::uint8_t {
  kByClass,  // memory operations as their OpClass says, others nothing
  kScalar,   // like scalar memory: done in any order
  kLds,
  kLoad,
  kStore,
  kSample,  // gfx12 has a counter for samples, the others count them as loads
};

// How a wait instruction's immediate names counters.
enum class Waits : std::uint8_t {
  kNone,       // not a wait instruction
  kPacked,     // s_waitcnt: several counters, in a layout of the target
  kLoad,       // one counter
  kStore,      //
  kLds,        //
  kScalar,     //
  kSample,     //
  kLoadLds,    // bits 8 to 13 and bits 0 to 5
  kStoreLds,   //
  kAll,        // everything, whatever the immediate says
  kUntracked,  // counters of exports and the pipeline
};

// What a cache instruction does to cached global memory.
enum class Caches : std::uint8_t {
  kKept,
  kDropped,             // the acquire half of a fence
  kDroppedByScope,      // dropped from device scope up
  kWrittenBackByScope,  // the release half, from device scope up
};

// Which lanes a value comes from.
enum class LaneUse : std::uint8_t {
  kOwn,         // the lane's own; DPP is a modifier
  kReadOne,     // source 0 of the lane that source 1 names, to a scalar register
  kReadFirst,   // source 0 of the first active lane
  kWriteOne,    // a scalar to the lane that source 1 names
  kPermute,     // source 0 of other lanes; 0 is a result by design
  kSwizzle,     // source 0 of other lanes; 0 stands for an inactive lane
  kPull,        // source 1 of the lane that source 0 names; 0 stands for an inactive lane
  kPush,        // source 1 to the lane that source 0 names; 0 is a result by design
  kSwap,        // two registers exchange values
  kSwapRows16,  // two registers exchange rows of 16 lanes
  kSwapRows32,  // two registers exchange halves of 32 lanes
};

// What an operation does with 8-bit floats in the target's format.
struct Fp8Use {
  enum class Kind : std::uint8_t { kNone, kDecode, kDecodePair, kEncode, kMultiply };
  Kind kind = Kind::kNone;
  bool bf8 = false;         // kMultiply: source 0
  bool second_bf8 = false;  // kMultiply: source 1
  bool stochastic = false;  // kEncode

  static constexpr Fp8Use decode(bool bf8) { return {.kind = Kind::kDecode, .bf8 = bf8}; }
  static constexpr Fp8Use decode_pair(bool bf8) { return {.kind = Kind::kDecodePair, .bf8 = bf8}; }
  static constexpr Fp8Use encode(bool bf8, bool stochastic = false) {
    return {.kind = Kind::kEncode, .bf8 = bf8, .stochastic = stochastic};
  }
  static constexpr Fp8Use multiply(bool first_bf8, bool second_bf8) {
    return {.kind = Kind::kMultiply, .bf8 = first_bf8, .second_bf8 = second_bf8};
  }
};

// The part of a register that a narrow value is loaded into or stored from.
struct RegisterPart {
  std::uint8_t first_byte = 0;
  bool sign = false;        // loads: sign-extended
  bool keeps_rest = false;  // loads: the other half stays
};

// How undefined bytes of vector sources reach the result.
enum class VectorRule : std::uint8_t {
  kWhole,  // any undefined byte of a source: the whole result
  kMove,
  kSelect,  // cndmask
  kAnd,
  kOr,
  kXor,
  kNot,
  kAndOr,
  kOr3,
  kXor3,
  kShiftLeft,  // (count, value)
  kShiftRight,
  kShiftRightSigned,
  kShiftLeftOr,   // (value, count, or)
  kShiftLeftAdd,  // (value, count, addend)
  kAddShiftLeft,
  kSum,      // carries go up: + - * on integers
  kSum24,    // the highest byte of each source does not count
  kExtract,  // bfe_u32
  kExtractSigned,
  kInsert,   // bfi
  kPermute,  // v_perm_b32
  kAlignByte,
  kAlignBit,
  kPackHalves,
  kByte0,  // cvt_f32_ubyte0 …
  kByte1,
  kByte2,
  kByte3,
  // 64-bit results.
  kWideSum,
  kWideShiftLeft,  // (count, value)
  kWideShiftRight,
};

// The same for scalar sources, bit by bit.
enum class ScalarRule : std::uint8_t {
  kWhole,
  kMove,
  kNot,
  kAnd,
  kAndNot,  // a & ~b
  kNotAnd,  // ~a & b
  kOr,
  kOrNot,
  kNotOr,
  kXor,  // and xnor
  kNand,
  kNor,
  kSum,
  kShiftLeft,
  kShiftRight,
  kShiftRightSigned,
  kExtract,
  kSelect,  // by SCC
  kEqual,   // compares for equality: known as soon as defined bits differ
  kPackLowLow,
  kPackLowHigh,
  kPackHighHigh,
};

}  // namespace hipwright::soft
