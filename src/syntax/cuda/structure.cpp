// SPDX-License-Identifier: MIT
// Statements and arguments: the ranges between brackets and separators.
#include <algorithm>
#include <initializer_list>

#include "syntax/cuda/file.h"
#include "syntax/cuda/state.h"

namespace hipwright::syntax::cuda {

namespace {

// The number of tokens (brackets with their content count as one) after which a search stops: a
// table of a million numbers is one statement, and must not be read again for each of them.
constexpr int kReach = 4096;

bool is_directive(const File& file, TokenIndex at) {
  return (file.tokens()[at].flags & kInDirective) != 0;
}

bool opens(const File& file, TokenIndex at) {
  return file.is(at, "(") || file.is(at, "[") || file.is(at, "{") || file.is(at, "<<<");
}

bool closes(const File& file, TokenIndex at) {
  return file.is(at, ")") || file.is(at, "]") || file.is(at, "}") || file.is(at, ">>>");
}

bool is_any_of(const File& file, TokenIndex at, std::initializer_list<const char*> texts) {
  for (const char* text : texts) {
    if (file.is(at, text)) return true;
  }
  return false;
}

// A list of values, not a block of statements.
bool is_value_brace(const File& file, TokenIndex brace) {
  constexpr int kDeepestList = 64;
  for (int depth = 0; depth < kDeepestList && brace > 0 && file.is(brace - 1, "{"); ++depth)
    --brace;
  if (brace == 0) return false;
  const TokenIndex before = brace - 1;
  if (is_any_of(file, before, {"=", ",", "(", "<<<", "?"}) || file.text(before) == "return")
    return true;
  if (file.tokens()[before].kind != Kind::kName && !file.is(before, ">")) return false;
  // Type{1, 2}: the expression continues after it.
  const TokenIndex end = file.partner(brace);
  return end != kNoToken && is_any_of(file, end + 1, {",", ")", ".", ">>>"});
}

class StatementFinder {
 public:
  StatementFinder(const File& file, TokenIndex token)
      : file_(file), token_(token), in_directive_(is_directive(file, token)) {}

  TokenRange find() {
    TokenIndex anchor = token_;
    // Leaves parentheses: the ; in a for do not end statements.
    for (int steps = 0; steps < kReach; ++steps) {
      const TokenIndex open = file_.enclosing(anchor);
      if (open == kNoToken || (file_.is(open, "{") && !is_value_brace(file_, open))) break;
      anchor = open;
    }
    // With unbalanced brackets the end may precede the token.
    return {begin(anchor), std::max(end(anchor), token_ + 1)};
  }

 private:
  // A directive is separate from the code around it, and so is the body of a macro.
  bool leaves(TokenIndex at) const {
    constexpr unsigned kWorlds = kInDirective | kInMacroBody;
    return in_directive_ &&
           ((file_.tokens()[at].flags ^ file_.tokens()[token_].flags) & kWorlds) != 0;
  }
  bool is_skipped(TokenIndex at) const { return !in_directive_ && is_directive(file_, at); }

  TokenIndex begin(TokenIndex anchor) const {
    TokenIndex first = anchor;
    TokenIndex at = anchor;
    for (int steps = 0; at > 0 && steps < kReach; ++steps) {
      --at;
      if (is_skipped(at)) {
        while (at > 0 && is_directive(file_, at - 1)) --at;
        continue;
      }
      if (leaves(at) || file_.is(at, ";") || opens(file_, at)) break;
      if (closes(file_, at)) {
        const TokenIndex open = file_.partner(at);
        if (open == kNoToken || open > at) break;
        if (file_.is(at, "}") && !is_any_of(file_, first, {",", ")", ";", ".", "->", "?", "("}))
          break;
        at = open;
      }
      first = at;
      if (in_directive_ && (file_.tokens()[at].flags & kFirstOnLine) != 0) break;
    }
    return first;
  }

  TokenIndex end(TokenIndex anchor) const {
    const auto last = static_cast<TokenIndex>(file_.tokens().size() - 1);
    TokenIndex at = anchor;
    for (int steps = 0; at < last && steps < kReach; ++steps) {
      if (is_skipped(at)) {
        ++at;
        continue;
      }
      if (leaves(at)) break;
      if (in_directive_ && at > anchor && (file_.tokens()[at].flags & kFirstOnLine) != 0) break;
      if (file_.is(at, ";")) return at + 1;
      if (opens(file_, at)) {
        if (at != anchor && file_.is(at, "{") && !is_value_brace(file_, at)) break;
        const TokenIndex close = file_.partner(at);
        at = close == kNoToken || close < at ? at : close;
      } else if (at != anchor && closes(file_, at)) {
        break;
      }
      ++at;
    }
    return at;
  }

  const File& file_;
  TokenIndex token_;
  bool in_directive_;
};

// The token after the > that closes the template arguments at `less`, or kNoToken if < is a
// comparison. Template arguments follow without a blank and are closed before `end`.
TokenIndex template_end(const File& file, TokenIndex less, TokenIndex end) {
  const std::span<const Token> tokens = file.tokens();
  if (less == 0 || tokens[less - 1].kind != Kind::kName ||
      tokens[less - 1].end != tokens[less].begin)
    return kNoToken;
  int depth = 0;
  for (TokenIndex at = less; at < end && at - less < 256; ++at) {
    if (file.is(at, "<")) {
      ++depth;
    } else if (file.is(at, ">") || file.is(at, ">>")) {
      depth -= file.is(at, ">") ? 1 : 2;
      if (depth <= 0) return at + 1;
    } else if (file.is(at, ";") || file.is(at, "{") || file.is(at, "&&") || file.is(at, "||") ||
               tokens[at].kind == Kind::kString) {
      return kNoToken;
    } else if (opens(file, at)) {
      const TokenIndex close = file.partner(at);
      if (close == kNoToken || close < at) return kNoToken;
      at = close;
    }
  }
  return kNoToken;
}

}  // namespace

TokenRange File::statement(TokenIndex token) const {
  if (token + 1 >= tokens().size()) return {token, token};
  return StatementFinder(*this, token).find();
}

std::vector<TokenRange> File::arguments(TokenIndex open) const {
  std::vector<TokenRange> all;
  if (open >= tokens().size() || !opens(*this, open)) return all;
  TokenIndex end = partner(open);
  if (end == kNoToken || end < open) {
    // Unclosed: up to the end of the statement.
    end = std::max(statement(open).end, open + 1);
    if (is(end - 1, ";")) --end;
  }
  TokenIndex begin = open + 1;
  for (TokenIndex at = begin; at < end; ++at) {
    if (is_directive(*this, at) && !is_directive(*this, open)) continue;
    if (is(at, ",")) {
      all.push_back({begin, at});
      begin = at + 1;
    } else if (is(at, "<")) {
      const TokenIndex after = template_end(*this, at, end);
      if (after != kNoToken) at = after - 1;
    } else if (opens(*this, at)) {
      const TokenIndex close = partner(at);
      if (close != kNoToken && close > at && close < end) at = close;
    }
  }
  if (begin < end || !all.empty()) all.push_back({begin, end});
  return all;
}

}  // namespace hipwright::syntax::cuda
