// SPDX-License-Identifier: MIT
// A wave: resumable state of 32 or 64 lanes that run one instruction stream together.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>

#include "soft/exec/inst.h"
#include "soft/exec/isa.h"

namespace hipwright::soft {

struct Workgroup;
class Watch;  // sees every instruction and access; absent when checks are off

inline Fidelity fidelity_on(const Op& op, Isa isa) {
  const bool here = (op.approximate_on >> static_cast<unsigned>(isa) & 1U) != 0;
  return here ? Fidelity::kApproximate : op.fidelity;
}

// The MODE register, as s_setreg and the kernel descriptor lay it out.
struct FloatMode {
  // 0 nearest even, 1 +inf, 2 -inf, 3 zero
  std::uint8_t round_f32 = 0, round_f64_f16 = 0;
  // bit 0: keep input denormals, bit 1: keep output denormals
  std::uint8_t denormal_f32 = 3, denormal_f64_f16 = 3;
  bool dx10_clamp = true;  // clamp turns NaN into 0
  bool ieee = true;        // min/max quiet signalling NaNs (gfx9 to gfx11)
  bool fp16_overflow = false;
};

enum class WaveState : std::uint8_t { kReady, kAtBarrier, kEnded, kFault, kSleeping };

struct Fault {
  enum class Kind : std::uint8_t {
    kNone,
    kBadAddress,   // outside every allocation
    kUnsupported,  // the instruction has no semantics here
    kBadJump,      // the program counter left the code object
    kTrap,         // s_trap: abort() or a failed assertion
    kStepLimit,
    kLimit,     // a resource limit (memory, LDS size)
    kDeadlock,  // waits at a barrier that can never be complete
  };
  Kind kind = Kind::kNone;
  const Inst* inst = nullptr;
  std::uint64_t address = 0;  // kBadAddress
  unsigned lane = 0;
  unsigned bytes = 0;
  bool write = false;
  std::string what;  // one sentence, for messages
};

// 1 << n: loops that test it per lane become SIMD code without variable shifts.
constexpr std::array<std::uint32_t, 32> kLaneBit = [] {
  std::array<std::uint32_t, 32> bits{};
  for (unsigned i = 0; i < 32; ++i) bits[i] = 1U << i;
  return bits;
}();

struct Wave {
  // Register files. `vectors` is row-major: vgpr(r) is `lanes` consecutive dwords. Rows of a
  // 64-bit value are consecutive registers, low dword first.
  std::uint32_t* vectors = nullptr;                      // kVectorRows × lanes, 64-byte aligned
  alignas(64) std::array<std::uint32_t, 64> exec_row{};  // all ones where active
  std::array<std::uint32_t, kScalarCount> scalars{};
  unsigned lanes = 64;
  std::uint64_t exec = 0;           // the truth while running; mirrored in scalars[kExecLo/Hi]
  std::uint64_t full_exec = ~0ULL;  // all `lanes` bits

  const Inst* next = nullptr;  // the instruction to run after the current one
  WaveState state = WaveState::kReady;
  Fault fault;
  FloatMode mode;
  Isa isa = Isa::kGfx942;
  // gfx9, bits of MODE. They change which loop runs the wave: see set_vector_modes().
  bool indexes_registers = false;  // GPR_IDX_EN: M0 says which operands move, and how far
  bool skips_vectors = false;      // VSKIP: vector and memory instructions do nothing
  Workgroup* group = nullptr;
  Watch* watch = nullptr;
  unsigned id = 0;          // within the workgroup
  std::uint64_t steps = 0;  // instructions run
  std::uint32_t hw_trap_status = 0;
  std::uint8_t barriers_complete = 0;  // see exec/barrier.h: bits of rounds not yet waited for
  std::uint8_t waits_for = 0;          // kAtBarrier: the bit that ends it
  std::uint8_t priority = 0;           // s_setprio: 0 to 3
  std::uint64_t global_round = 0;      // global wave sync: the round it waits to see end; 0: none
  std::uint8_t named_barrier = 0;      // gfx12: the one it has joined; 0: none
  std::uint64_t random = 0x9e3779b97f4a7c15ULL;  // stochastic rounding never uses it; sleep does

  std::uint32_t* vgpr(unsigned row) { return vectors + static_cast<std::size_t>(row) * lanes; }
  const std::uint32_t* vgpr(unsigned row) const {
    return vectors + static_cast<std::size_t>(row) * lanes;
  }

  void set_vector_modes(bool indexes, bool skips) {
    const bool had = has_vector_mode();
    indexes_registers = indexes;
    skips_vectors = skips;
    if (has_vector_mode() != had) state = WaveState::kSleeping;
  }
  bool has_vector_mode() const { return indexes_registers || skips_vectors; }

  // EXEC was written through `scalars` (or must be recomputed from there).
  void exec_from_scalars() {
    std::uint64_t mask = scalars[kExecLo];
    if (lanes == 64) mask |= std::uint64_t{scalars[kExecHi]} << 32;
    if (mask == exec) return;
    exec = mask;
    expand_exec();
  }
  void set_exec(std::uint64_t mask) {
    exec = mask & full_exec;
    scalars[kExecLo] = static_cast<std::uint32_t>(exec);
    if (lanes == 64) scalars[kExecHi] = static_cast<std::uint32_t>(exec >> 32);
    expand_exec();
  }
  void expand_exec() {
    // Compared with single bits rather than shifted: that is SIMD code on every machine.
    static constexpr auto kBits = [] {
      std::array<std::uint32_t, 32> bits{};
      for (unsigned i = 0; i < 32; ++i) bits[i] = 1U << i;
      return bits;
    }();
    const auto low = static_cast<std::uint32_t>(exec);
    const auto high = static_cast<std::uint32_t>(exec >> 32);
    for (unsigned i = 0; i < 32; ++i) exec_row[i] = (low & kBits[i]) == kBits[i] ? ~0U : 0U;
    for (unsigned i = 0; i < 32; ++i) exec_row[32 + i] = (high & kBits[i]) == kBits[i] ? ~0U : 0U;
  }

  // Scalar operands of 32 and 64 bits. Constants come expanded from the decoder.
  std::uint32_t read32(const Operand& operand) const {
    if (operand.is_constant()) return static_cast<std::uint32_t>(operand.value);
    return read_scalar(operand.index);
  }
  std::uint64_t read64(const Operand& operand) const {
    if (operand.is_constant()) return operand.value;
    return read_scalar(operand.index) | (std::uint64_t{read_scalar(operand.index + 1U)} << 32);
  }
  std::uint32_t read_scalar(unsigned index) const {
    if (index == kVccz) return vcc() == 0;
    if (index == kExecz) return exec == 0;
    if (index == kNull || index >= kScalarCount) return 0;
    return scalars[index];
  }
  void write32(const Operand& operand, std::uint32_t value) { scalars[operand.index] = value; }
  void write64(const Operand& operand, std::uint64_t value) {
    scalars[operand.index] = static_cast<std::uint32_t>(value);
    if (operand.index + 1U < kScalarCount && operand.index != kNull)
      scalars[operand.index + 1U] = static_cast<std::uint32_t>(value >> 32);
  }
  // Lane masks take one scalar register in wave32, two in wave64.
  std::uint64_t read_mask(const Operand& operand) const {
    if (operand.is_constant()) return operand.value & full_exec;
    const std::uint64_t low = read_scalar(operand.index);
    return lanes == 64 ? low | (std::uint64_t{read_scalar(operand.index + 1U)} << 32) : low;
  }
  void write_mask(unsigned index, std::uint64_t mask) {
    scalars[index] = static_cast<std::uint32_t>(mask);
    if (lanes == 64 && index != kNull) scalars[index + 1U] = static_cast<std::uint32_t>(mask >> 32);
  }
  std::uint64_t vcc() const {
    const std::uint64_t low = scalars[kVccLo];
    return lanes == 64 ? low | (std::uint64_t{scalars[kVccHi]} << 32) : low;
  }
  bool scc() const { return scalars[kScc] != 0; }
  void set_scc(bool value) { scalars[kScc] = value ? 1U : 0U; }

  // Defined once for all SIMD levels.
  void stop(Fault why);
  void unsupported(const Inst& inst, std::string what);
};

}  // namespace hipwright::soft
