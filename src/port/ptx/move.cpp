// SPDX-License-Identifier: MIT
// Moves, conversions, comparisons and selections.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "port/ptx/emit.h"

namespace hipwright::port::ptx {

namespace {

using Half = Type::Half;
using Kind = Operand::Kind;

// {a, b} = c and c = {a, b}
bool split(Emitter& emit, const Instruction& in, Cpp type) {
  const auto& parts = in.operands[0].parts;
  const unsigned bits = bits_of(type) / static_cast<unsigned>(parts.size());
  if (bits < 16) return false;
  const std::string whole = emit.fresh();
  emit.run(fmt::format("const {} {} = {}", to_string(type), whole, emit.get(in.operands[1], type)));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].kind == Kind::kSink) continue;
    emit.set(
        parts[i],
        i == 0 ? fmt::format("({}){}", to_string(integer_of(bits, false)), whole)
               : fmt::format("({})({} >> {})", to_string(integer_of(bits, false)), whole, i * bits),
        integer_of(bits, false));
  }
  return true;
}

bool join(Emitter& emit, const Instruction& in, Cpp type) {
  const auto& parts = in.operands[1].parts;
  const unsigned bits = bits_of(type) / static_cast<unsigned>(parts.size());
  if (bits < 16) return false;
  std::string text;
  for (std::size_t i = parts.size(); i-- > 0;) {
    const std::string part =
        fmt::format("({}){}", to_string(type), emit.get(parts[i], integer_of(bits, false)));
    text += i == 0 ? part : fmt::format("{} << {} | ", part, i * bits);
  }
  return emit.set(in.operands[0], text, type);
}

bool mov(Emitter& emit, const Instruction& in) {
  const auto types = types_of(in);
  if (types.size() != 1 || in.modifiers.size() != 1 || in.operands.size() != 2) return false;
  const Cpp type = types[0].cpp;
  const auto is_fit = [&](const Operand& vector) {
    return !is_float(type) && type != Cpp::kPred &&
           (vector.parts.size() == 2 || vector.parts.size() == 4);
  };
  if (in.operands[0].kind == Kind::kVector)
    return is_fit(in.operands[0]) && split(emit, in, unsigned_of(type));
  if (in.operands[1].kind == Kind::kVector)
    return is_fit(in.operands[1]) && join(emit, in, unsigned_of(type));
  return emit.set(in.operands[0], emit.get(in.operands[1], type), type);
}

// On AMD GPUs generic and global addresses are the same.
bool cvta(Emitter& emit, const Instruction& in) {
  if (in.operands.size() != 2 || in.has("const") || in.has("local") || in.has("param") ||
      in.has("shared::cluster"))
    return false;
  const bool is_shared = in.has("shared") || in.has("shared::cta");
  const auto types = types_of(in);
  if (types.size() != 1 || is_float(types[0].cpp) || (!is_shared && !in.has("global")))
    return false;
  if (!is_shared)
    return emit.set(in.operands[0], emit.get(in.operands[1], types[0].cpp), types[0].cpp);
  if (in.has("to"))
    return emit.set(in.operands[0],
                    fmt::format("({})__cvta_generic_to_shared((const void*){})",
                                to_string(types[0].cpp), emit.get(in.operands[1], Cpp::kU64)),
                    types[0].cpp);
  return emit.set(in.operands[0],
                  fmt::format("({})__cvta_shared_to_generic({})", to_string(types[0].cpp),
                              emit.get(in.operands[1], Cpp::kU32)),
                  types[0].cpp);
}

std::string_view integer_rounding(const Instruction& in, bool is_single) {
  if (in.has("rni")) return is_single ? "rintf" : "rint";
  if (in.has("rzi")) return is_single ? "truncf" : "trunc";
  if (in.has("rmi")) return is_single ? "floorf" : "floor";
  if (in.has("rpi")) return is_single ? "ceilf" : "ceil";
  return {};
}

// The value of a source as float, double or an integer; `type` becomes that.
std::string value_of(Emitter& emit, const Operand& operand, Type& type) {
  const std::string text = emit.get(operand, type.cpp);
  if (type.half == Half::kF16 || type.half == Half::kBf16) {
    const char* function = type.half == Half::kF16 ? "f16_value" : "bf16_value";
    type = {Cpp::kF32};
    return fmt::format("hip_ptx::{}({})", function, text);
  }
  return text;
}

// A float's half, by its bits. Empty: not with this rounding.
std::string half_of(const Instruction& in, const std::string& value, Half half) {
  if (in.has("relu"))
    return half_of({.text = {},
                    .name = {},
                    .modifiers = {in.has("rz") ? "rz" : "rn"},
                    .operands = {},
                    .has_guard = false,
                    .guard = {}},
                   fmt::format("hip_ptx::max_nan({}, 0.0f)", value), half);
  const std::string sat = in.has("sat") ? fmt::format("hip_ptx::saturated({})", value) : value;
  const bool is_bf16 = half == Half::kBf16 || half == Half::kBf16x2;
  if (!in.has("rn") && !in.has("rz")) return {};
  return fmt::format("hip_ptx::{}_bits{}({})", is_bf16 ? "bf16" : "f16", in.has("rz") ? "_rz" : "",
                     sat);
}

bool cvt_pair(Emitter& emit, const Instruction& in, Type to) {
  const std::string high = half_of(in, emit.get(in.operands[1], Cpp::kF32), to.half);
  const std::string low = half_of(in, emit.get(in.operands[2], Cpp::kF32), to.half);
  if (high.empty()) return false;
  return emit.set(in.operands[0], fmt::format("hip_ptx::pack({}, {})", low, high), Cpp::kU32);
}

bool cvt(Emitter& emit, const Instruction& in) {
  const auto types = types_of(in);
  for (const std::string& word : in.modifiers)
    if (!type_named(word) && word != "rn" && word != "rz" && word != "rni" && word != "rzi" &&
        word != "rmi" && word != "rpi" && word != "ftz" && word != "sat" && word != "relu")
      return false;
  if (types.size() != 2) return false;
  const Type to = types[0];
  Type from = types[1];
  const bool to_pair = to.half == Half::kF16x2 || to.half == Half::kBf16x2;
  if (to_pair) return in.operands.size() == 3 && from.cpp == Cpp::kF32 && cvt_pair(emit, in, to);
  if (in.operands.size() != 2 || bits_of(from.cpp) == 1 || from.half == Half::kF16x2 ||
      from.half == Half::kBf16x2)
    return false;
  if (in.has("relu") && !to.is_half()) return false;
  const bool from_half = from.is_half();
  std::string value = value_of(emit, in.operands[1], from);
  const std::string_view rounding = integer_rounding(in, from.cpp == Cpp::kF32);
  if (to.is_half()) {
    if (from.cpp == Cpp::kF64) return false;  // would be rounded twice
    if (!is_float(from.cpp)) {
      if (bits_of(from.cpp) > 32 || !in.has("rn") || to.half == Half::kBf16) return false;
      value = fmt::format("(float){}", value);
    } else if (!rounding.empty()) {
      value = fmt::format("{}({})", rounding, value);
      return from_half && emit.set(in.operands[0],
                                   fmt::format("hip_ptx::{}_bits({})",
                                               to.half == Half::kF16 ? "f16" : "bf16", value),
                                   to.cpp);
    } else if (from_half && !in.has("rn") && !in.has("rz")) {
      return types[1].half == to.half &&
             emit.set(in.operands[0], emit.get(in.operands[1], to.cpp), to.cpp);
    }
    const std::string half = half_of(in, value, to.half);
    return !half.empty() && emit.set(in.operands[0], half, to.cpp);
  }
  if (is_float(to.cpp)) {
    if (is_float(from.cpp)) {
      if (in.has("rz")) return false;
      if (!rounding.empty()) value = fmt::format("{}({})", rounding, value);
    } else if (!in.has("rn") || bits_of(from.cpp) == 1) {
      return false;
    }
    if (to.cpp != from.cpp) value = fmt::format("({}){}", to_string(to.cpp), value);
    if (in.has("sat")) value = fmt::format("hip_ptx::saturated({})", value);
    return emit.set(in.operands[0], value, to.cpp);
  }
  if (is_float(from.cpp)) {
    if (rounding.empty()) return false;
    return emit.set(
        in.operands[0],
        fmt::format("hip_ptx::to_integer<{}>({}({}))", to_string(to.cpp), rounding, value), to.cpp);
  }
  if (in.has("sat"))
    return emit.set(in.operands[0],
                    fmt::format("hip_ptx::clamped<{}>({})", to_string(to.cpp), value), to.cpp);
  return emit.set(in.operands[0], fmt::format("({}){}", to_string(to.cpp), value), to.cpp);
}

struct Comparison {
  std::string_view name, sign;
  bool is_unsigned = false;  // lo, ls, hi, hs
  bool holds_for_nan = false;
};
constexpr std::array kComparisons = {Comparison{"eq", "=="},
                                     Comparison{"ne", "!="},
                                     Comparison{"lt", "<"},
                                     Comparison{"le", "<="},
                                     Comparison{"gt", ">"},
                                     Comparison{"ge", ">="},
                                     Comparison{"lo", "<", true},
                                     Comparison{"ls", "<=", true},
                                     Comparison{"hi", ">", true},
                                     Comparison{"hs", ">=", true},
                                     Comparison{"equ", "!=", false, true},
                                     Comparison{"neu", "==", false, true},
                                     Comparison{"ltu", ">=", false, true},
                                     Comparison{"leu", ">", false, true},
                                     Comparison{"gtu", "<=", false, true},
                                     Comparison{"geu", "<", false, true}};

bool setp(Emitter& emit, const Instruction& in) {
  const auto types = types_of(in);
  if (types.size() != 1 || types[0].is_half() || in.modifiers.empty() || in.operands.size() < 3)
    return false;
  const auto found =
      std::find_if(kComparisons.begin(), kComparisons.end(),
                   [&](const Comparison& each) { return each.name == in.modifiers[0]; });
  if (found == kComparisons.end()) return false;
  Cpp type = types[0].cpp;
  const bool has_logic = in.has("and") || in.has("or") || in.has("xor");
  if (in.operands.size() != (has_logic ? 4U : 3U) || in.has("ftz") ||
      found->holds_for_nan != (found->holds_for_nan && is_float(type)))
    return false;
  if (found->is_unsigned) type = unsigned_of(type);
  const std::string a = emit.get(in.operands[1], type);
  const std::string b = emit.get(in.operands[2], type);
  // Of unordered comparisons the opposite is the ordered one. PTX's ne is false for NaN.
  std::string text =
      found->holds_for_nan
          ? fmt::format("!({} {} {})", a, found->name == "equ" ? "!=" : found->sign, b)
          : fmt::format("{} {} {}", a, found->sign, b);
  if (is_float(type) && (found->name == "ne" || found->name == "equ" || found->name == "neu")) {
    const std::string both = fmt::format("({0} < {1} || {0} > {1})", a, b);
    text = found->name == "ne"    ? both
           : found->name == "equ" ? "!" + both
                                  : fmt::format("!({} == {})", a, b);
  }
  const std::string logic = in.has("and") ? "&&" : in.has("or") ? "||" : "!=";
  const auto combined = [&](const std::string& value) {
    return has_logic ? fmt::format("({}) {} {}", value, logic, emit.get(in.operands[3], Cpp::kPred))
                     : value;
  };
  if (in.operands[0].kind != Kind::kPair)
    return emit.set(in.operands[0], combined(text), Cpp::kPred);
  return emit.set(in.operands[0].parts[0], combined(text), Cpp::kPred) &&
         emit.set(in.operands[0].parts[1], combined(fmt::format("!({})", text)), Cpp::kPred);
}

bool selp(Emitter& emit, const Instruction& in) {
  const auto types = types_of(in);
  if (types.size() != 1 || in.modifiers.size() != 1 || in.operands.size() != 4) return false;
  const Cpp type = types[0].cpp;
  return emit.set(in.operands[0],
                  fmt::format("{} ? {} : {}", emit.get(in.operands[3], Cpp::kPred),
                              emit.get(in.operands[1], type), emit.get(in.operands[2], type)),
                  type);
}

bool slct(Emitter& emit, const Instruction& in) {
  const auto types = types_of(in);
  if (types.size() != 2 || in.modifiers.size() != 2 || in.operands.size() != 4) return false;
  const Cpp by = types[1].cpp;
  if (by != Cpp::kS32 && by != Cpp::kF32) return false;
  return emit.set(
      in.operands[0],
      fmt::format("{} >= 0 ? {} : {}", emit.get(in.operands[3], by),
                  emit.get(in.operands[1], types[0].cpp), emit.get(in.operands[2], types[0].cpp)),
      types[0].cpp);
}

bool isspacep(Emitter& emit, const Instruction& in) {
  if (in.operands.size() != 2 || in.modifiers.size() != 1) return false;
  const std::string_view name = in.has("shared") || in.has("shared::cta") ? "__isShared"
                                : in.has("global")                        ? "__isGlobal"
                                : in.has("local")                         ? "__isLocal"
                                                                          : "";
  if (name.empty()) return false;
  return emit.set(
      in.operands[0],
      fmt::format("{}((const void*){}) != 0", name, emit.get(in.operands[1], Cpp::kU64)),
      Cpp::kPred);
}

constexpr std::array kOps = {Entry{"mov", mov},          Entry{"cvta", cvta}, Entry{"cvt", cvt},
                             Entry{"setp", setp},        Entry{"selp", selp}, Entry{"slct", slct},
                             Entry{"isspacep", isspacep}};

}  // namespace

std::span<const Entry> move_ops() {
  return kOps;
}

}  // namespace hipwright::port::ptx
