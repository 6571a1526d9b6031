// SPDX-License-Identifier: MIT
// What lanes of a warp tell each other. Warps have 32 lanes here.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "port/ptx/emit.h"

namespace hipwright::port::ptx {

namespace {

using Kind = Operand::Kind;

bool shfl(Emitter& emit, const Instruction& in) {
  const bool has_sync = in.has("sync");
  if (in.operands.size() != (has_sync ? 5U : 4U) || !in.has("b32")) return false;
  const auto mode =
      std::find_if(in.modifiers.begin(), in.modifiers.end(), [](const std::string& word) {
        return word == "up" || word == "down" || word == "bfly" || word == "idx";
      });
  if (mode == in.modifiers.end()) return false;
  const std::string call =
      fmt::format("hip_ptx::shuffle<hip_ptx::Shuffle::{}>({}, {}, {})", *mode,
                  emit.get(in.operands[1], Cpp::kU32), emit.pass(in.operands[2], Cpp::kU32),
                  emit.pass(in.operands[3], Cpp::kU32));
  if (in.operands[0].kind != Kind::kPair)
    return emit.set(in.operands[0], call + ".value", Cpp::kU32);
  const std::string both = emit.fresh();
  emit.run(fmt::format("const auto {} = {}", both, call));
  return emit.set(in.operands[0].parts[0], both + ".value", Cpp::kU32) &&
         emit.set(in.operands[0].parts[1], both + ".is_in_range", Cpp::kPred);
}

bool vote(Emitter& emit, const Instruction& in) {
  const bool has_sync = in.has("sync");
  if (in.operands.size() != (has_sync ? 3U : 2U)) return false;
  const std::string predicate = emit.get(in.operands[1], Cpp::kPred);
  const std::string mask = has_sync ? emit.get(in.operands[2], Cpp::kU32) : "~0u";
  if (in.has("ballot"))
    return emit.set(in.operands[0], fmt::format("warp32::ballot_sync({}, {})", mask, predicate),
                    Cpp::kU32);
  if (in.has("uni"))
    return emit.set(in.operands[0], fmt::format("hip_ptx::uniform({}, {})", mask, predicate),
                    Cpp::kPred);
  if (!in.has("all") && !in.has("any")) return false;
  return emit.set(
      in.operands[0],
      fmt::format("warp32::{}_sync({}, {}) != 0", in.has("all") ? "all" : "any", mask, predicate),
      Cpp::kPred);
}

bool match(Emitter& emit, const Instruction& in) {
  const auto types = types_of(in);
  if (in.operands.size() != 3 || types.size() != 1 || is_float(types[0].cpp)) return false;
  const std::string mask = emit.get(in.operands[2], Cpp::kU32);
  const std::string value = emit.get(in.operands[1], types[0].cpp);
  if (in.has("any"))
    return emit.set(in.operands[0], fmt::format("warp32::match_any_sync({}, {})", mask, value),
                    Cpp::kU32);
  if (!in.has("all")) return false;
  const std::string agree = emit.fresh();
  emit.run("int " + agree);
  const bool is_pair = in.operands[0].kind == Kind::kPair;
  emit.set(is_pair ? in.operands[0].parts[0] : in.operands[0],
           fmt::format("warp32::match_all_sync({}, {}, &{})", mask, value, agree), Cpp::kU32);
  if (is_pair) emit.set(in.operands[0].parts[1], agree + " != 0", Cpp::kPred);
  return true;
}

bool activemask(Emitter& emit, const Instruction& in) {
  return in.operands.size() == 1 && emit.set(in.operands[0], "warp32::activemask()", Cpp::kU32);
}

bool redux(Emitter& emit, const Instruction& in) {
  const auto types = types_of(in);
  if (in.operands.size() != 3 || types.size() != 1 || bits_of(types[0].cpp) != 32 ||
      is_float(types[0].cpp) || types[0].is_half() || in.modifiers.size() != 3)
    return false;
  const auto op =
      std::find_if(in.modifiers.begin(), in.modifiers.end(), [](const std::string& word) {
        return word == "add" || word == "min" || word == "max" || word == "and" || word == "or" ||
               word == "xor";
      });
  if (op == in.modifiers.end()) return false;
  return emit.set(
      in.operands[0],
      fmt::format("warp32::reduce_{}_sync({}, {})", *op, emit.get(in.operands[2], Cpp::kU32),
                  emit.get(in.operands[1], types[0].cpp)),
      types[0].cpp);
}

// The lowest lane of the mask.
bool elect(Emitter& emit, const Instruction& in) {
  if (in.operands.size() != 2 || in.operands[0].kind != Kind::kPair) return false;
  const std::string leader = emit.fresh();
  emit.run(fmt::format("const int {} = __ffs((int)({})) - 1", leader,
                       emit.get(in.operands[1], Cpp::kU32)));
  if (in.operands[0].parts[0].kind != Kind::kSink)
    emit.set(in.operands[0].parts[0], "(unsigned int)" + leader, Cpp::kU32);
  return emit.set(in.operands[0].parts[1], fmt::format("warp32::lane() == {}", leader), Cpp::kPred);
}

constexpr std::array kOps = {Entry{"shfl", shfl},   Entry{"vote", vote},
                             Entry{"match", match}, Entry{"redux", redux},
                             Entry{"elect", elect}, Entry{"activemask", activemask}};

}  // namespace

std::span<const Entry> lane_ops() {
  return kOps;
}

}  // namespace hipwright::port::ptx
