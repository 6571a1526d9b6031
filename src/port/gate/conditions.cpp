// SPDX-License-Identifier: MIT
#include "port/gate/conditions.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "port/isolation/condition.h"
#include "port/isolation/view.h"
#include "syntax/cuda/directives.h"
#include "syntax/cuda/values.h"

namespace hipwright::port {

namespace cu = syntax::cuda;
using cu::TokenIndex;
using cu::TokenRange;

namespace {

// AMD's counterpart of a CUDA macro: "__HIPCC__", or "(__HIP_DEVICE_COMPILE__ *
// 700)" where it counts as a number.
struct Counterpart {
  std::string macro;
  long value = 1;
};

Counterpart read_counterpart(std::string_view text) {
  const std::size_t times = text.find(" * ");
  if (!text.starts_with('(') || times == std::string_view::npos) return {std::string(text)};
  Counterpart found{std::string(text.substr(1, times - 1))};
  std::from_chars(text.data() + times + 3, text.data() + text.size(), found.value);
  return found;
}

std::optional<bool> compared(std::string_view op, long a, long b) {
  if (op == "==") return a == b;
  if (op == "!=") return a != b;
  if (op == "<") return a < b;
  if (op == ">") return a > b;
  if (op == "<=") return a <= b;
  if (op == ">=") return a >= b;
  return std::nullopt;
}

std::string_view mirrored(std::string_view op) {
  if (op == "<") return ">";
  if (op == ">") return "<";
  if (op == "<=") return ">=";
  if (op == ">=") return "<=";
  return op;
}

class Line {
 public:
  Line(const cu::File& file, TokenIndex hash, const std::vector<Change>& renamings)
      : file_(file),
        hash_(hash),
        renamings_(renamings),
        expression_{hash + 2, cu::directive_end(file, hash)} {
    for (const Change& each : renamings) {
      const Counterpart found = read_counterpart(each.edit.replacement);
      Counterpart& kept =
          counterparts_.try_emplace(std::string(text_of(each.edit.span)), found).first->second;
      if (found.value != 1) kept.value = found.value;  // defined(X) && X >= 700
    }
  }

  Changes run() {
    const std::string_view word = file_.text(hash_ + 1);
    if (!word.starts_with("if") && !word.starts_with("elif")) return {};
    Changes all;
    if (word == "ifdef" || word == "ifndef")
      all = definition(word == "ifdef");
    else if (auto whole = whole_line())
      all = *std::move(whole);
    else
      for (const Change& each : renamings_) part(all, each);
    return is_same_for_nvidia(all) ? all : Changes();
  }

 private:
  std::string_view text_of(Span span) const { return file_.text().substr(span.begin, span.size()); }

  TokenIndex token_of(const Change& change) const {
    TokenIndex at = expression_.begin;
    while (at < expression_.end && file_.span(at).begin < change.edit.span.begin) ++at;
    return at;
  }

  void replace(Changes& all, TokenRange range, std::string text) const {
    insert_or_replace(all, file_.span(range), std::move(text));
  }
  void insert_or_replace(Changes& all, Span span, std::string text) const {
    Change change = renamings_.front();
    change.is_renaming = false;
    change.edit = {span, std::move(text)};
    all.add(std::move(change));
  }

  Changes definition(bool is_defined) const {
    Changes all;
    const Change& change = renamings_.front();
    const std::string_view old = text_of(change.edit.span);
    const std::string& added = counterparts_.at(std::string(old)).macro;
    replace(all, {hash_ + 1, token_of(change) + 1},
            is_defined ? fmt::format("if defined({}) || defined({})", old, added)
                       : fmt::format("if !defined({}) && !defined({})", old, added));
    return all;
  }

  // The expression with the macros as AMD's device compiler would see CUDA's.
  std::string as_on_amd() const {
    std::string out;
    for (TokenIndex at = expression_.begin; at < expression_.end; ++at) {
      const bool is_defined = file_.text(at) == "defined";
      const bool is_bracketed = is_defined && file_.is(at + 1, "(");
      const TokenIndex name = is_bracketed ? at + 2 : is_defined ? at + 1 : at;
      const auto found = counterparts_.find(file_.text(name));
      if (found == counterparts_.end()) {
        out += fmt::format("{} ", file_.spelling(at));
        continue;
      }
      out += is_defined ? "1 " : fmt::format("{} ", found->second.value);
      at = is_bracketed ? name + 1 : name;
    }
    return out;
  }

  // One addition to the whole line, where all else in it is known.
  std::optional<Changes> whole_line() const {
    using Kind = Condition::Kind;
    const auto tokens =
        file_.tokens().subspan(expression_.begin, expression_.end - expression_.begin);
    const Condition without = simplified(
        file_.text(), tokens, [&](std::string_view name) { return counterparts_.contains(name); });
    const std::string text = as_on_amd();
    const cu::File on_amd(text);
    const Condition with = simplified(text, on_amd.tokens().first(on_amd.tokens().size() - 1),
                                      [](std::string_view) { return false; });
    if (without.kind == Kind::kOpen || with.kind == Kind::kOpen) return std::nullopt;
    Changes all;
    if (without == with) return all;
    const std::string& macro = counterparts_.begin()->second.macro;
    if (std::ranges::any_of(counterparts_,
                            [&](const auto& each) { return each.second.macro != macro; }))
      return std::nullopt;
    const bool adds = with.kind == Kind::kTrue;
    const bool is_wrapped = std::ranges::any_of(tokens, [&](const cu::Token& token) {
      const std::string_view word = file_.text().substr(token.begin, token.end - token.begin);
      return word == "?" || word == (adds ? "&&" : "||") || word == (adds ? "and" : "or");
    });
    const Span span = file_.span(expression_);
    if (is_wrapped) insert_or_replace(all, {span.begin, span.begin}, "(");
    insert_or_replace(
        all, {span.end, span.end},
        fmt::format("{} {}defined({})", is_wrapped ? ")" : "", adds ? "|| " : "&& !", macro));
    return all;
  }

  // Ends the operands of && and ||?
  bool is_edge(TokenIndex at) const {
    return at < expression_.begin || at >= expression_.end ||
           cu::is_punctuator(file_, at, {"(", ")", "&&", "||"});
  }

  // name >= 700, 700 <= name
  struct Comparison {
    TokenRange range;
    bool without = false,
         with = false;  // its value without the macro, and on AMD
  };
  std::optional<Comparison> comparison(TokenIndex name, const Counterpart& amd) const {
    for (const bool is_first : {true, false}) {
      const TokenIndex op = is_first ? name + 1 : name - 1;
      const TokenIndex number = is_first ? name + 2 : name - 2;
      if (op <= hash_ + 1 || number <= hash_ + 1 || number >= expression_.end) continue;
      const auto value = cu::literal(file_, number);
      const TokenRange range = {std::min(name, number), std::max(name, number) + 1};
      if (!value || !is_edge(range.begin - 1) || !is_edge(range.end)) continue;
      const std::string_view sign = is_first ? file_.text(op) : mirrored(file_.text(op));
      const auto bound = static_cast<long>(value->value);
      const auto without = compared(sign, 0, bound);
      if (!without) continue;
      return Comparison{range, *without, *compared(sign, amd.value, bound)};
    }
    return std::nullopt;
  }

  void part(Changes& all, const Change& change) const {
    const TokenIndex name = token_of(change);
    const std::string_view old = file_.text(name);
    const Counterpart& amd = counterparts_.at(std::string(old));
    const std::string both = fmt::format("(defined({}) || defined({}))", old, amd.macro);
    if (file_.text(name - 1) == "defined") return replace(all, {name - 1, name + 1}, both);
    if (file_.is(name - 1, "(") && file_.text(name - 2) == "defined")
      return replace(all, {name - 2, name + 2}, both);
    const auto found = comparison(name, amd);
    if (!found)
      return replace(all, {name, name + 1}, fmt::format("({} + {})", old, change.edit.replacement));
    if (found->without == found->with) return;
    replace(all, found->range,
            fmt::format("({} {}defined({}))", file_.text(found->range),
                        found->with ? "|| " : "&& !", amd.macro));
  }

  bool is_same_for_nvidia(const Changes& changes) const {
    const Span line = {file_.span(hash_).begin, file_.span(expression_.end - 1).end};
    const auto condition = [](std::string text) {
      const std::size_t elif = text.find("elif");
      if (elif != std::string::npos) text.erase(elif, 2);
      return nvidia_view_of_cuda(text + "\n#endif\n");
    };
    const auto before = condition(std::string(text_of(line)));
    const auto after = condition(changes.text_of(file_.text(), line));
    return std::ranges::equal(before, after, {}, &SeenToken::text, &SeenToken::text);
  }

  const cu::File& file_;
  const TokenIndex hash_;
  const std::vector<Change>& renamings_;
  const TokenRange expression_;
  std::map<std::string, Counterpart, std::less<>> counterparts_;  // by CUDA's name
};

}  // namespace

Changes for_both_platforms(const cu::File& file, TokenIndex hash,
                           const std::vector<Change>& renamings) {
  return Line(file, hash, renamings).run();
}

}  // namespace hipwright::port
