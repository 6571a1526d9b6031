// SPDX-License-Identifier: MIT
// Guards inside an expression: `a if c else b`, `c and a`, `c or a`, `[a for x in y if c]`.
#include "syntax/python/reach.h"
#include "syntax/python/token_tests.h"

namespace hipwright::syntax::python {

namespace {

constexpr int kDeepest = 64;

// Narrows a range to the part that contains a token, and refines the reach on the way.
class Narrowing {
 public:
  Narrowing(const File& file, ConditionReader& conditions, TokenIndex token, Reach reach)
      : file_(file), conditions_(conditions), token_(token), reach_(reach) {}

  Reach run(TokenRange range) {
    for (int depth = 0; depth < kDeepest && range.contains(token_); ++depth) {
      range = item(range);
      range = comprehension(range);
      while (ternary(range)) {
      }
      range = operands(range, "or", false);
      range = operands(range, "and", true);
      range = bracket(range);
    }
    return reach_;
  }

 private:
  void assume(TokenRange condition, bool is_true) {
    reach_ = refine(reach_, conditions_.read(condition), is_true);
  }

  // Between commas, colons and assignments.
  TokenRange item(TokenRange range) const {
    TokenIndex from = range.begin;
    for (TokenIndex at = range.begin; at < range.end; at = file_.skip(at)) {
      const Token& token = file_.tokens()[at];
      const bool divides = token.kind == Kind::kOp &&
                           (token.id == op(",") || token.id == op("=") || token.id == op(":") ||
                            token.id == op(":=") || token.id == op("+="));
      if (!divides) continue;
      if (at > token_) return {from, at};
      from = at + 1;
    }
    return {from, range.end};
  }

  TokenRange comprehension(TokenRange range) {
    TokenIndex loop = kNoToken;
    TokenIndex condition = kNoToken;
    for (TokenIndex at = range.begin; at <= range.end; at = file_.skip(at)) {
      const bool ends = at == range.end || is_word(file_, at, "for") ||
                        (loop != kNoToken && is_word(file_, at, "if"));
      if (ends && condition != kNoToken) assume({condition, at}, true);
      if (at == range.end) break;
      if (ends) condition = is_word(file_, at, "if") ? at + 1 : kNoToken;
      if (loop == kNoToken && is_word(file_, at, "for")) {
        if (at <= token_) return range;
        loop = at;
      }
    }
    return loop == kNoToken ? range : TokenRange{range.begin, loop};
  }

  bool ternary(TokenRange& range) {
    TokenIndex if_at = kNoToken;
    for (TokenIndex at = range.begin; at < range.end; at = file_.skip(at)) {
      if (if_at == kNoToken && is_word(file_, at, "if")) if_at = at;
      if (if_at == kNoToken || !is_word(file_, at, "else")) continue;
      const TokenRange condition{if_at + 1, at};
      if (token_ < if_at) {
        assume(condition, true);
        range.end = if_at;
      } else if (token_ > at) {
        assume(condition, false);
        range.begin = at + 1;
      } else {
        range = condition;
      }
      return true;
    }
    return false;
  }

  // The operands before the token's were true (or false); otherwise it would not be reached.
  TokenRange operands(TokenRange range, std::string_view word, bool is_true) {
    TokenIndex from = range.begin;
    for (TokenIndex at = range.begin; at < range.end; at = file_.skip(at)) {
      if (!is_word(file_, at, word)) continue;
      if (at > token_) return {from, at};
      assume({from, at}, is_true);
      from = at + 1;
    }
    return {from, range.end};
  }

  TokenRange bracket(TokenRange range) const {
    for (TokenIndex at = range.begin; at < range.end && at < token_;) {
      const TokenIndex after = file_.skip(at);
      if (token_ < after) return {at + 1, after - 1};
      at = after;
    }
    return {};
  }

  const File& file_;
  ConditionReader& conditions_;
  TokenIndex token_;
  Reach reach_;
};

}  // namespace

Reach reach_of_token(const File& file, ConditionReader& conditions, TokenIndex token, Reach from) {
  const StatementIndex statement = file.statement_at(token);
  if (statement == kNoStatement || !conditions.concerns(statement)) return from;
  TokenRange range = file.statements()[statement].tokens;
  // The `if` of a statement is not the one of an expression, nor is the `for`.
  if (is_keyword(file.text(range.begin))) ++range.begin;
  if (file.statements()[statement].is_async) ++range.begin;
  return Narrowing(file, conditions, token, from).run(range);
}

}  // namespace hipwright::syntax::python
