// SPDX-License-Identifier: MIT
// Arithmetic of floats and halfs.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "port/ptx/emit.h"

namespace hipwright::port::ptx {

namespace {

using Half = Type::Half;

std::optional<Type> float_type(const Instruction& in, std::size_t operands) {
  const auto types = types_of(in);
  if (types.size() != 1 || in.operands.size() != operands) return std::nullopt;
  if (!types[0].is_half() && !is_float(types[0].cpp)) return std::nullopt;
  return types[0];
}

bool only(const Instruction& in, std::initializer_list<std::string_view> known) {
  return std::all_of(in.modifiers.begin(), in.modifiers.end(), [&](const std::string& word) {
    return type_named(word) || std::find(known.begin(), known.end(), word) != known.end();
  });
}

void mention_ftz(Emitter& emit, const Instruction& in) {
  if (in.has("ftz"))
    emit.remark("subnormal numbers are kept, not flushed to zero (.ftz)",
                "Results differ only if an operand or a result is smaller than 1.2e-38.");
}
void mention_approx(Emitter& emit) {
  emit.remark("an approximation whose last digits differ from NVIDIA's",
              "The counterpart is at least as accurate.");
}

std::string saturated(const Instruction& in, std::string value) {
  return in.has("sat") ? fmt::format("hip_ptx::saturated({})", value) : value;
}

std::string list_of(Emitter& emit, const Instruction& in, Cpp type) {
  std::string list;
  for (std::size_t i = 1; i < in.operands.size(); ++i)
    list += (i == 1 ? "" : ", ") + emit.get(in.operands[i], type);
  return list;
}

// add, sub, mul, fma, min, max, neg, abs of halfs, by their bits.
bool of_halfs(Emitter& emit, const Instruction& in, Type type) {
  if (!only(in, {"rn", "ftz"})) return false;
  const bool is_pair = bits_of(type.cpp) == 32;
  const bool is_bf16 = type.half == Half::kBf16 || type.half == Half::kBf16x2;
  mention_ftz(emit, in);
  const auto set = [&](const std::string& text) {
    return emit.set(in.operands[0], text, type.cpp);
  };
  if (in.name == "neg" || in.name == "abs") {
    const char* sign = in.name == "neg" ? "^" : "&";
    const char* bits = in.name == "neg" ? (is_pair ? "0x80008000u" : "0x8000u")
                                        : (is_pair ? "0x7fff7fffu" : "0x7fffu");
    const std::string text =
        fmt::format("{} {} {}", emit.get(in.operands[1], type.cpp), sign, bits);
    return set(is_pair ? text : fmt::format("(unsigned short)({})", text));
  }
  const std::string list = list_of(emit, in, type.cpp);
  if (!is_bf16)
    return set(fmt::format("hip_ptx::{}_half<{}>({})", in.name,
                           is_pair ? "hip_ptx::f16x2" : "_Float16", list));
  if (in.name == "fma")
    return set(fmt::format("hip_ptx::fma_bf16{}({})", is_pair ? "x2" : "", list));
  const std::string body = in.name == "min"   ? "fminf(a, b)"
                           : in.name == "max" ? "fmaxf(a, b)"
                           : in.name == "add" ? "a + b"
                           : in.name == "sub" ? "a - b"
                                              : "a * b";
  const std::string each =
      fmt::format("hip_ptx::each_bf16([](float a, float b) {{ return {}; }}, {})", body, list);
  return set(is_pair ? each : fmt::format("hip_ptx::low({})", each));
}

bool arithmetic(Emitter& emit, const Instruction& in) {
  const auto type = float_type(in, 3);
  if (!type) return false;
  if (type->is_half()) return of_halfs(emit, in, *type);
  if (!only(in, {"rn", "ftz", "sat"})) return false;
  mention_ftz(emit, in);
  const std::string a = emit.get(in.operands[1], type->cpp);
  const std::string b = emit.get(in.operands[2], type->cpp);
  std::string text;
  if (!in.has("rn"))
    text = fmt::format("{} {} {}", a, in.name == "add" ? "+" : in.name == "sub" ? "-" : "*", b);
  else if (in.name == "sub")
    text = fmt::format("hip_ptx::add_rn<{}>({}, -{})", to_string(type->cpp), a, b);
  else
    text = fmt::format("hip_ptx::{}_rn<{}>({}, {})", in.name, to_string(type->cpp), a, b);
  return emit.set(in.operands[0], saturated(in, text), type->cpp);
}

bool fma(Emitter& emit, const Instruction& in) {
  const auto type = float_type(in, 4);
  if (!type || !only(in, {"rn", "ftz", "sat"}) || (type->is_half() && in.has("sat"))) return false;
  if (type->is_half()) return in.name == "fma" && of_halfs(emit, in, *type);
  mention_ftz(emit, in);
  return emit.set(in.operands[0],
                  saturated(in, fmt::format("{}({})", type->cpp == Cpp::kF32 ? "fmaf" : "fma",
                                            list_of(emit, in, type->cpp))),
                  type->cpp);
}

bool min_max(Emitter& emit, const Instruction& in) {
  const auto type = float_type(in, 3);
  if (!type) return false;
  if (type->is_half()) return of_halfs(emit, in, *type);
  if (!only(in, {"ftz", "NaN"}) || (in.has("NaN") && type->cpp != Cpp::kF32)) return false;
  mention_ftz(emit, in);
  const std::string name = in.has("NaN")
                               ? fmt::format("hip_ptx::{}_nan", in.name)
                               : fmt::format("f{}{}", in.name, type->cpp == Cpp::kF32 ? "f" : "");
  return emit.set(in.operands[0], fmt::format("{}({})", name, list_of(emit, in, type->cpp)),
                  type->cpp);
}

bool sign(Emitter& emit, const Instruction& in) {
  const auto type = float_type(in, 2);
  if (!type) return false;
  if (type->is_half()) return of_halfs(emit, in, *type);
  if (!only(in, {"ftz"})) return false;
  mention_ftz(emit, in);
  const std::string a = emit.get(in.operands[1], type->cpp);
  if (in.name == "neg") return emit.set(in.operands[0], "-" + a, type->cpp);
  return emit.set(in.operands[0],
                  fmt::format("{}({})", type->cpp == Cpp::kF32 ? "fabsf" : "fabs", a), type->cpp);
}

bool copysign(Emitter& emit, const Instruction& in) {
  const auto type = float_type(in, 3);
  if (!type || type->is_half() || !only(in, {})) return false;
  const std::string from = emit.get(in.operands[1], type->cpp);
  return emit.set(in.operands[0],
                  fmt::format("{}({}, {})", type->cpp == Cpp::kF32 ? "copysignf" : "copysign",
                              emit.get(in.operands[2], type->cpp), from),
                  type->cpp);
}

bool divide(Emitter& emit, const Instruction& in) {
  const auto type = float_type(in, 3);
  if (!type || type->is_half() || !only(in, {"rn", "approx", "full", "ftz"})) return false;
  mention_ftz(emit, in);
  if (!in.has("rn")) mention_approx(emit);
  return emit.set(in.operands[0],
                  fmt::format("{} / {}", emit.get(in.operands[1], type->cpp),
                              emit.get(in.operands[2], type->cpp)),
                  type->cpp);
}

struct Approximation {
  std::string_view name, function, function64;
};
constexpr std::array kApproximations = {
    Approximation{"ex2", "exp2f", ""},      Approximation{"lg2", "log2f", ""},
    Approximation{"sin", "sinf", ""},       Approximation{"cos", "cosf", ""},
    Approximation{"tanh", "tanhf", ""},     Approximation{"rsqrt", "rsqrtf", "rsqrt"},
    Approximation{"sqrt", "sqrtf", "sqrt"}, Approximation{"rcp", "1.0f / ", "1.0 / "}};

bool approximate(Emitter& emit, const Instruction& in) {
  const auto type = float_type(in, 2);
  if (!type || !only(in, {"approx", "rn", "ftz"})) return false;
  const auto found = std::find_if(kApproximations.begin(), kApproximations.end(),
                                  [&](const Approximation& each) { return each.name == in.name; });
  if (in.has("approx")) mention_approx(emit);
  mention_ftz(emit, in);
  const bool is_single = type->is_half() || type->cpp == Cpp::kF32;
  const std::string_view name = is_single ? found->function : found->function64;
  if (name.empty()) return false;
  const auto call = [&](std::string_view value) {
    return name.ends_with(' ') ? fmt::format("{}{}", name, value)
                               : fmt::format("{}({})", name, value);
  };
  if (!type->is_half())
    return emit.set(in.operands[0], call(emit.get(in.operands[1], type->cpp)), type->cpp);
  const bool is_pair = bits_of(type->cpp) == 32;
  const bool is_bf16 = type->half == Half::kBf16 || type->half == Half::kBf16x2;
  const std::string each =
      fmt::format("hip_ptx::each_{}([](float a, float) {{ return {}; }}, {})",
                  is_bf16 ? "bf16" : "f16", call("a"), emit.get(in.operands[1], type->cpp));
  return emit.set(in.operands[0], is_pair ? each : fmt::format("hip_ptx::low({})", each),
                  type->cpp);
}

constexpr std::array kOps = {
    Entry{"add", arithmetic},    Entry{"sub", arithmetic},    Entry{"mul", arithmetic},
    Entry{"fma", fma},           Entry{"mad", fma},           Entry{"min", min_max},
    Entry{"max", min_max},       Entry{"neg", sign},          Entry{"abs", sign},
    Entry{"copysign", copysign}, Entry{"div", divide},        Entry{"ex2", approximate},
    Entry{"lg2", approximate},   Entry{"sin", approximate},   Entry{"cos", approximate},
    Entry{"tanh", approximate},  Entry{"rsqrt", approximate}, Entry{"sqrt", approximate},
    Entry{"rcp", approximate}};

}  // namespace

std::span<const Entry> float_ops() {
  return kOps;
}

}  // namespace hipwright::port::ptx
