// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string>

#include "port/isolation/branches.h"
#include "port/isolation/view.h"
#include "project/build/makefile.h"
#include "syntax/build/make_lines.h"

namespace hipwright::port {

namespace build = syntax::build;
using build::MakeLine;

namespace {

using Answer = Branches::Answer;

class View {
 public:
  explicit View(std::string_view text) : text_(text), lines_(build::read_make_lines(text)) {
    for (const std::string_view name : project::kAmdSwitches)
      if (!is_set(name)) unset_.push_back(name);
  }

  std::vector<SeenToken> run() {
    for (const MakeLine& line : lines_) look_at(line);
    return std::move(seen_);
  }

 private:
  // If the makefile sets it, a condition on it is open.
  bool is_set(std::string_view name) const {
    return std::any_of(lines_.begin(), lines_.end(), [&](const MakeLine& line) {
      if (line.kind == MakeLine::Kind::kRecipe || line.kind == MakeLine::Kind::kIf) return false;
      const auto words = build::words_of(text_, line);
      return std::any_of(words.begin(), words.end(), [&](const build::MakeWord& word) {
        if (!word.text.starts_with(name)) return false;
        const std::string_view rest = word.text.substr(name.size());
        return rest.empty() || std::string_view("=:?+!").find(rest[0]) != std::string_view::npos;
      });
    });
  }

  bool is_unset(std::string_view name) const {
    return std::find(unset_.begin(), unset_.end(), name) != unset_.end();
  }

  // ifdef X, ifeq ($(X),1), ifneq "$(X)" "": the two sides, without blanks and quotes.
  Answer answer_of(std::string_view line) const {
    std::string plain;
    for (const char c : line)
      if (std::isspace(static_cast<unsigned char>(c)) == 0) plain += c;
    if (plain.starts_with("else")) plain.erase(0, 4);
    if (plain.empty()) return Answer::kYes;
    if (plain.starts_with("ifdef")) return is_unset(plain.substr(5)) ? Answer::kNo : Answer::kOpen;
    if (plain.starts_with("ifndef"))
      return is_unset(plain.substr(6)) ? Answer::kYes : Answer::kOpen;
    const bool is_equal = plain.starts_with("ifeq");
    if (!is_equal && !plain.starts_with("ifneq")) return Answer::kOpen;
    std::string_view rest = std::string_view(plain).substr(is_equal ? 4 : 5);
    for (const std::string_view name : unset_)
      for (const std::string& use :
           {"$(" + std::string(name) + ")", "${" + std::string(name) + "}"})
        if (const auto other = other_side(rest, use))
          return other->empty() == is_equal ? Answer::kYes : Answer::kNo;
    return Answer::kOpen;
  }

  // The text that `use` is compared with, if it is plain text.
  static std::optional<std::string> other_side(std::string_view condition, std::string_view use) {
    const std::size_t at = condition.find(use);
    if (at == std::string_view::npos) return std::nullopt;
    std::string rest(condition);
    rest.erase(at, use.size());
    if (rest.find('$') != std::string::npos) return std::nullopt;
    const bool is_bracketed = rest.starts_with('(') && rest.ends_with(')') && rest.size() > 2;
    if (is_bracketed) rest = rest.substr(1, rest.size() - 2);
    // The sides are separated by one comma or two pairs of quotes; one side is empty now.
    std::string value;
    std::size_t commas = 0;
    for (const char c : rest) {
      if (c == ',') ++commas;
      if (c != ',' && c != '"' && c != '\'') value += c;
    }
    const bool is_whole = !is_bracketed || (commas == 1 && (rest[0] == ',' || rest.back() == ','));
    return is_whole ? std::optional(value) : std::nullopt;
  }

  void look_at(const MakeLine& line) {
    const std::string_view words = text_.substr(line.span.begin, line.span.size());
    switch (line.kind) {
      case MakeLine::Kind::kIf:
        return write(line, branches_.open(answer_of(words)));
      case MakeLine::Kind::kElse:
        if (!branches_.empty()) write(line, branches_.next(answer_of(words)));
        return;
      case MakeLine::Kind::kEndif:
        if (!branches_.empty() && branches_.close()) see(line, "endif");
        return;
      default:
        if (branches_.is_seen()) see(line, std::string(words));
    }
  }

  void write(const MakeLine& line, Branches::Left left) {
    if (left == Branches::Left::kNothing) return;
    if (left == Branches::Left::kElse) return see(line, "else");
    const auto words = build::words_of(text_, line);
    std::string condition = left == Branches::Left::kIf ? "" : "else ";
    for (const build::MakeWord& word : words)
      if (word.text != "else") condition += std::string(word.text) + ' ';
    see(line, std::move(condition));
  }

  void see(const MakeLine& line, std::string what) {
    seen_.push_back({std::move(what), line.span.begin});
  }

  std::string_view text_;
  std::vector<MakeLine> lines_;
  std::vector<std::string_view> unset_;
  Branches branches_;
  std::vector<SeenToken> seen_;
};

}  // namespace

std::vector<SeenToken> nvidia_view_of_make(std::string_view text) {
  return View(text).run();
}

}  // namespace hipwright::port
