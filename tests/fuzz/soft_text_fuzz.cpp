// SPDX-License-Identifier: MIT
// Any text becomes instructions that can be run: registers that exist, a handler, an operation.
#include <algorithm>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "soft/decode/canonical_names.h"
#include "soft/decode/inst_builder.h"

using namespace hipwright;
using namespace hipwright::soft;

namespace {

bool exists(const Operand& operand) {
  const unsigned end = operand.index + operand.dwords;
  if (operand.is_vector()) return end <= kVectorRows;
  if (operand.is_scalar()) return end <= kScalarCount;
  return true;
}

void check(const Inst& inst) {
  HW_ASSERT(inst.run != nullptr && inst.op != nullptr);
  HW_ASSERT(std::ranges::all_of(inst.dst, exists) && std::ranges::all_of(inst.src, exists));
  for (const Operand& dst : inst.dst)
    HW_ASSERT(!dst.is_constant() && !(dst.is_scalar() && dst.index > kExecHi));
  HW_ASSERT(inst.omod <= 3 && inst.address == 0x1000);
}

void check(const ParsedInst& inst, std::string_view text) {
  const auto inside = [&](std::string_view part) {
    return part.empty() ||
           (part.data() >= text.data() && part.data() + part.size() <= text.data() + text.size());
  };
  HW_ASSERT(inside(inst.mnemonic) && inside(inst.suffix));
  for (const TextOperand& operand : inst.operands) HW_ASSERT(inside(operand.text));
  for (const TextModifier& modifier : inst.modifiers)
    HW_ASSERT(inside(modifier.name) && inside(modifier.word));
  HW_ASSERT(canonical_name(inst.mnemonic).size() < inst.mnemonic.size() + 16);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0 || size > 4096) return 0;
  static constexpr Isa kIsas[] = {Isa::kGfx90a, Isa::kGfx942, Isa::kGfx950, Isa::kGfx11,
                                  Isa::kGfx12,  Isa::kGfx908, Isa::kGfx10};
  const Isa isa = kIsas[data[0] % std::size(kIsas)];
  const unsigned wave_size = is_gfx9(isa) || data[0] & 0x80 ? 64 : 32;
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);

  const ParsedText parsed = parse_text(text);
  check(parsed.first, text);
  if (parsed.second) check(*parsed.second, text);

  InstBuilder builder(isa, wave_size);
  std::vector<Inst> out;
  builder.build(text, {0x1000, 0xbf80ffff, 8}, out);
  HW_ASSERT(!out.empty() && out.size() <= 3);
  for (const Inst& inst : out) check(inst);
  return 0;
}
