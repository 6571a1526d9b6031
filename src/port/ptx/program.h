// SPDX-License-Identifier: MIT
// The text of an asm statement as PTX: registers and instructions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hipwright::port::ptx {

struct Operand {
  enum class Kind {
    kArgument,  // %0
    kRegister,  // a name that the text declares, or should
    kSpecial,   // %laneid
    kInteger,
    kFloat,
    kVector,   // {a, b}
    kAddress,  // [a+4]
    kPair,     // d|p
    kSink,     // _
  };
  Kind kind = Kind::kSink;
  unsigned argument = 0;
  std::string name;            // of a register or special register; the text of a number
  std::uint64_t integer = 0;   // negative numbers in two's complement
  std::int64_t offset = 0;     // of an address
  bool is_negated = false;     // !p
  std::vector<Operand> parts;  // of vectors and pairs; the base of an address
};

struct Instruction {
  std::string text;                    // as written, without the ;
  std::string name;                    // "ld"
  std::vector<std::string> modifiers;  // "global", "nc", "u32"
  std::vector<Operand> operands;
  bool has_guard = false;  // @p
  Operand guard;

  bool has(std::string_view modifier) const;
};

struct Register {
  std::string name, type;  // "u32"
};

struct Program {
  std::vector<Register> registers;
  std::vector<Instruction> instructions;
  std::string problem;  // not empty: not readable, and why
};

Program read_program(std::string_view text);

}  // namespace hipwright::port::ptx
