// SPDX-License-Identifier: MIT
#include "port/wave/statement.h"

#include "syntax/cuda/values.h"

namespace hipwright::port {

namespace cu = syntax::cuda;
using cu::TokenIndex;
using cu::TokenRange;

namespace {

constexpr int kDeepest = 48;

class Reader {
 public:
  Reader(const cu::File& file, TokenRange body) : file_(file), at_(body.begin), end_(body.end) {}

  std::optional<std::vector<Statement>> all(TokenIndex end, int depth) {
    std::vector<Statement> found;
    for (skip_pragmas(); at_ < end; skip_pragmas()) {
      auto next = one(end, depth);
      if (!next) return std::nullopt;
      found.push_back(std::move(*next));
    }
    if (is_broken_ || at_ > end) return std::nullopt;
    return found;
  }

 private:
  void skip_pragmas() {
    while (at_ < end_ && (file_.tokens()[at_].flags & cu::kInDirective) != 0) {
      if (file_.is(at_, "#") && file_.text(at_ + 1) != "pragma") is_broken_ = true;
      ++at_;
    }
  }

  // The token after the bracket that closes this one; empty if there is none.
  std::optional<TokenIndex> behind(TokenIndex open, TokenIndex end) const {
    const TokenIndex close = file_.partner(open);
    if (close == cu::kNoToken || close < open || close >= end) return std::nullopt;
    return static_cast<TokenIndex>(close + 1);
  }

  std::optional<Statement> one(TokenIndex end, int depth) {
    skip_pragmas();
    if (depth > kDeepest || is_broken_ || at_ >= end) return std::nullopt;
    const TokenIndex begin = at_;
    const std::string_view word = file_.text(at_);
    if (file_.is(at_, "{")) {
      const auto after = behind(at_, end);
      if (!after) return std::nullopt;
      ++at_;
      auto inner = all(*after - 1, depth + 1);
      if (!inner) return std::nullopt;
      at_ = *after;
      return Statement{Statement::Kind::kBlock, {begin, at_}, {}, std::move(*inner), false};
    }
    if (word == "if") return guarded(end, depth);
    if (word == "for" || word == "while" || word == "switch") {
      if (!file_.is(at_ + 1, "(")) return std::nullopt;
      const auto after = behind(at_ + 1, end);
      if (!after) return std::nullopt;
      at_ = *after;
      if (!one(end, depth + 1)) return std::nullopt;
      return Statement{Statement::Kind::kOther, {begin, at_}, {}, {}, false};
    }
    if (word == "do" || word == "try" || word == "else" || word == "case" || word == "default")
      return std::nullopt;
    return simple(end);
  }

  std::optional<Statement> guarded(TokenIndex end, int depth) {
    Statement found{Statement::Kind::kIf, {at_, at_}, {}, {}, false};
    if (!file_.is(at_ + 1, "(")) return std::nullopt;
    const auto after = behind(at_ + 1, end);
    if (!after) return std::nullopt;
    found.condition = {at_ + 2, *after - 1};
    at_ = *after;
    auto then = one(end, depth + 1);
    if (!then) return std::nullopt;
    if (then->kind == Statement::Kind::kBlock)
      found.inner = std::move(then->inner);
    else
      found.inner.push_back(std::move(*then));
    skip_pragmas();
    if (at_ < end && file_.text(at_) == "else") {
      ++at_;
      if (!one(end, depth + 1)) return std::nullopt;
      found.has_else = true;
    }
    found.range.end = at_;
    return found;
  }

  std::optional<Statement> simple(TokenIndex end) {
    const TokenIndex begin = at_;
    while (at_ < end && !file_.is(at_, ";")) {
      if ((file_.tokens()[at_].flags & cu::kInDirective) != 0) return std::nullopt;
      if (cu::is_punctuator(file_, at_, {"(", "[", "{"})) {
        const auto after = behind(at_, end);
        if (!after) return std::nullopt;
        at_ = *after;
      } else {
        ++at_;
      }
    }
    if (at_ >= end) return std::nullopt;
    ++at_;
    return Statement{Statement::Kind::kSimple, {begin, at_ - 1}, {}, {}, false};
  }

  const cu::File& file_;
  TokenIndex at_, end_;
  bool is_broken_ = false;
};

}  // namespace

std::optional<std::vector<Statement>> statements(const cu::File& file, TokenRange body) {
  for (TokenIndex at = body.begin; at < body.end; ++at)
    if ((file.tokens()[at].flags & cu::kInDirective) != 0 && file.is(at, "#") &&
        file.text(at + 1) != "pragma")
      return std::nullopt;
  return Reader(file, body).all(body.end, 0);
}

}  // namespace hipwright::port
