// SPDX-License-Identifier: MIT
#include "syntax/python/binding.h"
#include "syntax/python/token_tests.h"

namespace hipwright::syntax::python {

namespace {

// Longer statements are not analysed: every name in them would need a pass over all tokens.
constexpr TokenIndex kLongest = 512;

}  // namespace

bool is_augmented_assignment(std::string_view text) {
  if (text.size() < 2 || text.back() != '=') return false;
  if (text.size() == 3) return true;  // **= //= >>= <<=
  return std::string_view("+-*/%@&|^").find(text[0]) != std::string_view::npos;
}

bool BindingReader::is_augmented(TokenIndex token) const {
  return token == augmented_;
}

void BindingReader::look_at(StatementIndex statement) {
  if (statement == statement_) return;
  statement_ = statement;
  const Statement& made = file_.statements()[statement];
  tokens_ = made.tokens;
  assign_ = augmented_ = annotation_ = in_ = kNoToken;
  right_ = {};
  const bool is_for = made.kind == StatementKind::kFor;
  if (made.kind != StatementKind::kSimple && !is_for) return;
  for (TokenIndex at = tokens_.begin; at < tokens_.end; at = file_.skip(at)) {
    const Token& token = file_.tokens()[at];
    if (token.kind == Kind::kName) {
      if (is_for && is_word(file_, at, "in")) {
        in_ = at;
        right_ = {at + 1, tokens_.end};
        return;
      }
      if (is_word(file_, at, "lambda")) break;
    } else if (token.kind == Kind::kOp && !is_for) {
      if (token.id == op("=")) {
        assign_ = at;
      } else if (is_augmented_assignment(file_.text(at))) {
        augmented_ = at;
        break;
      } else if (token.id == op(":") && annotation_ == kNoToken && assign_ == kNoToken) {
        annotation_ = at;
      }
    }
  }
  const TokenIndex sign = augmented_ != kNoToken ? augmented_ : assign_;
  if (sign != kNoToken) right_ = {sign + 1, tokens_.end};
}

std::optional<FoundBinding> BindingReader::found(TokenIndex name, BindingKind kind,
                                                 TokenRange value) const {
  return FoundBinding{{name, statement_, kind, value}, scope_of(file_, statement_)};
}

// Between what may stand around a target: `a, (b, *c) = …`.
bool BindingReader::stands_as_target(TokenIndex from, TokenIndex to) const {
  constexpr int kDeepest = 16;
  const auto begins = [&](TokenIndex at) {
    if (at == tokens_.begin) return true;
    return is_op(file_, at - 1, op(",")) || is_op(file_, at - 1, op("(")) ||
           is_op(file_, at - 1, op("[")) || is_op(file_, at - 1, op("*")) ||
           is_op(file_, at - 1, op("=")) || is_word(file_, at - 1, "for");
  };
  if (!begins(from)) return false;
  if (to < tokens_.end && !is_op(file_, to, op(",")) && !is_op(file_, to, op(")")) &&
      !is_op(file_, to, op("]")) && to != in_ && to != augmented_ && to != annotation_ &&
      !is_op(file_, to, op("=")))
    return false;
  TokenIndex bracket = file_.enclosing(from);
  for (int depth = 0; bracket != kNoToken && bracket >= tokens_.begin; ++depth) {
    if (depth == kDeepest || is_op(file_, bracket, op("{")) || !begins(bracket)) return false;
    bracket = file_.enclosing(bracket);
  }
  return true;
}

bool BindingReader::is_target(TokenIndex from, TokenIndex to) {
  const StatementIndex statement = file_.statement_at(from);
  if (statement == kNoStatement) return false;
  look_at(statement);
  TokenIndex limit = in_;
  if (limit == kNoToken) limit = augmented_;
  if (limit == kNoToken) limit = assign_;
  return limit != kNoToken && to <= limit && stands_as_target(from, to);
}

// In `a, b = x, y` the y for b.
TokenRange BindingReader::right_element(TokenIndex name) const {
  if (assign_ - tokens_.begin == 1) return right_;
  if (tokens_.size() > kLongest) return {};
  TokenIndex segment = tokens_.begin;
  std::size_t place = 0;
  std::size_t targets = 1;
  bool passed = false;
  for (TokenIndex at = tokens_.begin; at <= assign_; at = file_.skip(at)) {
    if (is_op(file_, at, op("="))) {
      if (passed) break;
      segment = at + 1;
      place = 0;
      targets = 1;
    } else if (is_op(file_, at, op(","))) {
      place += passed ? 0 : 1;
      ++targets;
    } else if (is_op(file_, at, op("*"))) {
      return {};
    }
    passed |= at <= name && name < file_.skip(at);
  }
  if (segment == name && targets == 1) return right_;
  std::vector<TokenRange> values;
  TokenIndex from = right_.begin;
  for (TokenIndex at = from; at <= right_.end; at = file_.skip(at)) {
    if (at < right_.end && !is_op(file_, at, op(","))) continue;
    values.push_back({from, at});
    from = at + 1;
    if (at == right_.end) break;
  }
  if (targets == 1) return right_;
  return values.size() == targets ? values[place] : TokenRange{};
}

std::optional<FoundBinding> BindingReader::assigned(TokenIndex from, TokenIndex name) const {
  if (augmented_ != kNoToken) {
    if (name + 1 != augmented_ || from != tokens_.begin) return std::nullopt;
    return found(name, BindingKind::kAugmented, right_);
  }
  if (annotation_ != kNoToken && name + 1 == annotation_ && from == tokens_.begin)
    return assign_ == kNoToken ? found(name, BindingKind::kDeclared)
                               : found(name, BindingKind::kAssign, right_);
  if (assign_ == kNoToken || name >= assign_ || !stands_as_target(from, name + 1))
    return std::nullopt;
  const bool is_nested =
      file_.enclosing(from) != kNoToken && file_.enclosing(from) >= tokens_.begin;
  return found(name, BindingKind::kAssign, is_nested ? TokenRange{} : right_element(name));
}

std::optional<FoundBinding> BindingReader::imported(TokenIndex name) const {
  const bool is_from = file_.statements()[statement_].kind == StatementKind::kFromImport;
  const bool follows = is_word(file_, name - 1, "as") || is_word(file_, name - 1, "import") ||
                       is_op(file_, name - 1, op(",")) || is_op(file_, name - 1, op("("));
  if (!follows) return std::nullopt;
  // `import a.b as c` binds c, `import a.b` binds a.
  if (is_word(file_, name - 1, "as")) return found(name, BindingKind::kImport);
  TokenIndex after = name + 1;
  while (!is_from && is_op(file_, after, op(".")) && after + 1 < tokens_.end) after += 2;
  if (after < tokens_.end && is_word(file_, after, "as")) return std::nullopt;
  return found(name, BindingKind::kImport);
}

std::optional<FoundBinding> BindingReader::parameter(TokenIndex name) const {
  const TokenIndex open = file_.enclosing(name);
  const TokenIndex function = file_.name_of(statement_);
  if (open == kNoToken || open < tokens_.begin || function == kNoToken) return std::nullopt;
  const bool is_first_bracket = open == function + 1 || is_op(file_, open - 1, op("]"));
  if (!is_op(file_, open, op("(")) || !is_first_bracket || file_.enclosing(open) != kNoToken)
    return std::nullopt;
  if (!is_op(file_, name - 1, op("(")) && !is_op(file_, name - 1, op(",")) &&
      !is_op(file_, name - 1, op("*")) && !is_op(file_, name - 1, op("**")))
    return std::nullopt;
  TokenRange value;
  for (TokenIndex at = name + 1; at < tokens_.end; at = file_.skip(at)) {
    if (is_op(file_, at, op(",")) || is_op(file_, at, op(")"))) {
      if (!value.empty()) value.end = at;
      break;
    }
    if (is_op(file_, at, op("=")) && value.empty()) value = {at + 1, tokens_.end};
  }
  FoundBinding made{{name, statement_, BindingKind::kParameter, value}, statement_};
  return made;
}

std::optional<FoundBinding> BindingReader::loop_target(TokenIndex name) const {
  if (in_ == kNoToken || name >= in_ || !stands_as_target(name, name + 1)) return std::nullopt;
  const bool is_only = name + 1 == in_ && is_word(file_, name - 1, "for");
  return found(name, BindingKind::kFor, is_only ? right_ : TokenRange{});
}

std::optional<FoundBinding> BindingReader::at(TokenIndex from, TokenIndex name) {
  const StatementIndex statement = file_.statement_at(name);
  if (statement == kNoStatement) return std::nullopt;
  look_at(statement);
  if (!tokens_.contains(name)) return std::nullopt;
  if (is_op(file_, name + 1, op(":="))) {
    const TokenIndex open = file_.enclosing(name);
    const TokenIndex end =
        open == kNoToken || open < tokens_.begin ? tokens_.end : file_.partner(open);
    return found(name, BindingKind::kWalrus, {name + 2, end});
  }
  switch (file_.statements()[statement].kind) {
    case StatementKind::kSimple:
      return assigned(from, name);
    case StatementKind::kFor:
      return loop_target(name);
    case StatementKind::kImport:
    case StatementKind::kFromImport:
      return imported(name);
    case StatementKind::kDef:
      if (name == file_.name_of(statement)) return found(name, BindingKind::kDefinition);
      return parameter(name);
    case StatementKind::kClass:
      if (name == file_.name_of(statement)) return found(name, BindingKind::kDefinition);
      return std::nullopt;
    case StatementKind::kGlobal:
      return found(name, BindingKind::kGlobal);
    case StatementKind::kDel:
      if (is_op(file_, name + 1, op(".")) || is_op(file_, name + 1, op("["))) return std::nullopt;
      return found(name, BindingKind::kDelete);
    case StatementKind::kExcept:
      return is_word(file_, name - 1, "as") ? found(name, BindingKind::kExcept) : std::nullopt;
    case StatementKind::kWith: {
      const TokenIndex open = file_.enclosing(name);
      const bool in_tuple =
          open != kNoToken && open > tokens_.begin && is_word(file_, open - 1, "as");
      if (in_tuple) return found(name, BindingKind::kWith);
      if (!is_word(file_, name - 1, "as")) return std::nullopt;
      if (tokens_.size() > kLongest) return found(name, BindingKind::kWith);
      TokenIndex item = name - 1;
      while (item > tokens_.begin + 1 && !is_op(file_, item - 1, op(",")) &&
             !(is_op(file_, item - 1, op("(")) && file_.enclosing(item) == file_.enclosing(name))) {
        const TokenIndex partner = file_.partner(item - 1);
        item = partner != kNoToken && partner < item - 1 ? partner : item - 1;
      }
      return found(name, BindingKind::kWith, {item, name - 1});
    }
    default:
      return std::nullopt;
  }
}

}  // namespace hipwright::syntax::python
