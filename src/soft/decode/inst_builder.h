// SPDX-License-Identifier: MIT
// Builds what the interpreter runs from a parsed line and its operation.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "soft/decode/parsed_text.h"
#include "soft/exec/inst.h"
#include "soft/exec/simd_level.h"
#include "soft/exec/wave.h"

namespace hipwright::soft {

// Where an instruction lies and how it is encoded.
struct CodePlace {
  std::uint64_t address = 0;
  std::uint32_t first = 0;  // its first dword
  unsigned size = 0;        // bytes
};

// Makes the instructions of one program. What they point to lives as long as the builder.
class InstBuilder {
 public:
  InstBuilder(Isa isa, unsigned wave_size, SimdLevel level = best_simd_level());
  ~InstBuilder();

  // Appends one instruction, two or three for a dual-issue one, moves before an image instruction
  // with a scattered address. An unsupported instruction becomes one that faults.
  void build(std::string_view text, const CodePlace& place, std::vector<Inst>& out);
  // Appends an instruction that faults, for bytes that are not an instruction.
  void undecodable(const CodePlace& place, std::vector<Inst>& out);
  // An instruction that continues at `address`.
  Inst go_on(std::uint64_t address) const;

 private:
  Inst unsupported(std::string_view mnemonic, std::string why, const CodePlace& place);
  Inst at(const CodePlace& place) const;
  Inst move_to(unsigned row, const Operand& from, const CodePlace& place) const;
  bool gather_address(ParsedInst& parsed, const CodePlace& place, std::vector<Inst>& out) const;
  // Fills `inst` or says why it cannot.
  std::string fill(Inst& inst, const ParsedInst& parsed, const Op& op);
  std::string fill_operands(Inst& inst, const ParsedInst& parsed, const Op& op);
  std::string fill_operand(Operand& out, Type type, const TextOperand& text, const Op& op);
  void build_dual(const ParsedText& text, const CodePlace& place, std::vector<Inst>& out);
  const std::uint32_t* row(std::uint64_t value);

  Isa isa_;
  unsigned wave_size_;
  SimdLevel level_;
  std::unordered_map<std::uint64_t, std::unique_ptr<std::uint32_t[]>> rows_;
  struct Refusal {
    std::string name, why;
    Op op;
  };
  std::map<std::string, Refusal, std::less<>> refusals_;  // by name and reason
};

// The bits of a constant as an operand of `type` reads them; a kWide operand reads `element`.
std::uint64_t expand_constant(const TextOperand& text, Type type, Type element);

}  // namespace hipwright::soft
