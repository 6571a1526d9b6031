// SPDX-License-Identifier: MIT
#include "port/ptx/program.h"

#include "base/words.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace hipwright::port::ptx {

namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string without_comments(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    if (text.starts_with("//")) {
      text.remove_prefix(std::min(text.find('\n'), text.size()));
    } else if (text.starts_with("/*")) {
      const std::size_t end = text.find("*/", 2);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 2);
      out += ' ';
    } else {
      out += text.front();
      text.remove_prefix(1);
    }
  }
  return out;
}

class Operands {
 public:
  explicit Operands(std::string_view text) : rest_(text) {}

  // Comma-separated; false: not readable.
  bool read(std::vector<Operand>& into) {
    skip();
    while (!rest_.empty()) {
      Operand operand;
      if (!one(operand, 0)) return false;
      into.push_back(std::move(operand));
      skip();
      if (rest_.empty()) break;
      if (!take(',')) return false;
      skip();
      if (rest_.empty()) return false;
    }
    return true;
  }

 private:
  static constexpr int kDeepest = 3;  // a vector within an address within a pair

  void skip() { rest_.remove_prefix(std::min(rest_.find_first_not_of(kBlanks), rest_.size())); }
  bool take(char c) {
    skip();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  std::string_view word() {
    std::size_t length = 0;
    while (length < rest_.size() && (is_word(rest_[length]) || rest_[length] == '.')) ++length;
    const std::string_view found = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return found;
  }

  bool one(Operand& operand, int depth) {
    if (depth > kDeepest) return false;
    if (take('!')) operand.is_negated = true;
    if (!single(operand, depth)) return false;
    if (!take('|')) return true;
    Operand pair;
    pair.kind = Operand::Kind::kPair;
    pair.parts.push_back(std::move(operand));
    pair.parts.emplace_back();
    operand = std::move(pair);
    skip();
    return single(operand.parts[1], depth + 1);
  }

  bool single(Operand& operand, int depth) {
    skip();
    if (rest_.empty()) return false;
    if (take('{')) {
      operand.kind = Operand::Kind::kVector;
      do {
        skip();
        operand.parts.emplace_back();
        if (!one(operand.parts.back(), depth + 1)) return false;
      } while (take(','));
      return take('}');
    }
    if (take('[')) {
      operand.kind = Operand::Kind::kAddress;
      operand.parts.emplace_back();
      if (!one(operand.parts[0], depth + 1)) return false;
      while (!take(']')) {
        const bool is_minus = take('-');
        if (!is_minus && !take('+')) return false;
        Operand offset;
        skip();
        if (!one(offset, depth + 1)) return false;
        if (offset.kind == Operand::Kind::kInteger) {
          const auto by = static_cast<std::int64_t>(offset.integer);
          operand.offset =
              static_cast<std::int64_t>(static_cast<std::uint64_t>(operand.offset) +
                                        static_cast<std::uint64_t>(is_minus ? -by : by));
        } else if (offset.kind == Operand::Kind::kArgument && !is_minus &&
                   operand.parts.size() == 1) {
          operand.parts.push_back(std::move(offset));  // [%0 + %1], %1 an "n"
        } else {
          return false;
        }
      }
      return true;
    }
    if (rest_.front() == '%') return percent(operand);
    if (is_digit(rest_.front()) || rest_.front() == '-') return number(operand);
    const std::string_view name = word();
    if (name.empty()) return false;
    operand.kind = name == "_" ? Operand::Kind::kSink : Operand::Kind::kRegister;
    operand.name = name;
    return true;
  }

  bool percent(Operand& operand) {
    while (!rest_.empty() && rest_.front() == '%') rest_.remove_prefix(1);
    const std::string_view name = word();
    if (name.empty()) return false;
    if (is_digit(name.front())) {
      const auto [end, error] =
          std::from_chars(name.data(), name.data() + name.size(), operand.argument);
      operand.kind = Operand::Kind::kArgument;
      return error == std::errc() && end == name.data() + name.size();
    }
    operand.kind = Operand::Kind::kSpecial;
    operand.name = name;
    return true;
  }

  bool number(Operand& operand) {
    const bool is_minus = take('-');
    skip();
    std::string_view text = word();
    if (text.empty() || !is_digit(text.front())) return false;
    operand.name = fmt::format("{}{}", is_minus ? "-" : "", text);
    const bool is_hex_float = text.size() > 2 && text[0] == '0' &&
                              std::string_view("fFdD").find(text[1]) != std::string::npos;
    if (is_hex_float || (text.find('.') != std::string_view::npos) ||
        (!text.starts_with("0x") && !text.starts_with("0X") &&
         text.find_first_of("eE") != std::string_view::npos)) {
      operand.kind = Operand::Kind::kFloat;
      return !is_hex_float ||
             ((text[1] == 'f' || text[1] == 'F') ? text.size() == 10 : text.size() == 18);
    }
    int base = 10;
    if (text.size() > 1 && text[0] == '0') {
      base = text[1] == 'x' || text[1] == 'X' ? 16 : text[1] == 'b' || text[1] == 'B' ? 2 : 8;
      text.remove_prefix(base == 8 ? 1 : 2);
    }
    while (!text.empty() && (text.back() == 'U' || text.back() == 'u')) text.remove_suffix(1);
    operand.kind = Operand::Kind::kInteger;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), operand.integer, base);
    if (is_minus) operand.integer = 0 - operand.integer;
    return error == std::errc() && end == text.data() + text.size();
  }

  std::string_view rest_;
};

class Reader {
 public:
  Program read(std::string_view text) {
    const std::string plain = without_comments(text);
    std::string_view rest = plain;
    while (program_.problem.empty()) {
      rest = trimmed(rest);
      if (rest.empty()) break;
      if (rest.front() == '{' || rest.front() == '}') {
        depth_ += rest.front() == '{' ? 1 : -1;
        rest.remove_prefix(1);
        continue;
      }
      const std::size_t end = rest.find(';');
      statement(trimmed(rest.substr(0, end)));
      rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
    if (program_.problem.empty() && depth_ != 0) program_.problem = "braces do not match";
    return std::move(program_);
  }

 private:
  void give_up(std::string_view why, std::string_view statement) {
    program_.problem = fmt::format("{}: {}", why, statement.substr(0, 60));
  }

  void statement(std::string_view text) {
    if (text.empty()) return;
    if (text.starts_with(".reg")) return declare(text);
    if (text.starts_with(".pragma")) return;
    if (text.front() == '.') return give_up("a directive", text);
    const std::size_t colon = text.find(':');
    if (colon != std::string_view::npos &&
        text.substr(0, colon).find_first_of(" \t\n.") == std::string_view::npos &&
        text.substr(colon).find("::") != 0)
      return give_up("a label", text);
    Instruction instruction;
    instruction.text = text;
    for (char& c : instruction.text)
      if (c == '\n' || c == '\t') c = ' ';
    std::string_view rest = text;
    if (rest.front() == '@') {
      rest.remove_prefix(1);
      const std::size_t blank = rest.find_first_of(kBlanks);
      std::vector<Operand> guard;
      if (blank == std::string_view::npos || !Operands(rest.substr(0, blank)).read(guard) ||
          guard.size() != 1)
        return give_up("not an instruction", text);
      instruction.has_guard = true;
      instruction.guard = guard[0];
      rest = trimmed(rest.substr(blank));
    }
    const std::size_t length = std::min(rest.find_first_of(" \t\n\r[{"), rest.size());
    words(rest.substr(0, length), instruction);
    if (instruction.name.empty() || !Operands(rest.substr(length)).read(instruction.operands))
      return give_up("not an instruction", text);
    program_.instructions.push_back(std::move(instruction));
  }

  static void words(std::string_view text, Instruction& into) {
    while (!text.empty()) {
      const std::size_t dot = std::min(text.find('.'), text.size());
      if (into.name.empty())
        into.name = text.substr(0, dot);
      else
        into.modifiers.emplace_back(text.substr(0, dot));
      text.remove_prefix(std::min(dot + 1, text.size()));
      if (into.name.empty()) return;
    }
  }

  // .reg .b32 a, b<3>
  void declare(std::string_view text) {
    const std::string_view whole = text;
    text = trimmed(text.substr(4));
    if (text.empty() || text.front() != '.') return give_up("not a register", whole);
    const std::size_t blank = text.find_first_of(kBlanks);
    if (blank == std::string_view::npos) return give_up("not a register", whole);
    const std::string type(text.substr(1, blank - 1));
    text.remove_prefix(blank);
    while (!text.empty()) {
      const std::size_t comma = std::min(text.find(','), text.size());
      std::string_view name = trimmed(text.substr(0, comma));
      text.remove_prefix(std::min(comma + 1, text.size()));
      while (!name.empty() && name.front() == '%') name.remove_prefix(1);
      unsigned count = 0;
      const std::size_t angle = name.find('<');
      if (angle != std::string_view::npos) {
        const std::string_view digits = name.substr(angle + 1);
        if (std::from_chars(digits.data(), digits.data() + digits.size(), count).ec !=
                std::errc() ||
            count > kMostRegisters)
          return give_up("not a register", whole);
      }
      const std::string base(name.substr(0, angle));
      if (base.empty() || !std::all_of(base.begin(), base.end(), is_word))
        return give_up("not a register", whole);
      if (angle == std::string_view::npos) {
        add({base, type}, whole);
      } else {
        for (unsigned i = 0; i < count; ++i) add({fmt::format("{}{}", base, i), type}, whole);
      }
    }
  }

  void add(Register one, std::string_view statement) {
    for (const Register& other : program_.registers) {
      if (other.name != one.name) continue;
      if (other.type != one.type) give_up("declared twice", statement);
      return;
    }
    if (program_.registers.size() >= kMostRegisters)
      return give_up("too many registers", statement);
    program_.registers.push_back(std::move(one));
  }

  static constexpr unsigned kMostRegisters = 256;
  int depth_ = 0;
  Program program_;
};

}  // namespace

bool Instruction::has(std::string_view modifier) const {
  return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

Program read_program(std::string_view text) {
  return Reader().read(text);
}

}  // namespace hipwright::port::ptx
