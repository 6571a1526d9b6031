// SPDX-License-Identifier: MIT
// 8-bit floats in the format of another target. The bits do not say which format they are in:
// gfx942 takes them as "fnuz", gfx950 and gfx12 as OCP. What can be told:
// - a byte that is no number here and is one in the other format, though no conversion of the
//   device made such a byte: -0 of OCP is fnuz's NaN, ±240 of fnuz is OCP's NaN;
// - a float that the other format can hold becomes NaN in this one: 448 is for OCP.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "soft/check/findings.h"
#include "soft/check/shadow.h"

namespace hipwright::soft {

// Whether conversions of the device have made codes that are no numbers. Such bytes may come from
// anywhere then, and reading them tells nothing. Shared by all launches of a run.
struct MadeSpecials {
  std::atomic<bool> fp8{false}, bf8{false};
};

// What an operation does with 8-bit floats, by its name.
struct FormatUse {
  enum class Kind : std::uint8_t { kNone, kDecode, kDecodePair, kEncode, kMultiply };
  Kind kind = Kind::kNone;
  bool bf8 = false;         // kMultiply: source 0
  bool second_bf8 = false;  // kMultiply: source 1
  bool stochastic = false;  // kEncode
};
FormatUse format_use(std::string_view op);

class FormatCheck {
 public:
  FormatCheck(Findings& findings, MadeSpecials& made) : findings_(findings), made_(made) {}
  void before(const Wave& wave, const Inst& inst);

 private:
  void decode(const Wave& wave, const Inst& inst, const FormatUse& use);
  void encode(const Wave& wave, const Inst& inst, const FormatUse& use);
  void multiply(const Wave& wave, const Inst& inst, const FormatUse& use);
  void special_read(const Wave& wave, const Inst& inst, bool bf8, unsigned lane,
                    std::uint32_t code);
  void report(const Wave& wave, const Inst& inst, unsigned lane, std::string what);

  Findings& findings_;
  MadeSpecials& made_;
  std::unordered_map<const Op*, FormatUse> uses_;
};

}  // namespace hipwright::soft
