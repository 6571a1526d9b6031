// SPDX-License-Identifier: MIT
#include "syntax/python/condition.h"

#include <algorithm>

#include "syntax/python/flow.h"
#include "syntax/python/platform_facts.h"
#include "syntax/python/token_tests.h"

namespace hipwright::syntax::python {

namespace {

constexpr int kDeepest = 40;  // of brackets and names that stand for other names

Value negated(const Value& value) {
  return {!value.truth, Truth::kNo, value.meant_if_false, value.meant_if_true, value.is_known_part};
}

Value both(const Value& a, const Value& b) {
  const auto may_fail = [](const Value& value) { return value.truth != Truth::kYes; };
  return {.truth = a.truth & b.truth,
          .is_none = Truth::kMaybe,
          .meant_if_true = a.meant_if_true || b.meant_if_true,
          .meant_if_false = (!may_fail(a) || a.meant_if_false) &&
                            (!may_fail(b) || b.meant_if_false) &&
                            (a.meant_if_false || b.meant_if_false),
          .is_known_part = a.is_known_part || b.is_known_part};
}

Value either(const Value& a, const Value& b) {
  return negated(both(negated(a), negated(b)));
}

Value constant(bool truth) {
  return {.truth = truth ? Truth::kYes : Truth::kNo, .is_none = Truth::kNo};
}

std::uint64_t key(TokenIndex name, StatementIndex scope) {
  return std::uint64_t{name} << 32 | scope;
}

}  // namespace

ConditionReader::ConditionReader(const File& file) : file_(file) {
  mark_from_facts();
}

// Follows platform checks along assignments and returns to everything that depends on them: nothing
// else in the file needs to be read.
void ConditionReader::mark_from_facts() {
  for (const Name& name : platform_names())
    for (const TokenIndex at : file_.occurrences(name)) {
      const TokenRange dotted = file_.dotted(at);
      if (is_part_of_fact(name.text()) || platform_fact(file_.compact(dotted), true)) mark(at);
    }
  while (!to_mark_.empty()) {
    const TokenIndex name = to_mark_.back();
    to_mark_.pop_back();
    const NameIndex& index = file_.state().names();
    for (TokenIndex at = name; at != kNoToken; at = index.next(at)) mark(at);
  }
}

void ConditionReader::mark(TokenIndex token) {
  const StatementIndex statement = file_.statement_at(token);
  if (statement == kNoStatement) return;
  if (concerned_.empty()) {
    concerned_.resize(file_.statements().size());
    followed_.resize(file_.tokens().size());
  }
  if (concerned_[statement]) return;
  concerned_[statement] = true;
  const Statement& made = file_.statements()[statement];
  if (made.kind == StatementKind::kReturn) {
    const StatementIndex function = file_.enclosing_def(statement);
    if (function != kNoStatement) mark_name(file_.name_of(function));
  } else if (made.kind == StatementKind::kSimple && made.tokens.size() > 2) {
    // The targets: `x = …`, `x: bool = …`, `self.x = …`, `x, y = …`.
    for (TokenIndex at = made.tokens.begin; at + 1 < made.tokens.end; ++at) {
      if (is_op(file_, at, op("."))) continue;
      const bool ends = is_op(file_, at + 1, op("=")) || is_op(file_, at + 1, op(":"));
      if (ends || is_op(file_, at + 1, op(","))) {
        mark_name(at);
        ++at;
      } else if (!is_word(file_, at, "self") && !is_word(file_, at, "cls")) {
        break;
      }
      if (ends) break;
    }
  }
}

void ConditionReader::mark_name(TokenIndex token) {
  if (token == kNoToken || file_.tokens()[token].kind != Kind::kName) return;
  const TokenIndex first = file_.state().names().first(file_.text(token));
  if (followed_[first]) return;
  followed_[first] = true;
  to_mark_.push_back(first);
}

TokenRange ConditionReader::without_parentheses(TokenRange range) const {
  while (range.size() >= 2 && is_op(file_, range.begin, op("(")) &&
         file_.partner(range.begin) == range.end - 1)
    range = {range.begin + 1, range.end - 1};
  return range;
}

Value ConditionReader::read(TokenRange range, int depth) {
  range = without_parentheses(range);
  if (range.empty() || depth > kDeepest) return {};
  TokenIndex if_at = kNoToken;
  TokenIndex else_at = kNoToken;
  TokenIndex compared = kNoToken;
  bool has_or = false;
  bool has_and = false;
  for (TokenIndex at = range.begin; at < range.end; at = file_.skip(at)) {
    const Token& token = file_.tokens()[at];
    if (token.kind == Kind::kOp) {
      if (token.id == op(",")) return {};
      if (token.id == op(":=") && at == range.begin + 1)
        return read({at + 1, range.end}, depth + 1);
      const bool compares = token.id == op("==") || token.id == op("!=") || token.id == op("<") ||
                            token.id == op(">") || token.id == op("<=") || token.id == op(">=");
      if (compares && compared == kNoToken) compared = at;
    } else if (token.kind == Kind::kName) {
      const std::string_view word = file_.text(at);
      if (word == "lambda" || word == "for" || word == "await" || word == "yield") return {};
      if (word == "if" && if_at == kNoToken) if_at = at;
      if (word == "else" && else_at == kNoToken) else_at = at;
      has_or |= word == "or";
      has_and |= word == "and";
      const bool compares = word == "is" || word == "in" ||
                            (word == "not" && at > range.begin && is_word(file_, at + 1, "in"));
      if (compares && compared == kNoToken) compared = at;
    }
  }
  if (if_at != kNoToken)
    return else_at == kNoToken || else_at < if_at ? Value{} : ternary(range, if_at, else_at, depth);
  if (has_or) return chain(range, "or", depth);
  if (has_and) return chain(range, "and", depth);
  if (is_word(file_, range.begin, "not"))
    return negated(read({range.begin + 1, range.end}, depth + 1));
  if (compared != kNoToken) return comparison(range, compared, depth);
  return primary(range, depth);
}

Value ConditionReader::ternary(TokenRange range, TokenIndex if_at, TokenIndex else_at, int depth) {
  const Value condition = read({if_at + 1, else_at}, depth + 1);
  if (condition.truth == Truth::kYes) return read({range.begin, if_at}, depth + 1);
  if (condition.truth == Truth::kNo) return read({else_at + 1, range.end}, depth + 1);
  const Value a = read({range.begin, if_at}, depth + 1);
  const Value b = read({else_at + 1, range.end}, depth + 1);
  Value value{.is_known_part = a.is_known_part || b.is_known_part};
  if (a.truth == b.truth) value.truth = a.truth;
  return value;
}

Value ConditionReader::chain(TokenRange range, std::string_view word, int depth) {
  Value value = constant(word == "and");
  TokenIndex from = range.begin;
  for (TokenIndex at = range.begin; at <= range.end; at = file_.skip(at)) {
    if (at < range.end && !is_word(file_, at, word)) continue;
    const Value part = read({from, at}, depth + 1);
    value = word == "and" ? both(value, part) : either(value, part);
    if (at == range.end) break;
    from = at + 1;
  }
  return value;
}

Value ConditionReader::comparison(TokenRange range, TokenIndex at, int depth) {
  const bool is_not = is_word(file_, at, "not") || is_op(file_, at, op("!=")) ||
                      (is_word(file_, at, "is") && is_word(file_, at + 1, "not"));
  const bool is_in = is_word(file_, at, "in") || is_word(file_, at, "not");
  const bool is_equal =
      is_word(file_, at, "is") || is_op(file_, at, op("==")) || is_op(file_, at, op("!="));
  const bool is_two_words = is_not && !is_op(file_, at, op("!="));
  const TokenRange left = without_parentheses({range.begin, at});
  const TokenRange right = without_parentheses({at + (is_two_words ? 2U : 1U), range.end});
  if (left.empty() || right.empty()) return {};
  const auto result = [&](const Value& value) { return is_not ? negated(value) : value; };
  const auto is_text = [&](TokenRange side) {
    return side.size() == 1 && file_.tokens()[side.begin].kind == Kind::kString;
  };

  if (is_in) {
    if (!is_text(left) || file_.compact(right).find("get_device_name") == std::string::npos)
      return {};
    const auto fact = device_name_has(file_.string_value(left.begin));
    return fact ? result(*fact) : Value{};
  }
  if (!is_equal) return {};
  if (right.size() == 1 && is_word(file_, right.begin, "None")) {
    const Value value = read(left, depth + 1);
    // A version that is None means another platform, which inverts the result.
    return result({.truth = value.is_none,
                   .is_none = Truth::kNo,
                   .meant_if_true = value.is_none == Truth::kMaybe ? false : value.meant_if_false,
                   .meant_if_false = value.is_none == Truth::kMaybe ? false : value.meant_if_true,
                   .is_known_part = value.is_known_part});
  }
  if (right.size() == 1 && is_word(file_, right.begin, "True"))
    return result(read(left, depth + 1));
  if (right.size() == 1 && is_word(file_, right.begin, "False"))
    return result(negated(read(left, depth + 1)));
  for (const auto& [name, other] : {std::pair(left, right), std::pair(right, left)}) {
    const std::string text = is_text(other) ? file_.string_value(other.begin) : std::string();
    if (is_text(name)) continue;
    if (const auto fact = platform_equality(file_.compact(name), text)) return result(*fact);
  }
  return {};
}

Value ConditionReader::primary(TokenRange range, int depth) {
  const Token& first = file_.tokens()[range.begin];
  if (range.size() == 1) {
    if (first.kind == Kind::kNumber) return constant(file_.text(range.begin) != "0");
    if (first.kind == Kind::kString) return constant(!file_.string_value(range.begin).empty());
  }
  if (first.kind != Kind::kName) return {};
  const std::string_view word = file_.text(range.begin);
  if (range.size() == 1) {
    if (word == "None") return {.truth = Truth::kNo, .is_none = Truth::kYes};
    if (word == "True" || word == "False") return constant(word == "True");
    return named(range.begin, depth);
  }
  const TokenRange dotted = file_.dotted(range.begin);
  if (dotted.end == range.end) {
    if (const auto fact = platform_fact(file_.compact(dotted), false)) return *fact;
    const bool is_own = dotted.size() == 3 && (word == "self" || word == "cls");
    return is_own ? named(range.begin + 2, depth) : Value{};
  }
  if (dotted.end < range.end && is_op(file_, dotted.end, op("(")) &&
      file_.partner(dotted.end) == range.end - 1)
    return call(dotted, dotted.end, depth);
  return {};
}

Value ConditionReader::call(TokenRange callee, TokenIndex open, int depth) {
  const std::string name = file_.compact(callee);
  const std::vector<TokenRange> arguments = file_.arguments(open);
  if (name == "bool" && arguments.size() == 1) return read(arguments[0], depth + 1);
  if ((name == "getattr" || name == "hasattr") && arguments.size() >= 2) {
    if (arguments[1].size() != 1 || file_.tokens()[arguments[1].begin].kind != Kind::kString)
      return {};
    const auto fact = platform_fact(
        file_.compact(arguments[0]) + "." + file_.string_value(arguments[1].begin), false);
    // torch.version has both attributes everywhere.
    if (fact && name == "hasattr")
      return {.truth = Truth::kYes, .is_none = Truth::kNo, .is_known_part = true};
    return fact.value_or(Value{});
  }
  if (callee.size() == 1) {
    const Value value = returned(callee.begin, depth);
    if (value.truth != Truth::kMaybe) return value;
  }
  return platform_fact(name, true).value_or(Value{});
}

const NameScopes& ConditionReader::scopes(TokenIndex name) {
  const TokenIndex first = file_.state().names().first(file_.text(name));
  return scopes_.try_emplace(first, file_, file_.text(name)).first->second;
}

bool ConditionReader::is_followed(TokenIndex name) const {
  return !followed_.empty() && followed_[file_.state().names().first(file_.text(name))];
}

// Does the name come from elsewhere: imported, or a parameter?
bool ConditionReader::is_given(TokenIndex name) {
  if (is_self_attribute(file_, name)) return true;
  const NameScopes& all = scopes(name);
  return std::ranges::all_of(all.bindings(), [](const FoundBinding& found) {
    return found.binding.kind == BindingKind::kImport ||
           found.binding.kind == BindingKind::kParameter;
  });
}

// A variable has its assigned value if there is one assignment. Otherwise its name decides, and
// only names that refer to ROCm are trusted if another value was assigned.
Value ConditionReader::named(TokenIndex name, int depth) {
  if (is_followed(name)) {
    const Value value = assigned(name, depth);
    if (value.is_known_part) return value;
  }
  const auto fact = platform_fact(file_.text(name), false);
  if (!fact || is_rocm_name(file_.text(name)) || is_given(name)) return fact.value_or(Value{});
  return {};
}

Value ConditionReader::assigned(TokenIndex name, int depth) {
  const bool is_attribute = is_self_attribute(file_, name);
  const StatementIndex scope =
      is_attribute ? file_.enclosing_class(file_.statement_at(name)) : scopes(name).owner(name);
  const TokenIndex first = file_.state().names().first(file_.text(name));
  Values& values = is_attribute ? attributes_ : variables_;
  const auto [found, is_new] = values.try_emplace(key(first, scope));
  if (!is_new) return found->second;
  const std::vector<Binding> made = is_attribute ? bindings(file_, {file_.text(name), scope, true})
                                                 : scopes(name).bindings_of(scope);
  if (made.size() != 1 || made[0].kind != BindingKind::kAssign || made[0].value.empty()) return {};
  const Value value = read(made[0].value, depth + 1);
  values[key(first, scope)] = value;
  return value;
}

// A function of this file that does nothing but return.
Value ConditionReader::returned(TokenIndex name, int depth) {
  if (!is_followed(name)) return {};
  const StatementIndex scope = scopes(name).owner(name);
  const TokenIndex first = file_.state().names().first(file_.text(name));
  const auto [found, is_new] = functions_.try_emplace(key(first, scope));
  if (!is_new) return found->second;
  const std::vector<Binding> made = scopes(name).bindings_of(scope);
  if (made.size() != 1 || made[0].kind != BindingKind::kDefinition) return {};
  const auto all = file_.statements();
  StatementIndex only = kNoStatement;
  for (StatementIndex at = made[0].statement + 1; at < all[made[0].statement].block_end; ++at) {
    if (all[at].kind != StatementKind::kReturn) continue;
    if (only != kNoStatement || all[at].parent != made[0].statement) return {};
    only = at;
  }
  if (only == kNoStatement) return {};
  const Value value = read({all[only].tokens.begin + 1, all[only].tokens.end}, depth + 1);
  functions_[key(first, scope)] = value;
  return value;
}

Truth condition_on_rocm(const File& file, TokenRange condition) {
  return file.state().conditions(file).read(condition).truth;
}

}  // namespace hipwright::syntax::python
