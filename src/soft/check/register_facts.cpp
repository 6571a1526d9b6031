// SPDX-License-Identifier: MIT
// What an operation does with the values that RegisterCheck follows, by its name and class.
#include "soft/check/registers.h"

namespace hipwright::soft {

namespace {

using Group = OpFacts::Group;

// Clocks are read by the scalar memory unit, from no address.
Group memory_or_nothing(const Op& op) {
  if (op.flags & (kLoad | kStore | kAtomic)) return Group::kMemory;
  return op.kind == OpClass::kScalarMemory && op.dst[0] != Type::kNone ? Group::kScalar
                                                                       : Group::kNothing;
}

Group group_of(const Op& op) {
  const std::string_view name = op.name;
  switch (op.kind) {
    case OpClass::kScalar:
      return name.starts_with("s_setpc") || name.starts_with("s_swappc") ? Group::kJump
                                                                         : Group::kScalar;
    case OpClass::kBranch:
      if (name.starts_with("s_cbranch_scc")) return Group::kBranchScc;
      if (name.starts_with("s_cbranch_vcc")) return Group::kBranchVcc;
      if (name.starts_with("s_setpc") || name.starts_with("s_swappc")) return Group::kJump;
      return op.dst[0] != Type::kNone ? Group::kScalar : Group::kNothing;
    case OpClass::kVector:
    case OpClass::kTranscendental:
      return name.starts_with("v_swap") ? Group::kSwap : Group::kVector;
    case OpClass::kMatrix:
      return Group::kMatrix;
    case OpClass::kCrossLane:
      if (name == "v_readlane_b32") return Group::kReadLane;
      if (name == "v_readfirstlane_b32") return Group::kReadFirstLane;
      if (name == "v_writelane_b32") return Group::kWriteLane;
      return name.find("_swap_") != std::string_view::npos ? Group::kSwap : Group::kLanePermute;
    case OpClass::kWait:
    case OpClass::kMessage:
      return op.dst[0] != Type::kNone ? Group::kScalar : Group::kNothing;
    default:
      return memory_or_nothing(op);
  }
}

}  // namespace

OpFacts facts_of(const Op& op) {
  const std::string_view name = op.name;
  const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
  OpFacts facts{.group = group_of(op), .rule = rule_of(name), .scalar = scalar_facts(name)};
  facts.mixed = has("_mix_") || has("_mixlo_") || has("_mixhi_");
  if (facts.group == Group::kMemory) {
    facts.first_byte = has("_d16_hi") ? 2 : 0;
    facts.keeps_rest = has("_d16") && (op.flags & kLoad);
    facts.sign = has("sbyte") || has("sshort") || has("_i8") || has("_i16");
    facts.to_lds = has("_lds");
  }
  return facts;
}

}  // namespace hipwright::soft
