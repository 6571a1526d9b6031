// SPDX-License-Identifier: MIT
#include "port/ptx/statement.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace hipwright::port::ptx {

namespace cu = syntax::cuda;

namespace {

const std::array kKeywords = {syntax::Name("asm"), syntax::Name("__asm__"), syntax::Name("__asm")};

// "a\n" as the compiler reads it; only what assembly has use for.
std::string content(std::string_view literal) {
  const std::size_t begin = literal.find('"');
  const std::size_t end = literal.rfind('"');
  if (begin == std::string_view::npos || end <= begin) return {};
  std::string_view inside = literal.substr(begin + 1, end - begin - 1);
  if (literal.substr(0, begin).find('R') != std::string_view::npos) {
    const std::size_t open = inside.find('(');
    const std::size_t close = inside.rfind(')');
    if (open == std::string_view::npos || close == std::string_view::npos || close <= open)
      return {};
    return std::string(inside.substr(open + 1, close - open - 1));
  }
  std::string out;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (inside[i] != '\\' || i + 1 == inside.size()) {
      out += inside[i];
      continue;
    }
    const char next = inside[++i];
    if (next == '\r' || next == '\n') continue;  // a continued line
    out += next == 'n' || next == 'r' ? '\n' : next == 't' || next == 'v' ? ' ' : next;
  }
  return out;
}

class Reader {
 public:
  Reader(const cu::File& file, cu::TokenIndex keyword) : file_(file) { found_.keyword = keyword; }

  std::optional<AsmStatement> read() {
    cu::TokenIndex open = found_.keyword + 1;
    while (kind(open) == cu::Kind::kName) {
      const std::string_view word = file_.text(open);
      if (word != "volatile" && word != "__volatile__" && word != "inline" && word != "goto")
        return std::nullopt;
      ++open;
    }
    if (!file_.is(open, "(")) return std::nullopt;
    const cu::TokenIndex close = file_.partner(open);
    if (close == cu::kNoToken || close < open) return std::nullopt;
    found_.span = {file_.span(found_.keyword).begin, file_.span(close).end};
    if (file_.is(close + 1, ";")) {
      found_.has_semicolon = true;
      found_.span.end = file_.span(close + 1).end;
    }
    at_ = open + 1;
    end_ = close;
    found_.text = strings();
    for (int section = 0; at_ < end_ && found_.unreadable.empty();) {
      if (file_.is(at_, ":")) {
        ++section;
        ++at_;
      } else if (file_.is(at_, "::")) {
        section += 2;
        ++at_;
      } else if (section == 1 || section == 2) {
        operand(section == 1);
      } else {
        break;  // clobbers and labels
      }
    }
    return std::move(found_);
  }

 private:
  cu::Kind kind(cu::TokenIndex token) const {
    return token < file_.tokens().size() ? file_.tokens()[token].kind : cu::Kind::kEnd;
  }
  void give_up(cu::TokenIndex token) {
    if (found_.unreadable.empty())
      found_.unreadable = fmt::format("{} is not a string", file_.text(token));
  }

  // Strings one after the other; a name is one when the file defines it as such.
  std::string strings() {
    std::string out;
    for (; at_ < end_; ++at_) {
      if (kind(at_) == cu::Kind::kString) {
        out += content(file_.text(at_));
      } else if (kind(at_) == cu::Kind::kName) {
        const cu::Macro* macro = file_.macro_named(file_.text(at_));
        if (macro == nullptr || macro->is_function || macro->body.empty()) break;
        for (cu::TokenIndex part = macro->body.begin; part < macro->body.end; ++part) {
          if (kind(part) != cu::Kind::kString) return give_up(at_), out;
          out += content(file_.text(part));
        }
      } else {
        break;
      }
    }
    if (at_ < end_ && !file_.is(at_, ":") && !file_.is(at_, "::") && !file_.is(at_, "("))
      give_up(at_);
    return out;
  }

  void operand(bool is_output) {
    if (file_.is(at_, ",")) ++at_;
    const cu::TokenIndex begin = at_;
    const std::string constraint = strings();
    if (!found_.unreadable.empty()) return;
    const cu::TokenIndex close = file_.is(at_, "(") ? file_.partner(at_) : cu::kNoToken;
    if (close == cu::kNoToken || close >= end_ || begin == at_) return give_up(begin);
    AsmOperand operand{.is_output = is_output,
                       .is_input = !is_output,
                       .constraint = 0,
                       .expression = {at_ + 1, close}};
    for (const char c : constraint) {
      operand.is_input |= c == '+';
      if (c >= 'a' && c <= 'z') operand.constraint = c;
    }
    found_.operands.push_back(operand);
    at_ = close + 1;
  }

  const cu::File& file_;
  cu::TokenIndex at_ = 0, end_ = 0;
  AsmStatement found_;
};

}  // namespace

std::vector<AsmStatement> asm_statements(const cu::File& file) {
  std::vector<AsmStatement> all;
  for (const syntax::Name& keyword : kKeywords)
    for (const cu::TokenIndex at : file.occurrences(keyword))
      if (auto found = Reader(file, at).read()) all.push_back(std::move(*found));
  std::sort(all.begin(), all.end(),
            [](const AsmStatement& a, const AsmStatement& b) { return a.keyword < b.keyword; });
  return all;
}

}  // namespace hipwright::port::ptx
