// SPDX-License-Identifier: MIT
#include "syntax/cuda/arch_statements.h"

#include "syntax/cuda/expression.h"

namespace hipwright::syntax::cuda {

namespace {

constexpr int kDeepest = 16;  // of macros and of statements in statements

// Macros as AMD's compiler has them in device code, with the definitions of the file.
class DeviceMacros {
 public:
  explicit DeviceMacros(const File& file) : file_(file) {}

  Values value_of(std::string_view text, std::span<const Token> tokens) {
    if (depth_ >= kDeepest) return {};
    ++depth_;
    const Values value = evaluate(text, tokens, [&](std::string_view name) { return find(name); });
    --depth_;
    return value;
  }

 private:
  MacroState find(std::string_view name) {
    MacroState found = platform_macro(name, Platform::kAmd, Side::kDevice);
    for (const Macro& macro : file_.macros()) {
      if (macro.is_function || file_.text(macro.name) != name) continue;
      const Truth active = is_active(macro);
      if (active == Truth::kMaybe) return {};
      if (active == Truth::kYes)
        found = {Truth::kYes,
                 value_of(file_.text(), file_.tokens().subspan(macro.body.begin,
                                                               macro.body.end - macro.body.begin))};
    }
    return found;
  }

  Truth is_active(const Macro& macro) {
    Truth all = Truth::kYes;
    for (const std::string& condition : file_.conditions(macro.name)) {
      Tokens words = lex(condition);
      if (!words.list.empty() && words.list.back().kind == Kind::kEnd) words.list.pop_back();
      all = all & value_of(condition, words.list).truth();
    }
    return all;
  }

  const File& file_;
  int depth_ = 0;
};

// The ( of the if around a token.
TokenIndex condition_around(const File& file, TokenIndex token) {
  for (TokenIndex open = file.enclosing(token); open != kNoToken && open > 1;
       open = file.enclosing(open)) {
    if (!file.is(open, "(")) return kNoToken;
    const TokenIndex before = file.text(open - 1) == "constexpr" ? open - 2 : open - 1;
    if (file.text(before) == "if") return open;
  }
  return kNoToken;
}

// Behind the statement that begins here; kNoToken if it cannot be read.
TokenIndex statement_end(const File& file, TokenIndex at, int depth = 0) {
  const TokenIndex end = static_cast<TokenIndex>(file.tokens().size());
  if (at >= end || depth > kDeepest) return kNoToken;
  if (file.is(at, "{")) {
    const TokenIndex close = file.partner(at);
    return close == kNoToken ? kNoToken : close + 1;
  }
  const std::string_view word = file.text(at);
  if (word == "if" || word == "for" || word == "while") {
    TokenIndex open = at + 1;
    if (open < end && file.text(open) == "constexpr") ++open;
    if (open >= end || !file.is(open, "(") || file.partner(open) == kNoToken) return kNoToken;
    TokenIndex next = statement_end(file, file.partner(open) + 1, depth + 1);
    if (word == "if" && next != kNoToken && next < end && file.text(next) == "else")
      next = statement_end(file, next + 1, depth + 1);
    return next;
  }
  for (; at < end; ++at) {
    if (file.is(at, ";")) return at + 1;
    if (file.is(at, "}")) return kNoToken;
    if (file.is(at, "(") || file.is(at, "[") || file.is(at, "{")) {
      const TokenIndex close = file.partner(at);
      if (close == kNoToken || close < at) return kNoToken;
      at = close;
    }
  }
  return kNoToken;
}

}  // namespace

std::optional<ArchStatement> arch_statement_at(const File& file, TokenIndex token) {
  const TokenIndex open = condition_around(file, token);
  if (open == kNoToken || file.partner(open) == kNoToken) return std::nullopt;
  const TokenIndex close = file.partner(open);
  const TokenIndex end = statement_end(file, close + 1);
  if (end == kNoToken) return std::nullopt;
  const TokenRange then = {close + 1, end};
  TokenRange otherwise = {end, end};
  if (end < file.tokens().size() && file.text(end) == "else") {
    otherwise = {end + 1, statement_end(file, end + 1)};
    if (otherwise.end == kNoToken) return std::nullopt;
  }
  const Truth holds = DeviceMacros(file)
                          .value_of(file.text(), file.tokens().subspan(open + 1, close - open - 1))
                          .truth();
  if (holds == Truth::kMaybe) return std::nullopt;
  const TokenIndex begin = file.text(open - 1) == "constexpr" ? open - 2 : open - 1;
  const bool is_taken = holds == Truth::kYes;
  return ArchStatement{.whole = {begin, otherwise.end},
                       .taken = is_taken ? then : otherwise,
                       .skipped = is_taken ? otherwise : then};
}

}  // namespace hipwright::syntax::cuda
