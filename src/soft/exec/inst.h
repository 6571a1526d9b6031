// SPDX-License-Identifier: MIT
// One machine instruction in the form that the interpreter runs: operands resolved to register
// indices and expanded constants, modifiers as fields, the operation as a function pointer. The
// decoder makes it once from LLVM's disassembly; nothing in exec/ looks at encodings.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "soft/exec/op_properties.h"

namespace hipwright::soft {

struct Inst;
struct Wave;

// The scalar registers of all targets in one index space. s0…s105 are 0…105 (flat_scratch and
// xnack_mask of gfx9 are s102…s105, as in the encoding).
enum Scalar : std::uint16_t {
  kVccLo = 106,
  kVccHi = 107,
  kTtmp0 = 108,
  kM0 = 124,
  kNull = 125,  // a sink: reads give 0
  kExecLo = 126,
  kExecHi = 127,
  kScc = 128,         // 0 or 1
  kSharedBase = 130,  // 64 bits each; the low half is 0
  kSharedLimit = 132,
  kPrivateBase = 134,
  kPrivateLimit = 136,
  kVccz = 138,  // computed when read
  kExecz = 139,
  kScalarCount = 140,
};

// Vector registers: v0…v255 are rows 0…255, a0…a255 rows 256…511. The rows after them are the
// decoder's: one carries a value between the halves of a dual-issue instruction, all of them are
// the address of an image instruction that names scattered registers.
constexpr unsigned kAccumulator0 = 256;
constexpr unsigned kSpareRow = 512;
constexpr unsigned kVectorRows = kSpareRow + 16;

// What an operand means to its operation. It decides how constants are expanded by the decoder:
// an inline 1.0 is 0x3c00 for a 16-bit operand, 0x3f800000 for a 32-bit one and a double for a
// 64-bit one; a 32-bit literal is the high half of a kF64, sign-extended for kI64, else
// zero-extended.
enum class Type : std::uint8_t {
  kNone,
  kB16,  // 16-bit integers; the low half of a register unless op_sel says otherwise
  kF16,
  kBF16,
  kB32,  // and i32, u32
  kF32,
  kB64,  // and u64
  kI64,
  kF64,
  kPkB16,  // two 16-bit integers in one register
  kPkF16,
  kPkBF16,
  kPkF32,  // two floats in two registers
  kPkB32,
  kMask,  // a lane mask in scalar registers: one or two, as the wave size says
  kWide,  // as many registers as the text names (loads, stores, matrices)
};

// Registers that a single value of the type takes; kMask and kWide: 0, it depends.
constexpr unsigned dwords(Type type) {
  switch (type) {
    case Type::kNone:
    case Type::kMask:
    case Type::kWide:
      return 0;
    case Type::kB64:
    case Type::kI64:
    case Type::kF64:
    case Type::kPkF32:
    case Type::kPkB32:
      return 2;
    default:
      return 1;
  }
}
constexpr bool is_float(Type type) {
  return type == Type::kF16 || type == Type::kBF16 || type == Type::kF32 || type == Type::kF64 ||
         type == Type::kPkF16 || type == Type::kPkBF16 || type == Type::kPkF32;
}

struct Operand {
  enum class Kind : std::uint8_t { kNone, kVector, kScalar, kConstant };
  Kind kind = Kind::kNone;
  Type type = Type::kNone;
  std::uint8_t dwords = 0;  // registers read or written
  bool neg = false;         // -x, or neg_lo of packed operands
  bool abs = false;         // |x|
  bool sext = false;        // SDWA: sign-extend the selected part
  bool neg_hi = false;      // packed operands
  std::uint8_t sel = 0;     // SDWA part: see Sdwa
  bool op_sel = false;      // 16-bit operands: the high half; packed: what the low result reads
  bool op_sel_hi = false;   // packed: what the high result reads
  bool high_half = false;   // true16 spelling v0.h (gfx11+)
  std::uint16_t index = 0;  // row or scalar index
  std::uint64_t value = 0;  // kConstant, expanded to the type
  const std::uint32_t* row = nullptr;  // kConstant: 64 copies of each dword, made by the decoder

  bool is_vector() const { return kind == Kind::kVector; }
  bool is_scalar() const { return kind == Kind::kScalar; }
  bool is_constant() const { return kind == Kind::kConstant; }
  explicit operator bool() const { return kind != Kind::kNone; }
};

enum class Sdwa : std::uint8_t { kByte0, kByte1, kByte2, kByte3, kWord0, kWord1, kDword };
enum class SdwaUnused : std::uint8_t { kPad, kSext, kPreserve };

// Data-parallel primitives: which lane source 0 comes from.
enum class Dpp : std::uint8_t {
  kNone,
  kQuadPerm,  // argument: 8 bits
  kRowShl,    // argument: 1…15
  kRowShr,
  kRowRor,
  kWaveShl,  // by one (gfx9)
  kWaveRol,
  kWaveShr,
  kWaveRor,
  kRowMirror,
  kRowHalfMirror,
  kRowBcast15,  // gfx9
  kRowBcast31,
  kRowShare,  // gfx10+ (and row_newbcast of gfx90a+): argument: lane
  kRowXmask,  // gfx10+
  kDpp8,      // argument: 8 × 3 bits
};

struct DppControl {
  Dpp kind = Dpp::kNone;
  std::uint32_t argument = 0;
  std::uint8_t row_mask = 0xf;
  std::uint8_t bank_mask = 0xf;
  bool bound_ctrl = false;      // lanes without a source read 0 instead of being disabled
  bool fetch_inactive = false;  // fi:1
};

// What kind of work an instruction is; reports count by it.
enum class OpClass : std::uint8_t {
  kScalar,
  kScalarMemory,
  kBranch,
  kWait,     // s_waitcnt and its successors, s_nop, s_delay_alu, s_clause…
  kMessage,  // barriers, sendmsg, trap, cache control
  kVector,
  kTranscendental,
  kMatrix,
  kCrossLane,  // readlane, permlane, DPP moves have kVector
  kLds,
  kGlobal,
  kFlat,
  kScratch,
  kBuffer,
  kImage,
};
constexpr unsigned kOpClasses = 15;

// Whether results are those of the hardware, bit for bit.
enum class Fidelity : std::uint8_t { kExact, kApproximate };

using Handler = void (*)(Wave&, const Inst&);

// An operation without its operands: one entry of a table in exec/ops/*.cpp.
struct Op {
  std::string_view name;  // canonical mnemonic: gfx9 spelling, without _e32/_e64/_dpp/_sdwa
  Handler run = nullptr;
  OpClass kind = OpClass::kScalar;
  // In the order of the text: destinations, then sources. Missing ones are kNone.
  std::array<Type, 2> dst{};
  std::array<Type, 5> src{};
  std::uint32_t flags = 0;
  Fidelity fidelity = Fidelity::kExact;
  std::string_view bound = {};  // of an approximate result, as text: "1 ulp"
  // Targets where an exact operation is approximate, one bit per Isa: see fidelity_on().
  std::uint8_t approximate_on = 0;

  // For the decoder: what a constant in the place of a kWide operand is made of.
  Type element = Type::kB32;
  // For the checks.
  Counts counts = Counts::kByClass;
  Waits waits = Waits::kNone;
  Caches caches = Caches::kKept;
  LaneUse lanes = LaneUse::kOwn;
  Fp8Use fp8 = {};
  RegisterPart part = {};
  VectorRule vector_rule = VectorRule::kWhole;
  ScalarRule scalar_rule = ScalarRule::kWhole;
};

// Adds a property to an entry: message("global_inv") | Counts::kLoad.
constexpr Op operator|(Op op, Counts counts) {
  op.counts = counts;
  return op;
}
constexpr Op operator|(Op op, Waits waits) {
  op.waits = waits;
  return op;
}
constexpr Op operator|(Op op, Caches caches) {
  op.caches = caches;
  return op;
}
constexpr Op operator|(Op op, LaneUse lanes) {
  op.lanes = lanes;
  return op;
}
constexpr Op operator|(Op op, Fp8Use fp8) {
  op.fp8 = fp8;
  return op;
}
constexpr Op operator|(Op op, RegisterPart part) {
  op.part = part;
  return op;
}
constexpr Op operator|(Op op, VectorRule rule) {
  op.vector_rule = rule;
  return op;
}
constexpr Op operator|(Op op, ScalarRule rule) {
  op.scalar_rule = rule;
  return op;
}

// Op::flags and Inst::flags.
enum : std::uint32_t {
  // From the op table:
  kReadsDst = 1u << 0,  // the destination is also an addend (fmac, dot4c, sdwa preserve)
  kReadsVcc = 1u << 1,  // implicitly, as not written in the text (div_fmas)
  kWritesScc = 1u << 2,
  kReadsScc = 1u << 3,
  kReadsExec = 1u << 4,        // as a value: saveexec and friends
  kImplicitExecDst = 1u << 5,  // writes exec though the text does not say so (cmpx, saveexec)
  kControl = 1u << 6,          // may change wave.next or wave.state: look after running it
  kMayFault = 1u << 7,         // touches memory: may set wave.state to kFault
  kReadsM0 = 1u << 8,
  kStore = 1u << 9,  // writes memory
  kLoad = 1u << 10,  // reads memory
  kAtomic = 1u << 11,
  kNoSrcModifiers = 1u << 12,
  kIgnoresExec = 1u << 13,  // runs for all lanes, whatever EXEC says (readfirstlane is not this)
  kOutputF16 = 1u << 14,    // clamp and omod act on a 16-bit result
  // A 16-bit result leaves the other half of the register alone on gfx9 too (fmac_f16, fma_f16,
  // mad_u16, med3, …); without it gfx9 zeroes the high half. gfx10+ always keeps it.
  kKeepsHigh = 1u << 15,
  kKeepsDenormals = 1u << 16,  // not flushed, whatever MODE says (class, frexp, moves)
  kRelativeBranch = 1u << 17,  // the immediate is the distance to the target
  kArrives = 1u << 18,         // at a barrier
  kCompareSwap = 1u << 19,     // an atomic that writes only where memory holds what was expected
  kDataInLds = 1u << 20,       // the data go from or to LDS instead of a register
  kLaneAddress = 1u << 21,     // the address is made from the lane's number: the data come first
  kMixesHalves = 1u << 22,     // op_sel_hi makes a source a half, op_sel says which
  kNewExecToDst = 1u << 23,    // the destination gets the new EXEC, not the old one
  kSccIsZeroTest = 1u << 24,   // SCC says whether the result is not zero
  kRefused = 1u << 25,         // decodes, and always stops the kernel: not supported
  kConvertsData = 1u << 26,    // memory holds the data in another form than registers
  // Added by the decoder:
  kWritesExec = 1u << 28,  // an explicit or implicit destination overlaps exec
  kPlain = 1u << 29,       // no modifier at all: no neg/abs/op_sel/DPP/SDWA/clamp/omod
  kHasDpp = 1u << 30,
  kHasSdwa = 1u << 31,
};

// Modifiers of memory instructions.
struct MemoryModifiers {
  std::int32_t offset = 0;  // bytes; DS two-address forms: offset0
  std::uint16_t offset1 = 0;
  bool gds = false;
  bool offen = false, idxen = false, addr64 = false, lds = false, tfe = false;
  bool returns = false;  // atomics: the old value is wanted
  bool scale_offset = false;
  std::uint8_t scope = 0;   // 0 wave/CU … 3 system, as far as the encoding says
  std::uint8_t format = 0;  // typed buffer
  // Images. gfx9 does not name the dimension: the descriptor has it.
  static constexpr std::uint8_t kNoDimension = 0xff;
  std::uint8_t dim = kNoDimension;  // ImageKind
  std::uint8_t dmask = 0;           // components
  bool a16 = false;                 // coordinates of 16 bits
  bool d16 = false;                 // components of 16 bits
  bool unorm = false;               // coordinates count texels
};

struct Inst {
  Handler run = nullptr;
  const Op* op = nullptr;
  std::uint32_t flags = 0;
  std::uint16_t simm16 = 0;  // SOPP and SOPK: the encoded immediate
  std::uint8_t size = 0;     // bytes in memory
  std::uint8_t wave_size = 64;
  std::uint64_t address = 0;  // where it lies in (host = device) memory
  std::array<Operand, 2> dst{};
  std::array<Operand, 5> src{};

  bool clamp = false;
  std::uint8_t omod = 0;    // 1: ×2, 2: ×4, 3: ÷2
  bool op_sel_dst = false;  // the result goes to the high half
  std::uint8_t dst_sel = static_cast<std::uint8_t>(Sdwa::kDword);
  SdwaUnused dst_unused = SdwaUnused::kPad;
  DppControl dpp;
  MemoryModifiers memory;
  std::uint8_t cbsz = 0, abid = 0, blgp = 0;  // MFMA
  std::uint8_t index_key = 0;                 // SWMMAC
  bool byte_sel_set = false;
  std::uint8_t byte_sel = 0;  // cvt_*_fp8 of gfx12
  std::uint8_t bitop3 = 0;    // gfx950
  std::uint8_t wait_exp = 0, wait_vdst = 0;
  const Inst* target = nullptr;  // branches, when it lies in the same function
};

// The mnemonic as the op table has it, for messages.
inline std::string_view name_of(const Inst& inst) {
  return inst.op ? inst.op->name : "?";
}

}  // namespace hipwright::soft
