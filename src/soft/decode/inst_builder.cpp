// SPDX-License-Identifier: MIT
#include "soft/decode/inst_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "soft/decode/canonical_names.h"
#include "soft/decode/modifiers.h"
#include "soft/decode/program.h"
#include "soft/exec/workgroup.h"

namespace hipwright::soft {

namespace {

// An Op made for an unsupported instruction carries the reason in `bound`.
void fault_unsupported(Wave& wave, const Inst& inst) {
  wave.unsupported(inst,
                   fmt::format("{} at {:#x}: {}", inst.op->name, inst.address, inst.op->bound));
}

void fault_undecodable(Wave& wave, const Inst& inst) {
  wave.unsupported(
      inst, fmt::format("undecodable bytes {:#010x} at {:#x}", inst.src[0].value, inst.address));
}

void run_go_on(Wave& wave, const Inst& inst) {
  wave.next = wave.group->program->at(inst.address);
  if (!wave.next)
    wave.stop(
        {.kind = Fault::Kind::kBadJump,
         .inst = &inst,
         .address = inst.address,
         .what = fmt::format("execution ran past the end of the code, to {:#x}", inst.address)});
}

constexpr Op kUndecodable{.name = "(not an instruction)",
                          .run = fault_undecodable,
                          .kind = OpClass::kMessage,
                          .flags = kControl | kMayFault};

template <std::size_t N>
unsigned count_types(const std::array<Type, N>& types) {
  return static_cast<unsigned>(
      std::ranges::count_if(types, [](Type t) { return t != Type::kNone; }));
}

bool is_memory(OpClass kind) {
  return kind >= OpClass::kLds || kind == OpClass::kScalarMemory;
}
bool is_vector(OpClass kind) {
  return kind >= OpClass::kVector;
}

bool is_register(const TextOperand& operand) {
  return operand.kind == TextOperand::Kind::kVector || operand.kind == TextOperand::Kind::kScalar;
}

// The names in "hwreg(…)" and "sendmsg(…)" are in the encoding: Inst::simm16.
bool is_encoded(const TextOperand& operand) {
  return operand.kind == TextOperand::Kind::kOther &&
         operand.text.find('(') != std::string_view::npos;
}

bool is_writable(const Operand& operand) {
  if (operand.is_scalar()) return operand.index <= kExecHi;
  return !operand.is_constant();
}

TextOperand scalar_operand(unsigned index, unsigned count) {
  TextOperand out;
  out.kind = TextOperand::Kind::kScalar;
  out.index = index;
  out.count = count;
  return out;
}

bool overlaps(const Operand& a, const Operand& b) {
  return a.kind == b.kind && a.kind != Operand::Kind::kConstant && a.kind != Operand::Kind::kNone &&
         a.index < b.index + b.dwords && b.index < a.index + a.dwords;
}

bool writes_exec(const Inst& inst) {
  if (inst.flags & kImplicitExecDst) return true;
  return std::ranges::any_of(inst.dst, [](const Operand& dst) {
    return dst.is_scalar() && dst.index <= kExecHi && dst.index + dst.dwords > kExecLo;
  });
}

}  // namespace

InstBuilder::InstBuilder(Isa isa, unsigned wave_size, SimdLevel level)
    : isa_(isa), wave_size_(wave_size), level_(level) {}
InstBuilder::~InstBuilder() = default;

const std::uint32_t* InstBuilder::row(std::uint64_t value) {
  std::unique_ptr<std::uint32_t[]>& row = rows_[value];
  if (!row) {
    row = std::make_unique_for_overwrite<std::uint32_t[]>(128);
    std::fill_n(row.get(), 64, static_cast<std::uint32_t>(value));
    std::fill_n(row.get() + 64, 64, static_cast<std::uint32_t>(value >> 32));
  }
  return row.get();
}

Inst InstBuilder::unsupported(std::string_view mnemonic, std::string why, const CodePlace& place) {
  auto [entry, added] = refusals_.try_emplace(fmt::format("{}\n{}", mnemonic, why));
  Refusal& refusal = entry->second;
  if (added) {
    refusal.name = mnemonic;
    refusal.why = std::move(why);
    refusal.op = {.name = refusal.name,
                  .run = fault_unsupported,
                  .kind = OpClass::kMessage,
                  .flags = kControl | kMayFault,
                  .bound = refusal.why};
  }
  Inst inst;
  inst.run = fault_unsupported;
  inst.op = &refusal.op;
  inst.flags = refusal.op.flags;
  inst.address = place.address;
  inst.size = static_cast<std::uint8_t>(place.size);
  inst.simm16 = static_cast<std::uint16_t>(place.first);
  inst.wave_size = static_cast<std::uint8_t>(wave_size_);
  return inst;
}

void InstBuilder::undecodable(const CodePlace& place, std::vector<Inst>& out) {
  Inst inst;
  inst.run = fault_undecodable;
  inst.op = &kUndecodable;
  inst.flags = kUndecodable.flags;
  inst.address = place.address;
  inst.size = static_cast<std::uint8_t>(place.size);
  inst.wave_size = static_cast<std::uint8_t>(wave_size_);
  inst.src[0].value = place.first;
  out.push_back(inst);
}

Inst InstBuilder::go_on(std::uint64_t address) const {
  Inst inst;
  inst.run = run_go_on;
  inst.flags = kControl | kMayFault;  // and no operation: it is not the program's
  inst.address = address;
  inst.wave_size = static_cast<std::uint8_t>(wave_size_);
  return inst;
}

std::string InstBuilder::fill_operand(Operand& out, Type type, const TextOperand& text,
                                      const Op& op) {
  out.type = type;
  out.sel = static_cast<std::uint8_t>(Sdwa::kDword);
  out.neg = text.neg;
  out.abs = text.abs;
  out.sext = text.sext;
  unsigned wanted = type == Type::kMask ? wave_size_ / 32 : dwords(type);
  switch (text.kind) {
    case TextOperand::Kind::kOff:
      return {};
    case TextOperand::Kind::kOther:
      return fmt::format("operand '{}' is not implemented", text.text);
    case TextOperand::Kind::kVector:
    case TextOperand::Kind::kScalar:
      if (wanted == 0) wanted = std::max(text.count, 1U);
      if (text.count != 0 && text.count != wanted)
        return fmt::format("an operand has {} registers instead of {}", text.count, wanted);
      out.kind =
          text.kind == TextOperand::Kind::kVector ? Operand::Kind::kVector : Operand::Kind::kScalar;
      out.index = static_cast<std::uint16_t>(text.index);
      out.high_half = text.high_half;
      out.op_sel = text.high_half;
      break;
    default:
      out.kind = Operand::Kind::kConstant;
      out.value = expand_constant(text, type, op.element);
      if (is_vector(op.kind)) out.row = row(out.value);
      if (wanted == 0) wanted = 1;
      break;
  }
  out.dwords = static_cast<std::uint8_t>(wanted);
  return {};
}

std::string InstBuilder::fill_operands(Inst& inst, const ParsedInst& parsed, const Op& op) {
  // Waits, messages: what they have is in simm16.
  if (count_types(op.dst) + count_types(op.src) == 0) return {};
  std::vector<TextOperand> texts;
  for (const TextOperand& operand : parsed.operands)
    if (!is_encoded(operand)) texts.push_back(operand);
  unsigned dsts = count_types(op.dst);
  const bool reads_dst = (op.flags & kReadsDst) != 0;
  const unsigned srcs = count_types(op.src) - (reads_dst ? 1U : 0U);

  // v_cmpx does not name EXEC.
  if (dsts == 1 && texts.size() == srcs && is_vector(op.kind) && (op.flags & kImplicitExecDst))
    texts.insert(texts.begin(), scalar_operand(kExecLo, wave_size_ / 32));
  // Atomics without a result, loads that go to LDS.
  if (dsts == 1 && texts.size() == srcs && is_memory(op.kind) &&
      ((op.flags & kAtomic) || parsed.has("lds")))
    dsts = 0;
  inst.memory.returns = (op.flags & kAtomic) && dsts != 0;
  // The text of dual-issue instructions omits the select mask.
  if (srcs != 0 && texts.size() == dsts + srcs - 1 &&
      op.src[count_types(op.src) - 1] == Type::kMask)
    texts.push_back(scalar_operand(kVccLo, wave_size_ / 32));

  // Immediates of SOPP and SOPK are in simm16.
  while (texts.size() > dsts + srcs && !is_register(texts.back())) texts.pop_back();
  if (texts.size() > dsts + srcs || texts.size() < dsts ||
      (texts.size() < dsts + srcs && !is_memory(op.kind)))
    return fmt::format("{} operands instead of {}", texts.size(), dsts + srcs);

  for (unsigned i = 0; i < dsts; ++i) {
    if (std::string why = fill_operand(inst.dst[i], op.dst[i], texts[i], op); !why.empty())
      return why;
    if (!is_writable(inst.dst[i])) return fmt::format("'{}' cannot be written", texts[i].text);
  }
  for (unsigned i = 0; i < srcs && dsts + i < texts.size(); ++i) {
    TextOperand& text = texts[dsts + i];
    // Wide reads of null must not reach its neighbours in the register file.
    if (text.kind == TextOperand::Kind::kScalar && text.index == kNull)
      text.kind = TextOperand::Kind::kInteger;
    if (std::string why = fill_operand(inst.src[i], op.src[i], text, op); !why.empty()) return why;
  }
  // Buffer and scalar atomics name their data once, and the old value takes its place.
  if ((op.kind == OpClass::kBuffer || op.kind == OpClass::kImage ||
       op.kind == OpClass::kScalarMemory) &&
      (op.flags & kAtomic)) {
    inst.memory.returns =
        parsed.has("glc") || parsed.has("sc0") ||
        std::ranges::any_of(parsed.modifiers, [](const TextModifier& modifier) {
          return modifier.name == "th" && modifier.word.find("RETURN") != std::string_view::npos;
        });
    if (inst.memory.returns) {
      inst.dst[0] = inst.src[0];
      if (op.flags & kCompareSwap) inst.dst[0].dwords /= 2;
    }
  }
  if (reads_dst && dsts != 0) {
    inst.src[srcs] = inst.dst[0];
    inst.src[srcs].type = op.src[srcs];
  }
  if (inst.dst[0].high_half) inst.op_sel_dst = true;
  return {};
}

std::string InstBuilder::fill(Inst& inst, const ParsedInst& parsed, const Op& op) {
  inst.op = &op;
  inst.run = op.run;
  inst.flags = op.flags;
  if (std::string why = fill_operands(inst, parsed, op); !why.empty()) return why;
  if (std::string why = apply_modifiers(inst, parsed, isa_); !why.empty()) return why;
  if (writes_exec(inst)) inst.flags |= kWritesExec;
  return {};
}

void InstBuilder::build(std::string_view text, const CodePlace& place, std::vector<Inst>& out) {
  ParsedText parsed = parse_text(text);
  if (parsed.invalid) {
    out.push_back(unsupported(parsed.first.mnemonic, "the encoding has an invalid operand", place));
    return;
  }
  if (parsed.second) {
    build_dual(parsed, place, out);
    return;
  }
  const Op* op = find_op(canonical_name(parsed.first.mnemonic), level_);
  if (!op) op = find_op(parsed.first.mnemonic, level_);
  if (!op) {
    out.push_back(unsupported(parsed.first.mnemonic, "the instruction is not implemented", place));
    return;
  }
  Inst inst = at(place);
  inst.simm16 = static_cast<std::uint16_t>(place.first);
  ParsedInst& first = parsed.first;
  if (op->kind == OpClass::kImage && !gather_address(first, place, out)) {
    out.push_back(unsupported(first.mnemonic, "the address is not a list of registers", place));
    return;
  }
  if (std::string why = fill(inst, first, *op); !why.empty())
    inst = unsupported(first.mnemonic, std::move(why), place);
  out.push_back(inst);
}

Inst InstBuilder::at(const CodePlace& place) const {
  Inst inst;
  inst.address = place.address;
  inst.size = static_cast<std::uint8_t>(place.size);
  inst.wave_size = static_cast<std::uint8_t>(wave_size_);
  return inst;
}

Inst InstBuilder::move_to(unsigned row, const Operand& from, const CodePlace& place) const {
  const Op* const move = find_op("v_mov_b32", level_);
  Inst inst = at(place);
  inst.op = move;
  inst.run = move->run;
  inst.flags = move->flags | kPlain;
  inst.src[0] = from;
  inst.src[0].type = move->src[0];
  inst.dst[0] = from;
  inst.dst[0].type = move->dst[0];
  inst.dst[0].index = static_cast<std::uint16_t>(row);
  return inst;
}

// "[v3, v7, v[9:10]]", the scattered address of an image: moved into rows that follow each other.
bool InstBuilder::gather_address(ParsedInst& parsed, const CodePlace& place,
                                 std::vector<Inst>& out) const {
  for (TextOperand& operand : parsed.operands) {
    if (operand.kind != TextOperand::Kind::kOther || !operand.text.starts_with('[')) continue;
    unsigned row = kSpareRow;
    for (const TextOperand& part : parse_list(operand.text)) {
      if (part.kind != TextOperand::Kind::kVector || part.count > kVectorRows - row) return false;
      for (unsigned i = 0; i < part.count; ++i) {
        Operand from;
        from.kind = Operand::Kind::kVector;
        from.dwords = 1;
        from.index = static_cast<std::uint16_t>(part.index + i);
        out.push_back(move_to(row++, from, place));
      }
    }
    operand.kind = TextOperand::Kind::kVector;
    operand.index = kSpareRow;
    operand.count = row - kSpareRow;
  }
  return true;
}

// Both halves read before either writes.
void InstBuilder::build_dual(const ParsedText& text, const CodePlace& place,
                             std::vector<Inst>& out) {
  std::vector<Inst> halves;
  for (const ParsedInst* parsed : {&text.first, &*text.second}) {
    const Op* op = find_op(canonical_name(parsed->mnemonic), level_);
    std::string why = op ? "" : "the instruction is not implemented";
    Inst inst = at(place);
    if (op) why = fill(inst, *parsed, *op);
    if (!why.empty()) {
      out.push_back(unsupported(parsed->mnemonic, std::move(why), place));
      return;
    }
    halves.push_back(inst);
  }
  const auto reads = [](const Inst& reader, const Inst& writer) {
    return std::ranges::any_of(reader.src,
                               [&](const Operand& src) { return overlaps(src, writer.dst[0]); });
  };
  if (!reads(halves[1], halves[0])) {
    out.insert(out.end(), halves.begin(), halves.end());
    return;
  }
  if (!reads(halves[0], halves[1])) {
    out.insert(out.end(), halves.rbegin(), halves.rend());
    return;
  }
  // Each reads what the other writes: the first result waits in the spare row.
  const unsigned row = halves[0].dst[0].index;
  halves[0].dst[0].index = kSpareRow;
  out.push_back(halves[0]);
  out.push_back(halves[1]);
  out.push_back(move_to(row, halves[0].dst[0], place));
}

}  // namespace hipwright::soft
