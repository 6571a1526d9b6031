// SPDX-License-Identifier: MIT
#include "soft/decode/parsed_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "soft/exec/inst.h"

namespace hipwright::soft {

namespace {

struct NamedRegister {
  std::string_view name;
  unsigned index;
  unsigned count;
};

constexpr NamedRegister kNamedRegisters[] = {
    {"vcc", kVccLo, 2},
    {"vcc_lo", kVccLo, 1},
    {"vcc_hi", kVccHi, 1},
    {"exec", kExecLo, 2},
    {"exec_lo", kExecLo, 1},
    {"exec_hi", kExecHi, 1},
    {"m0", kM0, 1},
    {"null", kNull, 0},
    {"scc", kScc, 1},
    {"src_scc", kScc, 1},
    {"vccz", kVccz, 1},
    {"src_vccz", kVccz, 1},
    {"execz", kExecz, 1},
    {"src_execz", kExecz, 1},
    {"flat_scratch", 102, 2},
    {"flat_scratch_lo", 102, 1},
    {"flat_scratch_hi", 103, 1},
    {"xnack_mask", 104, 2},
    {"xnack_mask_lo", 104, 1},
    {"xnack_mask_hi", 105, 1},
    {"src_shared_base", kSharedBase, 0},
    {"src_shared_base_lo", kSharedBase, 0},
    {"src_shared_limit", kSharedLimit, 0},
    {"src_shared_limit_lo", kSharedLimit, 0},
    {"src_private_base", kPrivateBase, 0},
    {"src_private_base_lo", kPrivateBase, 0},
    {"src_private_limit", kPrivateLimit, 0},
    {"src_private_limit_lo", kPrivateLimit, 0},
};

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

bool unwrap(std::string_view& text, std::string_view open, std::string_view close) {
  if (text.size() < open.size() + close.size() || !text.starts_with(open) || !text.ends_with(close))
    return false;
  text.remove_prefix(open.size());
  text.remove_suffix(close.size());
  return true;
}

// The closing half may be missing: see parse_one.
bool unwrap_modifier(std::string_view& text, std::string_view open, std::string_view close) {
  if (!take(text, open)) return false;
  if (text.ends_with(close)) text.remove_suffix(close.size());
  return true;
}

std::optional<unsigned> parse_unsigned(std::string_view text) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return {};
  return value;
}

// "0" of v0, "[0:3]" of v[0:3] and "[5]" as {first, count}.
std::optional<std::pair<unsigned, unsigned>> parse_range(std::string_view text) {
  if (!unwrap(text, "[", "]")) {
    const auto index = parse_unsigned(text);
    if (!index) return {};
    return std::pair(*index, 1U);
  }
  const std::size_t colon = text.find(':');
  const auto first = parse_unsigned(text.substr(0, colon));
  const auto last =
      colon == std::string_view::npos ? first : parse_unsigned(text.substr(colon + 1));
  if (!first || !last || *last < *first || *last - *first >= kVectorRows) return {};
  return std::pair(*first, *last - *first + 1);
}

bool parse_register(std::string_view text, TextOperand& out) {
  using Kind = TextOperand::Kind;
  for (const NamedRegister& named : kNamedRegisters) {
    if (named.name != text) continue;
    out.kind = Kind::kScalar;
    out.index = named.index;
    out.count = named.count;
    return true;
  }
  struct File {
    std::string_view prefix;
    Kind kind;
    unsigned base, size;
  };
  static constexpr std::array<File, 4> kFiles = {{{"ttmp", Kind::kScalar, kTtmp0, 16},
                                                  {"v", Kind::kVector, 0, 256},
                                                  {"a", Kind::kVector, kAccumulator0, 256},
                                                  {"s", Kind::kScalar, 0, 106}}};
  for (const File& file : kFiles) {
    std::string_view rest = text;
    if (!take(rest, file.prefix)) continue;
    const bool low = rest.ends_with(".l"), high = rest.ends_with(".h");
    if (low || high) rest.remove_suffix(2);
    const auto range = parse_range(rest);
    if (!range || range->first >= file.size || range->second > file.size - range->first) continue;
    out.kind = file.kind;
    out.index = file.base + range->first;
    out.count = range->second;
    out.half = low || high;
    out.high_half = high;
    return true;
  }
  return false;
}

std::optional<double> parse_float(std::string_view text) {
  if (text.find('.') == std::string_view::npos) return {};
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

bool parse_constant(std::string_view text, TextOperand& out) {
  using Kind = TextOperand::Kind;
  const bool wide = unwrap(text, "lit64(", ")");
  const bool literal = wide || unwrap(text, "lit(", ")");
  if (const auto integer = parse_integer(text)) {
    const bool hex = text.find('x') != std::string_view::npos;
    out.kind = literal || hex ? Kind::kLiteral : Kind::kInteger;
    out.integer = *integer;
    out.wide = wide;
    return true;
  }
  if (const auto real = parse_float(text)) {
    out.kind = Kind::kFloat;
    out.real = *real;
    return true;
  }
  return false;
}

TextOperand parse_operand(std::string_view text) {
  TextOperand out;
  out.text = text;
  if (text == "off") {
    out.kind = TextOperand::Kind::kOff;
    return out;
  }
  if (parse_constant(text, out)) return out;
  out.neg = unwrap_modifier(text, "neg(", ")") || take(text, "-");
  out.abs = unwrap_modifier(text, "|", "|");
  out.sext = unwrap_modifier(text, "sext(", ")");
  if (!parse_register(text, out) && !parse_constant(text, out))
    out.kind = TextOperand::Kind::kOther;
  return out;
}

TextModifier parse_modifier(std::string_view text) {
  TextModifier out;
  const std::size_t colon = text.find(':');
  out.name = text.substr(0, colon);
  if (colon == std::string_view::npos) return out;
  out.word = text.substr(colon + 1);
  std::string_view list = out.word;
  unwrap(list, "[", "]");
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    const auto value = parse_integer(list.substr(0, comma));
    if (!value) {
      out.values.clear();
      break;
    }
    out.values.push_back(*value);
    list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
  }
  return out;
}

// The next piece up to a blank or a comma that is not inside brackets, quotes or |…|.
std::string_view take_token(std::string_view& text) {
  int depth = 0;
  bool bars = false, quotes = false;
  std::size_t i = 0;
  for (; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') quotes = !quotes;
    if (quotes) continue;
    if (c == '[' || c == '(') ++depth;
    if (c == ']' || c == ')') --depth;
    // A bar alone separates the parts of s_delay_alu.
    if (c == '|' && (bars || (i + 1 < text.size() && text[i + 1] != ' '))) bars = !bars;
    if (depth <= 0 && !bars && (c == ' ' || c == '\t' || c == ',')) break;
  }
  const std::string_view token = text.substr(0, i);
  text.remove_prefix(i);
  return token;
}

void skip_blanks(std::string_view& text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  text.remove_prefix(std::min(begin, text.size()));
}

void split_suffix(ParsedInst& inst) {
  static constexpr std::string_view kSuffixes[] = {"_e64_dpp", "_dpp", "_sdwa", "_e32", "_e64"};
  for (const std::string_view suffix : kSuffixes) {
    if (!inst.mnemonic.ends_with(suffix)) continue;
    inst.suffix = inst.mnemonic.substr(inst.mnemonic.size() - suffix.size());
    inst.mnemonic.remove_suffix(suffix.size());
    return;
  }
}

ParsedInst parse_one(std::string_view text) {
  ParsedInst out;
  skip_blanks(text);
  out.mnemonic = take_token(text);
  split_suffix(out);
  // Operands are separated by commas; what follows the last one without a comma are modifiers.
  bool more = true;
  while (more) {
    skip_blanks(text);
    if (text.empty()) return out;
    std::string_view token = take_token(text);
    // LLVM closes the modifier of v_cndmask's second source behind the mask: "|v1, vcc_lo|".
    const std::size_t comma = token.find(", vcc");
    const std::string_view mask = comma == std::string_view::npos ? "" : token.substr(comma + 2);
    token = token.substr(0, comma);
    if (!token.empty()) {
      const TextOperand operand = parse_operand(token);
      // "buffer_inv sc1", "global_inv scope:SCOPE_DEV": no operands at all.
      if (out.operands.empty() && operand.kind == TextOperand::Kind::kOther &&
          token.find_first_of("(|") == std::string_view::npos) {
        out.modifiers.push_back(parse_modifier(token));
        break;
      }
      out.operands.push_back(operand);
    }
    if (!mask.empty()) out.operands.push_back(parse_operand(mask.substr(0, mask.size() - 1)));
    skip_blanks(text);
    more = take(text, ",");
  }
  while (true) {
    skip_blanks(text);
    if (text.empty()) return out;
    if (take(text, ",")) continue;
    const std::string_view token = take_token(text);
    if (!token.empty()) out.modifiers.push_back(parse_modifier(token));
  }
}

}  // namespace

std::vector<TextOperand> parse_list(std::string_view text) {
  std::vector<TextOperand> parts;
  if (!unwrap(text, "[", "]")) return parts;
  while (true) {
    skip_blanks(text);
    if (text.empty()) return parts;
    if (take(text, ",")) continue;
    parts.push_back(parse_operand(take_token(text)));
  }
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  const bool negative = take(text, "-");
  const bool hex = take(text, "0x");
  std::uint64_t value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return {};
  return static_cast<std::int64_t>(negative ? 0 - value : value);
}

const TextModifier* ParsedInst::find(std::string_view name) const {
  const auto found = std::ranges::find(modifiers, name, &TextModifier::name);
  return found == modifiers.end() ? nullptr : &*found;
}

ParsedText parse_text(std::string_view text) {
  ParsedText out;
  out.invalid = text.find("/*") != std::string_view::npos;
  const std::size_t dual = text.find(" :: ");
  out.first = parse_one(text.substr(0, dual));
  if (dual != std::string_view::npos) out.second = parse_one(text.substr(dual + 4));
  return out;
}

}  // namespace hipwright::soft
