// SPDX-License-Identifier: MIT
#include "syntax/python/callable.h"

#include <algorithm>
#include <set>

#include "syntax/python/flow.h"

namespace hipwright::syntax::python {

namespace {

constexpr unsigned kFarthest = 5;  // assignments and calls followed

class Search {
 public:
  explicit Search(const File& file) : file_(file) {}

  void name(TokenIndex at, unsigned steps);
  std::vector<StatementIndex> found() const { return {found_.begin(), found_.end()}; }

 private:
  void value(TokenRange range, unsigned steps);
  void parameter(const Binding& binding, unsigned steps);
  void call_argument(TokenIndex open, std::size_t position, std::string_view name, unsigned steps);
  void decorated(StatementIndex decorator);
  bool method(const Variable& attribute);
  bool returns(StatementIndex function, std::string_view name) const;

  const File& file_;
  std::set<StatementIndex> found_;
};

bool Search::method(const Variable& attribute) {
  if (attribute.scope == kNoStatement) return false;
  const auto all = file_.statements();
  for (StatementIndex at = attribute.scope + 1; at < all[attribute.scope].block_end; ++at) {
    if (all[at].kind != StatementKind::kDef || file_.enclosing_class(at) != attribute.scope)
      continue;
    const TokenIndex name = file_.name_of(at);
    if (name == kNoToken || file_.text(name) != attribute.name) continue;
    found_.insert(at);
    return true;
  }
  return false;
}

void Search::name(TokenIndex at, unsigned steps) {
  if (steps > kFarthest) return;
  const Variable variable = variable_at(file_, at);
  if (variable.is_attribute && method(variable)) return;
  for (const Binding& binding : bindings(file_, variable)) {
    if (binding.kind == BindingKind::kDefinition) {
      if (file_.statements()[binding.statement].kind == StatementKind::kDef)
        found_.insert(binding.statement);
    } else if (binding.kind == BindingKind::kParameter) {
      parameter(binding, steps + 1);
    } else if (binding.kind == BindingKind::kAssign) {
      value(binding.value, steps + 1);
    }
  }
}

// f, self.f, partial(f, …), torch.compile(f)
void Search::value(TokenRange range, unsigned steps) {
  if (range.empty() || file_.tokens()[range.begin].kind != Kind::kName) return;
  const TokenRange dotted = file_.dotted(range.begin);
  if (dotted.end == range.end) {
    const bool is_plain = dotted.size() == 1;
    const bool is_attribute =
        dotted.size() == 3 && (file_.is(dotted.begin, "self") || file_.is(dotted.begin, "cls"));
    if (is_plain || is_attribute) name(dotted.end - 1, steps);
    return;
  }
  const std::string_view callee = file_.text(dotted.end - 1);
  if ((callee != "partial" && callee != "compile") || !file_.is(dotted.end, "(")) return;
  const std::vector<TokenRange> arguments = file_.positional_arguments(dotted.end);
  if (!arguments.empty()) value(arguments.front(), steps);
}

void Search::call_argument(TokenIndex open, std::size_t position, std::string_view name,
                           unsigned steps) {
  if (const auto by_name = file_.keyword_argument(open, name)) return value(*by_name, steps);
  const std::vector<TokenRange> arguments = file_.positional_arguments(open);
  if (position < arguments.size()) value(arguments[position], steps);
}

void Search::decorated(StatementIndex decorator) {
  const auto all = file_.statements();
  StatementIndex at = decorator;
  while (at < all.size() && all[at].kind == StatementKind::kDecorator) ++at;
  if (at < all.size() && all[at].kind == StatementKind::kDef) found_.insert(at);
}

bool Search::returns(StatementIndex function, std::string_view name) const {
  const auto all = file_.statements();
  for (StatementIndex at = function + 1; at < all[function].block_end; ++at)
    if (all[at].kind == StatementKind::kReturn && all[at].tokens.size() == 2 &&
        file_.is(all[at].tokens.begin + 1, name))
      return true;
  return false;
}

// The arguments that callers in this file pass for a parameter.
void Search::parameter(const Binding& binding, unsigned steps) {
  const StatementIndex function = binding.statement;
  const TokenIndex function_name = file_.name_of(function);
  if (function_name == kNoToken || steps > kFarthest) return;
  const std::string_view wanted = file_.text(binding.name);
  const std::vector<TokenRange> parameters = file_.arguments(function_name + 1);
  std::size_t position = 0;
  while (position < parameters.size() && parameters[position].begin != binding.name) ++position;
  if (position == parameters.size()) return;

  const StatementIndex owner = scope_of(file_, function);
  const bool is_method =
      owner != kNoStatement && file_.statements()[owner].kind == StatementKind::kClass;
  if (is_method && position == 0) return;
  std::vector<TokenIndex> places;
  if (is_method && file_.text(function_name) == "__init__")
    places = uses(file_, variable_at(file_, file_.name_of(owner)));
  else if (is_method)
    places = uses(file_, Variable{file_.text(function_name), owner, true});
  else
    places = uses(file_, variable_at(file_, function_name));
  for (const TokenIndex place : places) {
    const StatementIndex statement = file_.statement_at(place);
    if (statement == kNoStatement || statement == function || place == function_name) continue;
    const Statement& around = file_.statements()[statement];
    if (around.kind == StatementKind::kDecorator && place + 1 == around.tokens.end)
      decorated(statement);
    else if (file_.is(place + 1, "(") && around.kind != StatementKind::kClass)
      call_argument(place + 1, is_method ? position - 1 : position, wanted, steps);
  }
  // def recorded(pool): def decorate(function): …; return decorate
  if (is_method || owner == kNoStatement || !returns(owner, file_.text(function_name))) return;
  for (const TokenIndex place : uses(file_, variable_at(file_, file_.name_of(owner)))) {
    const StatementIndex statement = file_.statement_at(place);
    if (statement != kNoStatement && file_.is(place + 1, "(") &&
        file_.statements()[statement].kind == StatementKind::kDecorator)
      decorated(statement);
  }
}

}  // namespace

std::vector<StatementIndex> functions_meant(const File& file, TokenIndex name) {
  Search search(file);
  search.name(name, 0);
  return search.found();
}

}  // namespace hipwright::syntax::python
