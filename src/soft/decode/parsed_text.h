// SPDX-License-Identifier: MIT
// One line of LLVM's disassembly as operands and modifiers. Knows how things are spelled, nothing
// about what instructions mean. Views point into the text.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace hipwright::soft {

struct TextOperand {
  enum class Kind : std::uint8_t {
    kOff,      // "off": there is no such operand
    kVector,   // v0, v[0:3], a0: `index` is the row
    kScalar,   // s0, vcc, src_scc…: `index` is a Scalar
    kInteger,  // written in decimal: an inline constant
    kLiteral,  // written in hexadecimal or as lit(…): the bits
    kFloat,    // 1.0: an inline constant
    kOther,    // hwreg(…), sendmsg(…), vmcnt(0), a label
  };
  Kind kind = Kind::kOther;
  bool neg = false, abs = false, sext = false;
  bool half = false;       // v0.l or v0.h
  bool high_half = false;  // v0.h
  bool wide = false;       // lit64(…)
  unsigned index = 0;
  unsigned count = 0;  // registers; 0 where the name does not say (null)
  std::int64_t integer = 0;
  double real = 0;
  std::string_view text;
};

// "offset:16", "op_sel:[0,1]", "clamp".
struct TextModifier {
  std::string_view name;
  std::string_view word;  // after the colon
  std::vector<std::int64_t> values;
  std::int64_t value(std::int64_t otherwise = 0) const {
    return values.empty() ? otherwise : values.front();
  }
};

struct ParsedInst {
  std::string_view mnemonic;  // as printed, without the encoding suffix
  std::string_view suffix;    // "_e32", "_e64", "_dpp", "_sdwa", "_e64_dpp" or empty
  std::vector<TextOperand> operands;
  std::vector<TextModifier> modifiers;

  const TextModifier* find(std::string_view name) const;
  bool has(std::string_view name) const { return find(name) != nullptr; }
};

struct ParsedText {
  ParsedInst first;
  std::optional<ParsedInst> second;  // after "::" of a dual-issue instruction
  // LLVM marks encodings that the hardware does not define with a comment.
  bool invalid = false;
};

// Every text gives a result: unknown parts become kOther, or a modifier with an odd name.
ParsedText parse_text(std::string_view text);

// The registers of "[v3, v7, v[9:10]]".
std::vector<TextOperand> parse_list(std::string_view text);

// "12", "-3", "0x1f", "-0x10"; otherwise nothing.
std::optional<std::int64_t> parse_integer(std::string_view text);

}  // namespace hipwright::soft
