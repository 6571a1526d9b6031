// SPDX-License-Identifier: MIT
// Follows undefined and approximate values through registers, LDS and scratch. Computing with them
// is not a mistake; a finding is an undefined value that is stored to global memory, used as an
// address, or decides what runs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "soft/check/findings.h"
#include "soft/check/scalar_rules.h"
#include "soft/check/shadow.h"
#include "soft/check/vector_rules.h"
#include "soft/exec/access.h"
#include "soft/exec/workgroup.h"

namespace hipwright::soft {

// Notified when an approximate value decides something.
class FidelitySink {
 public:
  virtual ~FidelitySink() = default;
  virtual void approximate_use(const Wave& wave, const Inst& inst, bool branch) = 0;
};

inline unsigned dwords_of(const Operand& operand) {
  return std::max<unsigned>(operand.dwords, 1);
}

// One workgroup.
class RegisterCheck {
 public:
  RegisterCheck(Findings& findings, FidelitySink* fidelity)
      : findings_(findings), fidelity_(fidelity) {}

  void begin(const Workgroup& group);
  void before(Wave& wave, const Inst& inst);
  void access(Wave& wave, const Inst& inst, const Access& access);

  WaveShadow& shadow(const Wave& wave) { return *waves_[wave.id]; }

 private:
  struct Source;
  OriginId origin(const Origin& value);

  void vector(Wave& wave, const Inst& inst);
  void packed16(Wave& wave, const Inst& inst);
  void packed32(Wave& wave, const Inst& inst);
  void scalar(Wave& wave, const Inst& inst);
  void matrix(Wave& wave, const Inst& inst);
  void memory(Wave& wave, const Inst& inst);
  void read_lane(Wave& wave, const Inst& inst);
  void write_lane(Wave& wave, const Inst& inst);
  void lane_permute(Wave& wave, const Inst& inst);
  void swap(Wave& wave, const Inst& inst);
  void before_by_class(Wave& wave, const Inst& inst);
  void branch(Wave& wave, const Inst& inst);
  void decide(Wave& wave, const Inst& inst, std::uint64_t undefined, std::uint64_t known_ones,
              OriginId from, bool approximate);

  UndefinedBytes source_dword(Wave& wave, const Inst& inst, unsigned number, unsigned dword) const;
  UndefinedBytes source_half(Wave& wave, const Inst& inst, unsigned number, bool high) const;
  SourceDword source(Wave& wave, const Inst& inst, unsigned number, unsigned dword) const;
  LaneMask mask_bits(const Wave& wave, const Operand& operand) const;
  LaneMask source_lanes(Wave& wave, const Inst& inst, unsigned number) const;
  OriginId origin_of_sources(const Wave& wave, const Inst& inst) const;
  OriginId origin_of(const Wave& wave, const Operand& operand, LaneMask lanes = ~LaneMask{0}) const;
  LaneMask approximate_lanes(const Wave& wave, const Inst& inst) const;
  bool approximate(const Wave& wave, const Operand& operand) const;
  ScalarValue scalar_value(const Wave& wave, const Operand& operand, bool wide) const;

  void write_dword(Wave& wave, const Inst& inst, const Operand& to, unsigned dword,
                   const UndefinedBytes& undefined, LaneMask lanes, OriginId from);
  void write_mask(Wave& wave, const Inst& inst, const Operand& to, LaneMask undefined,
                  OriginId from);
  void write_scalar(Wave& wave, const Inst& inst, const Operand& to, std::uint64_t undefined,
                    OriginId from, bool approximate);
  void exec_written(Wave& wave, const Inst& inst);
  LaneMask written_lanes(const Wave& wave, const Inst& inst) const;

  void report(Wave& wave, const Inst& inst, FindingKind kind, OriginId from, LaneMask lanes,
              std::string what);

  Findings& findings_;
  FidelitySink* fidelity_;
  std::vector<std::unique_ptr<WaveShadow>> waves_;
  std::vector<std::uint8_t> lds_;
  std::vector<Origin> origins_;
  OriginId last_inactive_ = 0;
  std::map<std::pair<Origin::Kind, std::uint64_t>, OriginId> origin_ids_;

  // The memory instruction that runs: its data, and how much of it each lane has moved.
  struct Transfer {
    std::vector<UndefinedBytes> data;
    LaneMask data_approximate = 0;
    OriginId data_origin = 0;
    std::array<std::uint16_t, 64> cursor{};
  };
  Transfer transfer_;
};

}  // namespace hipwright::soft
