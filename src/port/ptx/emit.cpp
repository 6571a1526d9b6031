// SPDX-License-Identifier: MIT
#include "port/ptx/emit.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace hipwright::port::ptx {

namespace {

using Kind = Operand::Kind;

std::optional<Cpp> kept_by(char constraint) {
  switch (constraint) {
    case 'h':
      return Cpp::kU16;
    case 'r':
      return Cpp::kU32;
    case 'l':
      return Cpp::kU64;
    case 'f':
      return Cpp::kF32;
    case 'd':
      return Cpp::kF64;
    default:
      return std::nullopt;
  }
}

bool is_simple(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == '[' || c == ']';
  });
}
std::string wrapped(std::string_view text) {
  return is_simple(text) ? std::string(text) : fmt::format("({})", text);
}

// The same bits as another type of the same size, or an integer cut or cast to another.
std::string converted(std::string text, Cpp from, Cpp to) {
  if (from == to) return text;
  if (from == Cpp::kPred || to == Cpp::kPred) return {};
  if (is_float(from) && is_float(to)) return {};
  if (is_float(to)) {
    if (bits_of(from) != bits_of(to)) return {};
    if (to == Cpp::kF32) return fmt::format("__uint_as_float({})", text);
    return fmt::format("__longlong_as_double({})", converted(std::move(text), from, Cpp::kS64));
  }
  if (is_float(from)) {
    if (bits_of(from) < bits_of(to)) return {};
    if (from == Cpp::kF32)
      return converted(fmt::format("__float_as_uint({})", text), Cpp::kU32, to);
    return converted(fmt::format("__double_as_longlong({})", text), Cpp::kS64, to);
  }
  return fmt::format("({}){}", to_string(to), wrapped(text));
}

std::string literal(std::uint64_t value, Cpp type) {
  if (is_signed(type)) {
    const auto number = static_cast<std::int64_t>(
        bits_of(type) == 64   ? value
        : bits_of(type) == 32 ? static_cast<std::uint64_t>(static_cast<std::int32_t>(value))
                              : value);
    if (bits_of(type) == 64) {
      if (number == INT64_MIN) return "(-9223372036854775807ll - 1)";
      return number < 0 ? fmt::format("({}ll)", number) : fmt::format("{}ll", number);
    }
    if (number == INT32_MIN) return "(-2147483647 - 1)";
    return number < 0 ? fmt::format("({})", number) : fmt::format("{}", number);
  }
  const unsigned bits = bits_of(type);
  if (bits < 64) value &= (std::uint64_t{1} << bits) - 1;
  const char* suffix = bits == 64 ? "ull" : "u";
  return value < 1024 ? fmt::format("{}{}", value, suffix) : fmt::format("{:#x}{}", value, suffix);
}

std::string float_literal(const Operand& operand, Cpp as) {
  std::string_view text = operand.name;
  const bool is_minus = text.starts_with('-');
  if (is_minus) text.remove_prefix(1);
  const bool is_bits =
      text.size() > 2 && std::string_view("fFdD").find(text[1]) != std::string::npos;
  const char* sign = is_minus ? "-" : "";
  if (!is_bits) return fmt::format("({}{}{})", sign, text, as == Cpp::kF32 ? "f" : "");
  const bool is_single = text[1] == 'f' || text[1] == 'F';
  if (is_single != (as == Cpp::kF32)) return {};
  return is_single ? fmt::format("({}__uint_as_float(0x{}u))", sign, text.substr(2))
                   : fmt::format("({}__longlong_as_double(0x{}ll))", sign, text.substr(2));
}

}  // namespace

const Register* Emitter::find_register(std::string_view name) const {
  for (const Register& each : program_.registers)
    if (each.name == name) return &each;
  return nullptr;
}

std::optional<Cpp> Emitter::kept_in(const Operand& operand) {
  if (operand.kind == Kind::kArgument) {
    if (operand.argument >= arguments_.size()) return std::nullopt;
    return kept_by(arguments_[operand.argument].constraint);
  }
  const Register* found = find_register(operand.name);
  if (found == nullptr) return std::nullopt;
  used_registers_.insert(found->name);
  const auto type = type_named(found->type);
  if (!type) return std::nullopt;
  return type->cpp == Cpp::kPred ? Cpp::kPred : unsigned_of(type->cpp);
}

std::string Emitter::raw(unsigned argument) {
  ++reads_[argument];
  if (form_ == Form::kInline || arguments_[argument].constraint == 'n')
    return arguments_[argument].text;
  return fmt::format("ptx_{}", argument);
}

std::string Emitter::get(const Operand& operand, Cpp as) {
  std::string found;
  switch (operand.kind) {
    case Kind::kInteger:
      found = is_float(as) || as == Cpp::kPred ? "" : literal(operand.integer, as);
      break;
    case Kind::kFloat:
      found = as == Cpp::kF32 || as == Cpp::kF64 ? float_literal(operand, as)
              : as == Cpp::kU32 && operand.name.starts_with("0f")
                  ? "0x" + operand.name.substr(2) + "u"
                  : "";
      break;
    case Kind::kSpecial:
      if (find_register(operand.name) == nullptr) {
        found = special(operand);
        if (!found.empty())
          found = converted(
              found,
              operand.name.ends_with("64") || operand.name == "globaltimer" ? Cpp::kU64 : Cpp::kU32,
              as);
        break;
      }
      [[fallthrough]];
    case Kind::kRegister:
      if (operand.name == "WARP_SZ") {
        found = "32u";
      } else if (const auto kept = kept_in(operand)) {
        found = converted("ptx_" + operand.name, *kept, as);
        if (!found.empty() && operand.is_negated) found = "!" + found;
      }
      break;
    case Kind::kArgument: {
      if (operand.argument >= arguments_.size()) break;
      const char constraint = arguments_[operand.argument].constraint;
      const auto kept = kept_by(constraint);
      const std::string text = raw(operand.argument);
      if (constraint == 'n') {
        if (!is_float(as)) found = fmt::format("({}){}", to_string(as), wrapped(text));
      } else if (kept && is_float(*kept)) {
        found = converted(wrapped(text), *kept, as);
      } else if (kept && is_float(as)) {
        found = converted(fmt::format("({}){}", to_string(*kept), wrapped(text)), *kept, as);
      } else if (kept && as != Cpp::kPred) {
        const bool is_plain = form_ == Form::kBlock && *kept == as && constraint != 'l';
        found = is_plain ? text : fmt::format("({}){}", to_string(as), wrapped(text));
      }
      break;
    }
    default:
      break;
  }
  if (found.empty() && !failed())
    refuse("HP316", "unsupported PTX operand",
           "The statement is unchanged. Check the types of its operands.");
  return found;
}

std::string Emitter::pass(const Operand& operand, Cpp as) {
  if (operand.kind == Kind::kArgument && operand.argument < arguments_.size() && !is_float(as)) {
    const Argument& argument = arguments_[operand.argument];
    const auto kept = kept_by(argument.constraint);
    if (kept && !is_float(*kept) && bits_of(*kept) == bits_of(as) && argument.constraint != 'l') {
      const std::string text = raw(operand.argument);
      return text.find(',') == std::string::npos ? text : fmt::format("({})", text);
    }
  }
  return get(operand, as);
}

std::string Emitter::address(const Operand& operand, const Instruction& instruction) {
  const bool is_shared = std::any_of(
      instruction.modifiers.begin(), instruction.modifiers.end(),
      [](const std::string& word) { return word == "shared" || word == "shared::cta"; });
  const bool is_other = instruction.has("param") || instruction.has("const") ||
                        instruction.has("local") || instruction.has("shared::cluster");
  const Operand& base = operand.kind == Kind::kAddress ? operand.parts[0] : operand;
  if (is_other) {
    refuse("HP311", "PTX addresses a kind of memory that C++ has no name for",
           "Use a pointer to the variable instead.");
    return {};
  }
  std::string offset;
  if (operand.parts.size() == 2) offset = get(operand.parts[1], Cpp::kS64);
  if (operand.offset != 0)
    offset += fmt::format("{}{}", offset.empty() ? "" : " + ", operand.offset);
  if (is_shared)
    return fmt::format("hip_ptx::shared({}{}{})", get(base, Cpp::kU32), offset.empty() ? "" : ", ",
                       offset);
  std::string text;
  if (base.kind == Kind::kArgument && base.argument < arguments_.size() &&
      arguments_[base.argument].constraint == 'l') {
    text = raw(base.argument);
    if (text.find(',') != std::string::npos) text = fmt::format("({})", text);
  } else {
    text = get(base, Cpp::kU64);
  }
  return offset.empty() ? text : fmt::format("hip_ptx::at({}, {})", text, offset);
}

bool Emitter::set(const Operand& operand, std::string value, Cpp type) {
  if (operand.kind == Kind::kSink) {
    run(fmt::format("(void)({})", value));
    return true;
  }
  const auto kept = operand.kind == Kind::kArgument || operand.kind == Kind::kRegister ||
                            operand.kind == Kind::kSpecial
                        ? kept_in(operand)
                        : std::nullopt;
  if (!kept || operand.is_negated)
    return refuse("HP316", "unsupported destination of a PTX result", "");
  const bool is_wider = !is_float(*kept) && !is_float(type) && *kept != Cpp::kPred &&
                        type != Cpp::kPred && bits_of(*kept) >= bits_of(type);
  if (!is_wider && *kept != type) value = converted(std::move(value), type, *kept);
  const bool is_narrow = bits_of(*kept) < bits_of(type);
  if (value.empty() || is_narrow)
    return refuse("HP316", "the PTX result is stored in a register of another kind", "");
  std::string target = "ptx_" + operand.name;
  if (operand.kind == Kind::kArgument) {
    const Argument& argument = arguments_[operand.argument];
    if (!argument.is_output) return refuse("HP316", "this PTX writes to one of its inputs", "");
    ++writes_[operand.argument];
    target = form_ == Form::kInline ? argument.text : fmt::format("ptx_{}", operand.argument);
    if (form_ == Form::kInline && argument.is_pointer)
      value = fmt::format("(decltype({}))({})", target, value);
  }
  run(fmt::format("{} = {}", target, value));
  return true;
}

bool Emitter::is_predicate(const Operand& operand) {
  return operand.kind == Kind::kRegister && kept_in(operand) == Cpp::kPred;
}

std::string Emitter::fresh() {
  return fmt::format("ptx_v{}", fresh_++);
}
std::string Emitter::carry() {
  uses_carry_ = true;
  return "ptx_carry";
}

bool Emitter::refuse(CodeId code, std::string message, std::string why) {
  if (!refusal_) refusal_ = Remark{code, std::move(message), std::move(why)};
  return true;
}
void Emitter::remark(std::string message, std::string why) {
  remarks_.push_back({"HP312", std::move(message), std::move(why)});
}

std::optional<std::uint64_t> Emitter::number(const Operand& operand) {
  return operand.kind == Kind::kInteger ? std::optional(operand.integer) : std::nullopt;
}

std::string Emitter::special(const Operand& operand) {
  const std::string_view name = operand.name;
  constexpr std::array<std::array<std::string_view, 2>, 4> kPlaces = {{{"tid.", "threadIdx."},
                                                                       {"ntid.", "blockDim."},
                                                                       {"ctaid.", "blockIdx."},
                                                                       {"nctaid.", "gridDim."}}};
  for (const auto& [ptx, hip] : kPlaces)
    if (name.starts_with(ptx) && name.size() == ptx.size() + 1 && name.back() >= 'x' &&
        name.back() <= 'z')
      return fmt::format("{}{}", hip, name.back());
  if (name == "laneid") return "(unsigned int)warp32::lane()";
  if (name == "lanemask_lt") return "((1u << warp32::lane()) - 1u)";
  if (name == "lanemask_le") return "((2u << warp32::lane()) - 1u)";
  if (name == "lanemask_gt") return "(~0u << warp32::lane() << 1)";
  if (name == "lanemask_ge") return "(~0u << warp32::lane())";
  if (name == "lanemask_eq") return "(1u << warp32::lane())";
  if (name == "clock") return "(unsigned int)::clock()";
  if (name == "clock64") return "(unsigned long long)::clock64()";
  if (name == "clock_hi") return "(unsigned int)(::clock64() >> 32)";
  if (name == "warpid") {
    remark("%warpid is the thread's number in its block divided by 32",
           "On NVIDIA it is the multiprocessor slot of the warp.");
    return "hip_ptx::warp_id()";
  }
  if (name == "smid") {
    remark("%smid is the number of the compute unit as the hardware counts it",
           "The numbers may have gaps: size tables by the largest, not by the number of units.");
    return "(unsigned int)__smid()";
  }
  if (name == "globaltimer") {
    remark("%globaltimer counts ticks of the wall clock, taken as 10 ns each",
           "hipDeviceAttributeWallClockRate is the rate, usually 100 MHz.");
    return "((unsigned long long)::wall_clock64() * 10u)";
  }
  refuse("HP311", fmt::format("%{} has no counterpart in device code", name),
         name == "nsmid" ? "Pass hipDeviceAttributeMultiprocessorCount to the kernel."
                         : "Pass the value to the kernel, or compute it.");
  return {};
}

void Emitter::translate(const Instruction& instruction) {
  for (const auto& table :
       {integer_ops(), float_ops(), move_ops(), memory_ops(), lane_ops(), control_ops()}) {
    for (const Entry& entry : table) {
      if (entry.name != instruction.name) continue;
      std::string guard;
      if (instruction.has_guard) {
        has_guard_ = true;
        guard = get(instruction.guard, Cpp::kPred);
      }
      const std::size_t before = statements_.size();
      if (!entry.translate(*this, instruction)) break;
      if (instruction.has_guard && !failed()) {
        std::string all;
        for (std::size_t i = before; i < statements_.size(); ++i) all += statements_[i] + "; ";
        const bool is_one = statements_.size() == before + 1;
        statements_.resize(before);
        if (is_one)
          run(fmt::format("if ({}) {}", guard, all.substr(0, all.size() - 2)));
        else if (!all.empty())
          run(fmt::format("if ({}) {{ {}}}", guard, all));
      }
      return;
    }
  }
  if (failed()) return;
  if (auto advice = advice_for(instruction))
    refusal_ = std::move(advice);
  else
    refuse("HP311", "this PTX instruction is not translated", "Write its effect in C++.");
}

bool Emitter::fits_inline() const {
  if (statements_.size() > 1 || uses_carry_ || fresh_ != 0 || has_guard_ ||
      !used_registers_.empty())
    return false;
  return std::all_of(reads_.begin(), reads_.end(), [](unsigned count) { return count <= 1; });
}

std::vector<std::string> Emitter::lines() const {
  std::vector<std::string> lines;
  const auto end = [](std::string text) { return text.ends_with('}') ? text : text + ";"; };
  if (form_ == Form::kInline) {
    for (const std::string& each : statements_) lines.push_back(end(each));
    return lines;
  }
  for (unsigned i = 0; i < arguments_.size(); ++i) {
    const Argument& argument = arguments_[i];
    const auto kept = kept_by(argument.constraint);
    if (!kept) continue;
    if (argument.is_output) {
      if (writes_[i] == 0 && reads_[i] == 0) continue;
      const std::string start =
          argument.is_input ? is_float(*kept)
                                  ? " = " + argument.text
                                  : fmt::format(" = ({})({})", to_string(*kept), argument.text)
          : has_guard_ ? " = 0"
                            : "";
      lines.push_back(fmt::format("{} ptx_{}{};", to_string(*kept), i, start));
    } else if (reads_[i] != 0) {
      lines.push_back(
          argument.constraint == 'l'
              ? fmt::format("const auto ptx_{} = {};", i, argument.text)
              : fmt::format("const {} ptx_{} = {};", to_string(*kept), i, argument.text));
    }
  }
  for (const Register& each : program_.registers) {
    if (!used_registers_.contains(each.name)) continue;
    const auto type = type_named(each.type);
    lines.push_back(fmt::format("{} ptx_{}{};", to_string(unsigned_of(type->cpp)), each.name,
                                has_guard_ ? " = 0" : ""));
  }
  if (uses_carry_) lines.emplace_back("unsigned int ptx_carry = 0;");
  for (const std::string& each : statements_) lines.push_back(end(each));
  for (unsigned i = 0; i < arguments_.size(); ++i) {
    if (writes_[i] == 0) continue;
    const Argument& argument = arguments_[i];
    lines.push_back(argument.is_pointer
                        ? fmt::format("{0} = (decltype({0}))ptx_{1};", argument.text, i)
                        : fmt::format("{} = ptx_{};", argument.text, i));
  }
  return lines;
}

}  // namespace hipwright::port::ptx
