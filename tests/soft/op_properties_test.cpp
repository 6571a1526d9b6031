// SPDX-License-Identifier: MIT
// The properties of table entries agree with what the ISA's names say: an entry that forgets one
// would make the checks silently wrong.
#include "soft/exec/op_properties.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "soft/exec/ops/ops.h"

namespace hipwright::soft {
namespace {

bool has(const Op& op, std::string_view part) {
  return op.name.find(part) != std::string_view::npos;
}
bool has_any(const Op& op, std::initializer_list<std::string_view> parts) {
  for (const std::string_view part : parts)
    if (has(op, part)) return true;
  return false;
}
bool flag(const Op& op, std::uint32_t bit) {
  return (op.flags & bit) != 0;
}

TEST(OpProperties, EveryWaitInstructionDeclaresItsCounter) {
  for (const Op* op : all_ops())
    EXPECT_EQ(op->waits != Waits::kNone, op->name.starts_with("s_wait")) << op->name;
}

TEST(OpProperties, CrossLaneOperationsDeclareTheLanesTheyRead) {
  for (const Op* op : all_ops()) {
    const bool moves = op->kind == OpClass::kCrossLane || op->name.starts_with("v_swap");
    EXPECT_EQ(op->lanes != LaneUse::kOwn, moves) << op->name;
    if (op->kind != OpClass::kCrossLane) continue;
    EXPECT_EQ(op->counts == Counts::kLds, op->name.starts_with("ds_")) << op->name;
    EXPECT_EQ(op->lanes == LaneUse::kSwapRows16 || op->lanes == LaneUse::kSwapRows32,
              has(*op, "_swap_"))
        << op->name;
  }
}

TEST(OpProperties, CompareAndSwapIsMarked) {
  for (const Op* op : all_ops())
    EXPECT_EQ(flag(*op, kCompareSwap), has_any(*op, {"cmpswap", "cmpst"})) << op->name;
}

TEST(OpProperties, NarrowTransfersDeclareTheirPartOfTheRegister) {
  for (const Op* op : all_ops()) {
    // Formats of texture hardware are refused.
    if (op->kind < OpClass::kLds || has(*op, "_format_")) continue;
    EXPECT_EQ(op->part.first_byte, has(*op, "_d16_hi") ? 2 : 0) << op->name;
    EXPECT_EQ(op->part.keeps_rest, has(*op, "_d16") && flag(*op, kLoad)) << op->name;
    if (op->dst[0] == Type::kNone) continue;
    EXPECT_EQ(op->part.sign, has_any(*op, {"sbyte", "sshort", "_i8", "_i16"})) << op->name;
  }
}

TEST(OpProperties, TransfersWithLdsAndLaneAddressesAreMarked) {
  for (const Op* op : all_ops()) {
    EXPECT_EQ(flag(*op, kDataInLds), has_any(*op, {"_load_lds", "_store_lds"})) << op->name;
    EXPECT_EQ(flag(*op, kLaneAddress), has(*op, "addtid")) << op->name;
  }
}

TEST(OpProperties, EightBitFloatsAreMarked) {
  using Kind = Fp8Use::Kind;
  for (const Op* op : all_ops()) {
    const bool multiplies = op->name.ends_with("fp8") || op->name.ends_with("bf8");
    if (op->kind == OpClass::kMatrix || op->name.starts_with("v_dot")) {
      EXPECT_EQ(op->fp8.kind == Kind::kMultiply, multiplies) << op->name;
      EXPECT_EQ(op->fp8.second_bf8, op->name.ends_with("bf8")) << op->name;
      EXPECT_EQ(op->fp8.bf8, has_any(*op, {"bf8_fp8", "bf8_bf8"})) << op->name;
    } else if (op->name.starts_with("v_cvt_") && !has(*op, "scale") &&
               has_any(*op, {"fp8", "bf8"})) {
      EXPECT_NE(op->fp8.kind, Kind::kNone) << op->name;
      EXPECT_EQ(op->fp8.bf8, has(*op, "bf8")) << op->name;
      EXPECT_EQ(op->fp8.stochastic, has(*op, "_sr_")) << op->name;
    } else {
      EXPECT_EQ(op->fp8.kind, Kind::kNone) << op->name;
    }
  }
}

TEST(OpProperties, ScalarLogicDeclaresHowBitsMove) {
  constexpr std::string_view kLogic[] = {"s_and",  "s_or",     "s_xor",    "s_nand",  "s_nor",
                                         "s_xnor", "s_lshl_b", "s_lshr_b", "s_ashr_", "s_not_"};
  for (const Op* op : all_ops()) {
    const bool saves = has_any(*op, {"_saveexec_", "_wrexec_"});
    const bool logic = std::ranges::any_of(
        kLogic, [&](std::string_view prefix) { return op->name.starts_with(prefix); });
    if (!logic) continue;
    EXPECT_NE(op->scalar_rule, ScalarRule::kWhole) << op->name;
    EXPECT_TRUE(flag(*op, kSccIsZeroTest)) << op->name;
    EXPECT_EQ(flag(*op, kNewExecToDst), has(*op, "_wrexec_")) << op->name;
    EXPECT_EQ(flag(*op, kImplicitExecDst), saves) << op->name;
  }
}

TEST(OpProperties, BranchesAndBarriersAreMarked) {
  for (const Op* op : all_ops()) {
    if (op->kind == OpClass::kBranch) {
      EXPECT_EQ(flag(*op, kRelativeBranch), op->name == "s_branch" ||
                                                op->name.starts_with("s_cbranch_") ||
                                                op->name == "s_call_b64")
          << op->name;
    }
    EXPECT_EQ(flag(*op, kArrives),
              op->name == "s_barrier" || op->name.starts_with("s_barrier_signal"))
        << op->name;
  }
}

TEST(OpProperties, ConstantAccumulatorsHaveTheElementOfTheMatrix) {
  for (const Op* op : all_ops()) {
    const Type expected = has(*op, "v_mfma_f64_")                        ? Type::kF64
                          : has_any(*op, {"wmma_f16_", "swmmac_f16_"})   ? Type::kPkF16
                          : has_any(*op, {"wmma_bf16_", "swmmac_bf16_"}) ? Type::kPkBF16
                                                                         : Type::kB32;
    EXPECT_EQ(op->element, expected) << op->name;
  }
}

}  // namespace
}  // namespace hipwright::soft
