// SPDX-License-Identifier: MIT
// Integer arithmetic, bits and comparisons.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "port/ptx/emit.h"

namespace hipwright::port::ptx {

namespace {

// The one type of an instruction, an integer's.
std::optional<Cpp> integer_type(const Instruction& in, std::size_t operands) {
  const auto types = types_of(in);
  if (types.size() != 1 || in.operands.size() != operands || types[0].is_half() ||
      is_float(types[0].cpp) || types[0].cpp == Cpp::kPred)
    return std::nullopt;
  return types[0].cpp;
}

// Narrow types are int in C++ while they are computed with.
std::string narrowed(std::string text, Cpp type) {
  return bits_of(type) < 32 ? fmt::format("({})({})", to_string(type), text) : text;
}

// Modifiers besides the type: all of them must be known.
bool only(const Instruction& in, std::initializer_list<std::string_view> known) {
  for (const std::string& word : in.modifiers) {
    if (type_named(word)) continue;
    if (std::find(known.begin(), known.end(), word) == known.end()) return false;
  }
  return true;
}

std::string_view sign_of(const Instruction& in) {
  return in.name.starts_with("add") ? "+" : in.name.starts_with("sub") ? "-" : "*";
}

// What comes in: that an earlier statement has set is nothing that C++ can see.
bool needs_carry(Emitter& emit) {
  if (emit.has_carry) return true;
  emit.refuse("HP315", "the carry comes from another asm statement",
              "Join the statements of a carry chain into one asm statement.");
  return false;
}

std::string product(Emitter& emit, const Instruction& in, Cpp type) {
  const Cpp plain = unsigned_of(type);
  if (in.has("hi"))
    return fmt::format("hip_ptx::mul_hi<{}>({}, {})", to_string(type),
                       emit.get(in.operands[1], type), emit.get(in.operands[2], type));
  return fmt::format("{} * {}", emit.get(in.operands[1], plain), emit.get(in.operands[2], plain));
}

// add.cc, addc.cc, addc, sub.cc, subc, mad.lo.cc, madc.hi …: `a` and `b` are added.
bool with_carry(Emitter& emit, const Instruction& in, Cpp type, const std::string& a,
                const std::string& b) {
  const bool takes = in.name.ends_with("c");
  if (takes && !needs_carry(emit)) return true;
  const bool is_sub = in.name.starts_with("sub");
  const std::string carry = emit.carry();
  if (!in.has("cc")) {
    const char* sign = is_sub ? "-" : "+";
    return emit.set(in.operands[0], fmt::format("{} {} {} {} {}", a, sign, b, sign, carry), type);
  }
  emit.has_carry = true;
  return emit.set(
      in.operands[0],
      fmt::format("hip_ptx::{}<{}>({}, {}, {}, {})", is_sub ? "sub_borrow" : "add_carry",
                  to_string(type), a, b, takes ? carry : "0u", carry),
      type);
}

bool add(Emitter& emit, const Instruction& in) {
  const auto type = integer_type(in, 3);
  if (!type || !only(in, {"cc", "sat"})) return false;
  const Cpp plain = unsigned_of(*type);
  if (in.has("sat"))
    return *type == Cpp::kS32 && !in.has("cc") &&
           emit.set(in.operands[0],
                    fmt::format("hip_ptx::{}_sat({}, {})", in.name, emit.get(in.operands[1], *type),
                                emit.get(in.operands[2], *type)),
                    *type);
  const std::string a = emit.get(in.operands[1], plain);
  const std::string b = emit.get(in.operands[2], plain);
  if (in.name.ends_with("c") || in.has("cc"))
    return bits_of(plain) >= 32 && with_carry(emit, in, plain, a, b);
  return emit.set(in.operands[0], narrowed(fmt::format("{} {} {}", a, sign_of(in), b), plain),
                  plain);
}

bool mul(Emitter& emit, const Instruction& in) {
  const auto type = integer_type(in, 3);
  if (!type || !only(in, {"lo", "hi", "wide"})) return false;
  if (in.has("wide")) {
    if (bits_of(*type) > 32) return false;
    const Cpp wide = integer_of(bits_of(*type) * 2, is_signed(*type));
    return emit.set(in.operands[0],
                    fmt::format("({}){} * {}", to_string(wide), emit.get(in.operands[1], *type),
                                emit.get(in.operands[2], *type)),
                    wide);
  }
  if (!in.has("lo") && !in.has("hi")) return false;
  // Halfwords first become int, whose products may overflow.
  if (bits_of(*type) < 32 && in.has("lo")) {
    const std::string text = fmt::format("{} * {}", emit.get(in.operands[1], Cpp::kU32),
                                         emit.get(in.operands[2], Cpp::kU32));
    return emit.set(in.operands[0], narrowed(text, unsigned_of(*type)), unsigned_of(*type));
  }
  return emit.set(in.operands[0], product(emit, in, *type),
                  in.has("hi") ? *type : unsigned_of(*type));
}

bool mad(Emitter& emit, const Instruction& in) {
  const auto type = integer_type(in, 4);
  if (!type || !only(in, {"lo", "hi", "wide", "cc"}) || bits_of(*type) < 32) return false;
  const Cpp plain = unsigned_of(*type);
  if (in.has("wide")) {
    if (bits_of(*type) != 32 || in.has("cc") || in.name != "mad") return false;
    const Cpp wide = integer_of(64, is_signed(*type));
    return emit.set(in.operands[0],
                    fmt::format("(unsigned long long)(({}){} * {}) + {}", to_string(wide),
                                emit.get(in.operands[1], *type), emit.get(in.operands[2], *type),
                                emit.get(in.operands[3], Cpp::kU64)),
                    Cpp::kU64);
  }
  if (!in.has("lo") && !in.has("hi")) return false;
  std::string times = product(emit, in, *type);
  const std::string plus = emit.get(in.operands[3], plain);
  if (in.has("hi") && is_signed(*type)) times = fmt::format("({}){}", to_string(plain), times);
  if (in.has("cc") || in.name == "madc") {
    if (!in.has("cc") && !in.has("hi")) times = fmt::format("({})", times);
    return with_carry(emit, in, plain, times, plus);
  }
  return emit.set(in.operands[0], fmt::format("{} + {}", times, plus), plain);
}

bool mul24(Emitter& emit, const Instruction& in) {
  const auto type = integer_type(in, 3);
  if (!type || !in.has("lo") || bits_of(*type) != 32 || !only(in, {"lo"})) return false;
  return emit.set(in.operands[0],
                  fmt::format("{}({}, {})", is_signed(*type) ? "__mul24" : "__umul24",
                              emit.pass(in.operands[1], *type), emit.pass(in.operands[2], *type)),
                  *type);
}

bool divide(Emitter& emit, const Instruction& in) {
  const auto type = integer_type(in, 3);
  if (!type || !only(in, {})) return false;
  return emit.set(
      in.operands[0],
      narrowed(fmt::format("{} {} {}", emit.get(in.operands[1], *type),
                           in.name == "div" ? "/" : "%", emit.get(in.operands[2], *type)),
               *type),
      *type);
}

// min, max, sad: functions that are templates over the type.
bool function(Emitter& emit, const Instruction& in) {
  const bool is_sad = in.name == "sad";
  const auto type = integer_type(in, is_sad ? 4 : 3);
  if (!type || !only(in, {})) return false;
  std::string list = emit.get(in.operands[1], *type) + ", " + emit.get(in.operands[2], *type);
  if (is_sad) list += ", " + emit.get(in.operands[3], *type);
  return emit.set(in.operands[0],
                  fmt::format("hip_ptx::{}<{}>({})", in.name, to_string(*type), list), *type);
}

bool negate(Emitter& emit, const Instruction& in) {
  const auto type = integer_type(in, 2);
  if (!type || !only(in, {}) || !is_signed(*type)) return false;
  const Cpp plain = unsigned_of(*type);
  if (in.name == "neg")
    return emit.set(in.operands[0], narrowed("0u - " + emit.get(in.operands[1], plain), plain),
                    plain);
  return emit.set(
      in.operands[0],
      fmt::format("hip_ptx::sad<{}>({}, 0, 0)", to_string(*type), emit.get(in.operands[1], *type)),
      *type);
}

bool logic(Emitter& emit, const Instruction& in) {
  const auto types = types_of(in);
  const bool is_not = in.name == "not";
  if (types.size() != 1 || in.operands.size() != (is_not ? 2U : 3U) || in.modifiers.size() != 1 ||
      is_float(types[0].cpp))
    return false;
  const Cpp type = types[0].cpp;
  const std::string a = emit.get(in.operands[1], type);
  if (is_not)
    return emit.set(in.operands[0],
                    type == Cpp::kPred ? fmt::format("!({})", a) : narrowed("~" + a, type), type);
  const char* sign = in.name == "and" ? "&" : in.name == "or" ? "|" : "^";
  const std::string text = fmt::format("{} {} {}", a, sign, emit.get(in.operands[2], type));
  return emit.set(in.operands[0],
                  type == Cpp::kPred ? fmt::format("({}) != 0", text) : narrowed(text, type), type);
}

bool shift(Emitter& emit, const Instruction& in) {
  const auto type = integer_type(in, 3);
  if (!type || !only(in, {})) return false;
  const Cpp kept = in.name == "shl" ? unsigned_of(*type) : *type;
  const auto by = Emitter::number(in.operands[2]);
  const std::string value = emit.get(in.operands[1], kept);
  if (by && *by < bits_of(kept))
    return emit.set(
        in.operands[0],
        narrowed(fmt::format("{} {} {}", value, in.name == "shl" ? "<<" : ">>", *by), kept), kept);
  return emit.set(in.operands[0],
                  fmt::format("hip_ptx::{}<{}>({}, {})", in.name, to_string(kept), value,
                              emit.pass(in.operands[2], Cpp::kU32)),
                  kept);
}

bool funnel(Emitter& emit, const Instruction& in) {
  if (in.operands.size() != 4 || !only(in, {"l", "r", "wrap", "clamp"}) || !in.has("b32"))
    return false;
  const bool is_left = in.has("l");
  if (is_left == in.has("r") || in.has("wrap") == in.has("clamp")) return false;
  return emit.set(
      in.operands[0],
      fmt::format("__funnelshift_{}{}({}, {}, {})", is_left ? "l" : "r", in.has("clamp") ? "c" : "",
                  emit.pass(in.operands[1], Cpp::kU32), emit.pass(in.operands[2], Cpp::kU32),
                  emit.pass(in.operands[3], Cpp::kU32)),
      Cpp::kU32);
}

bool count(Emitter& emit, const Instruction& in) {
  const auto type = integer_type(in, 2);
  if (!type || bits_of(*type) < 32 || !only(in, {})) return false;
  const bool is_long = bits_of(*type) == 64;
  const std::string value =
      emit.get(in.operands[1], in.name == "clz" ? integer_of(bits_of(*type), true) : *type);
  const std::string call = fmt::format("__{}{}({})", in.name, is_long ? "ll" : "", value);
  if (in.name == "brev") return emit.set(in.operands[0], call, *type);
  return emit.set(in.operands[0], "(unsigned int)" + call, Cpp::kU32);
}

bool bfind(Emitter& emit, const Instruction& in) {
  const auto type = integer_type(in, 2);
  if (!type || bits_of(*type) < 32 || !only(in, {"shiftamt"})) return false;
  return emit.set(in.operands[0],
                  fmt::format("hip_ptx::bfind{}<{}>({})", in.has("shiftamt") ? "_shiftamt" : "",
                              to_string(*type), emit.get(in.operands[1], *type)),
                  Cpp::kU32);
}

bool field(Emitter& emit, const Instruction& in) {
  const bool is_insert = in.name == "bfi";
  const auto type = integer_type(in, is_insert ? 5 : 4);
  if (!type || bits_of(*type) < 32 || !only(in, {})) return false;
  std::string list;
  for (std::size_t i = 1; i < in.operands.size(); ++i) {
    const bool is_place = i >= in.operands.size() - 2;
    list += fmt::format(
        "{}{}", i == 1 ? "" : ", ",
        is_place ? emit.pass(in.operands[i], Cpp::kU32) : emit.get(in.operands[i], *type));
  }
  return emit.set(in.operands[0],
                  fmt::format("hip_ptx::{}<{}>({})", in.name, to_string(*type), list), *type);
}

bool prmt(Emitter& emit, const Instruction& in) {
  if (in.operands.size() != 4 || in.modifiers.size() != 1 || !in.has("b32")) return false;
  return emit.set(
      in.operands[0],
      fmt::format("hip_ptx::prmt({}, {}, {})", emit.pass(in.operands[1], Cpp::kU32),
                  emit.pass(in.operands[2], Cpp::kU32), emit.pass(in.operands[3], Cpp::kU32)),
      Cpp::kU32);
}

bool lop3(Emitter& emit, const Instruction& in) {
  if (in.operands.size() != 5 || in.modifiers.size() != 1 || !in.has("b32")) return false;
  const std::string table = emit.get(in.operands[4], Cpp::kU32);
  return emit.set(
      in.operands[0],
      fmt::format("hip_ptx::lop3<{}>({}, {}, {})", table, emit.pass(in.operands[1], Cpp::kU32),
                  emit.pass(in.operands[2], Cpp::kU32), emit.pass(in.operands[3], Cpp::kU32)),
      Cpp::kU32);
}

bool dot(Emitter& emit, const Instruction& in) {
  const auto types = types_of(in);
  const bool is_4 = in.name == "dp4a";
  if (types.size() != 2 || in.operands.size() != 4 || !only(in, {"lo", "hi"}) ||
      (!is_4 && in.has("lo") == in.has("hi")))
    return false;
  for (const Type& type : types)
    if (bits_of(type.cpp) != 32 || is_float(type.cpp) || type.is_half()) return false;
  std::string b = emit.get(in.operands[2], Cpp::kU32);
  if (in.has("hi")) b = fmt::format("{} >> 16", b);
  return emit.set(
      in.operands[0],
      fmt::format("hip_ptx::{}<{}, {}>({}, {}, {})", in.name,
                  to_string(integer_of(is_4 ? 8 : 16, is_signed(types[0].cpp))),
                  to_string(integer_of(8, is_signed(types[1].cpp))),
                  emit.pass(in.operands[1], Cpp::kU32), b, emit.pass(in.operands[3], Cpp::kU32)),
      Cpp::kU32);
}

constexpr std::array kOps = {
    Entry{"add", add},      Entry{"addc", add},    Entry{"sub", add},      Entry{"subc", add},
    Entry{"mul", mul},      Entry{"mad", mad},     Entry{"madc", mad},     Entry{"mul24", mul24},
    Entry{"div", divide},   Entry{"rem", divide},  Entry{"min", function}, Entry{"max", function},
    Entry{"sad", function}, Entry{"neg", negate},  Entry{"abs", negate},   Entry{"and", logic},
    Entry{"or", logic},     Entry{"xor", logic},   Entry{"not", logic},    Entry{"shl", shift},
    Entry{"shr", shift},    Entry{"shf", funnel},  Entry{"popc", count},   Entry{"clz", count},
    Entry{"brev", count},   Entry{"bfind", bfind}, Entry{"bfe", field},    Entry{"bfi", field},
    Entry{"prmt", prmt},    Entry{"lop3", lop3},   Entry{"dp4a", dot},     Entry{"dp2a", dot}};

}  // namespace

std::span<const Entry> integer_ops() {
  return kOps;
}

}  // namespace hipwright::port::ptx
