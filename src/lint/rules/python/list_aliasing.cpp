// SPDX-License-Identifier: MIT
// A list repeats one row object, and a row is later changed in place.
//
// ## What it finds
//
// `[[value] * n] * m`, `[[]] * n`, `n * [{}]`, `[dict()] * n`, `[torch.zeros(n)] * m`,
// `dict.fromkeys(keys, [])` bound to a name, where the same scope later writes into a row; and
// `a, b = [[]] * 2`. `[Parser()] * n` where a method of one element is called has lower confidence,
// and so have events, streams and locks, which are useful only as separate objects.
//
// ## Why it matters
//
// `*` repeats the reference, not the row: every row is the same object, and a change to one shows
// in all. Index tables and per-expert lists built this way route tokens to the wrong place.
//
// ## Example
//
// ```python
// ids = [[-1] * top_k] * num_tokens
// ids[0][0] = expert
// ```
//
// ## Use instead
//
// ```python
// ids = [[-1] * top_k for _ in range(num_tokens)]
// ids[0][0] = expert
// ```
//
// ## When it is not a bug
//
// - No row is ever changed in place: the table is only read, or whole rows are replaced
//   (`ids[0] = […]`).
// - The repeated object is immutable: numbers, strings, tuples, None.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/words.h"
#include "lint/python/platform_choice.h"
#include "lint/rule.h"
#include "syntax/python/flow.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::python;
using syntax::Name;

const std::vector<Name> kMakers = {Name("list"),        Name("dict"),  Name("set"),
                                   Name("defaultdict"), Name("deque"), Name("Counter"),
                                   Name("OrderedDict")};

const Name kFromKeys("fromkeys");
const std::vector<Name> kHandles = {Name("Event"),     Name("Stream"), Name("CUDAGraph"),
                                    Name("Generator"), Name("Lock"),   Name("RLock"),
                                    Name("Condition"), Name("Queue")};

bool is_opening(const File& file, TokenIndex at) {
  return file.is(at, "[") || file.is(at, "{");
}

// A display, not an index: the token before it cannot be indexed.
bool is_display(const File& file, TokenIndex open) {
  if (open == 0) return true;
  const Kind before = file.tokens()[open - 1].kind;
  if (before == Kind::kString) return false;
  if (before == Kind::kName) {
    const std::string_view word = file.text(open - 1);
    return word == "return" || word == "in" || word == "else" || word == "yield" || word == "and" ||
           word == "or" || word == "not" || word == "if";
  }
  return !file.is(open - 1, ")") && !file.is(open - 1, "]") && !file.is(open - 1, "}");
}

// [torch.zeros(3)] * n
bool makes_a_tensor(const File& file, TokenRange element) {
  static constexpr std::array<std::string_view, 8> kTensors = {
      "zeros", "ones", "empty", "full", "tensor", "zeros_like", "ones_like", "empty_like"};
  const TokenRange name = file.dotted(element.begin);
  return name.begin == element.begin && name.size() == 3 && file.is(name.begin, "torch") &&
         is_any(file.text(name.end - 1), kTensors) && file.is(name.end, "(") &&
         file.partner(name.end) == element.end - 1;
}

// Does the element create an object that can be changed in place?
bool is_mutable(const File& file, TokenRange element) {
  if (element.empty()) return false;
  const TokenIndex first = element.begin;
  if (is_opening(file, first)) return true;
  if (makes_a_tensor(file, element)) return true;
  return std::ranges::any_of(kMakers, [&](const Name& maker) { return file.is(first, maker); }) &&
         first + 1 < element.end && file.is(first + 1, "(");
}

// [element] * count, or count * [element], around the `*` at `star`.
struct Repetition {
  TokenIndex open = kNoToken, close = kNoToken;
  TokenRange count;
};

// The start of the operand that ends at `end`: after the preceding '=', bracket or comma.
TokenIndex operand_begin(const File& file, TokenIndex end, TokenIndex first) {
  TokenIndex at = end;
  while (at > first) {
    const TokenIndex before = at - 1;
    if (file.is(before, ")") || file.is(before, "]")) {
      const TokenIndex open = file.partner(before);
      if (open == kNoToken || open < first) break;
      at = open;
      continue;
    }
    const Kind kind = file.tokens()[before].kind;
    if (kind != Kind::kName && kind != Kind::kNumber && !file.is(before, ".") &&
        !file.is(before, "*") && !file.is(before, "//"))
      break;
    if (file.is(before, "return") || file.is(before, "in") || file.is(before, "else")) break;
    at = before;
  }
  return at;
}

Repetition repetition(const File& file, TokenIndex star, TokenRange statement) {
  Repetition found;
  if (star > statement.begin && file.is(star + 1, "[") && !file.is(star - 1, "]")) {
    found.open = star + 1;
    found.close = file.partner(found.open);
    found.count = {operand_begin(file, star, statement.begin), star};
    if (found.close == kNoToken || found.count.empty()) return {};
  }
  if (star > statement.begin && file.is(star - 1, "]")) {
    found.close = star - 1;
    found.open = file.partner(found.close);
    TokenIndex end = star + 1;
    const TokenIndex around = file.enclosing(star);
    const TokenIndex limit = around == kNoToken ? statement.end : file.partner(around);
    while (end < std::min(limit, statement.end) && !file.is(end, ",")) end = file.skip(end);
    found.count = {star + 1, end};
  }
  return found;
}

Span span_of(const File& file, const Repetition& list) {
  return list.count.begin < list.open ? Span{file.span(list.count).begin, file.span(list.close).end}
                                      : Span{file.span(list.open).begin, file.span(list.count).end};
}

// The name that the value at `first` is assigned to: "x = […] * n" and "self.x = […] * n".
TokenIndex kept_by(const File& file, const Statement& statement, TokenIndex first) {
  TokenIndex at = first;
  if (at < statement.tokens.begin + 2 || !file.is(at - 1, "=")) return kNoToken;
  at -= 2;
  // x: List[int] = …
  for (TokenIndex i = statement.tokens.begin; i < at; ++i)
    if (file.is(i, ":") && i == statement.tokens.begin + 1) return statement.tokens.begin;
  return file.tokens()[at].kind == Kind::kName ? at : kNoToken;
}

// [Parser(x)] * n, [self.parser(x)] * n: an object of a class, judging by its name.
bool makes_an_object(const File& file, TokenRange element) {
  const TokenRange name = file.dotted(element.begin);
  if (name.begin != element.begin || name.end >= element.end || !file.is(name.end, "(") ||
      file.partner(name.end) != element.end - 1)
    return false;
  const std::string_view last = file.text(name.end - 1);
  // Int32(0), cutlass.Float32(0): a number.
  for (const std::string_view number : {"Int", "Uint", "Float", "BFloat", "TFloat", "Boolean"})
    if (last.starts_with(number) &&
        last.find_first_of("abcdefghijklmnopqrstuvwxyz", number.size()) == last.npos)
      return false;
  const bool is_class = last.front() >= 'A' && last.front() <= 'Z' && last.size() > 1 &&
                        last.find_first_of("abcdefghijklmnopqrstuvwxyz") != last.npos;
  return is_class || (name.size() == 3 && file.is(name.begin, "self"));
}

// [torch.cuda.Event()] * 2: two of these are always meant as separate objects.
bool makes_a_handle(const File& file, TokenRange element) {
  const TokenRange name = file.dotted(element.begin);
  if (name.begin != element.begin || name.end >= element.end || !file.is(name.end, "(") ||
      file.partner(name.end) != element.end - 1)
    return false;
  return std::ranges::any_of(kHandles,
                             [&](const Name& each) { return file.is(name.end - 1, each); });
}

// The first method call on an element: x[i].feed(…), or y = x[i] and y.feed(…).
TokenIndex call_of_element(const File& file, const Variable& variable, TokenIndex after) {
  const auto is_call = [&](TokenIndex at) {
    return file.is(at, ".") && file.tokens()[at + 1].kind == Kind::kName && file.is(at + 2, "(");
  };
  for (const TokenIndex use : uses(file, variable)) {
    if (use < after || !file.is(use + 1, "[")) continue;
    const TokenIndex close = file.partner(use + 1);
    if (close == kNoToken) continue;
    if (is_call(close + 1)) return use;
    const Statement& statement = file.statements()[file.statement_at(use)];
    const TokenIndex first = statement.tokens.begin;
    const TokenIndex from = variable.is_attribute ? use - 2 : use;
    if (close + 1 != statement.tokens.end || from != first + 2 || !file.is(first + 1, "="))
      continue;
    for (const TokenIndex other : uses(file, variable_at(file, first)))
      if (other > close && is_call(other + 1)) return other;
  }
  return kNoToken;
}

std::vector<Fix> row_each(const File& file, const Repetition& list, bool safe) {
  if (list.count.empty()) return {};
  const bool count_first = list.count.begin < list.open;
  std::string rest = fmt::format(" for _ in range({})]", file.text(list.count));
  const std::size_t close = file.span(list.close).begin;
  std::vector<TextEdit> edits;
  if (count_first) edits.push_back({{file.span(list.count).begin, file.span(list.open).begin}, ""});
  edits.push_back(
      {{close, count_first ? file.span(list.close).end : file.span(list.count).end}, rest});
  return {{.description = "create a separate object for every row", .safe = safe, .edits = edits}};
}

std::ptrdiff_t line_of(const File& file, TokenIndex token) {
  return 1 + std::ranges::count(file.text().substr(0, file.span(token).begin), '\n');
}

// x[i] = …: the elements are only places for others.
bool are_replaced(const File& file, const Variable& variable, TokenIndex after) {
  return std::ranges::any_of(uses(file, variable), [&](TokenIndex use) {
    const TokenIndex close =
        use > after && file.is(use + 1, "[") ? file.partner(use + 1) : kNoToken;
    return close != kNoToken && file.is(close + 1, "=");
  });
}

// The effect of its methods is unknown: an object that is only read may be shared.
void look_at_objects(PythonCheck& check, const Repetition& list, TokenIndex name) {
  const File& file = check.file;
  const TokenIndex call = call_of_element(file, variable_at(file, name), list.close);
  if (call == kNoToken || are_replaced(file, variable_at(file, name), list.close)) return;
  check.report(span_of(file, list), Confidence::kMedium,
               fmt::format("all elements of this list are the same object, but line {} uses one as "
                           "if it were separate",
                           line_of(file, call)),
               row_each(file, list, false));
}

// Where an element of the named list is changed in place.
TokenIndex change_of_row(const File& file, TokenIndex name, TokenIndex after) {
  for (const Mutation& each : mutations(file, variable_at(file, name)))
    if (each.level >= 1 && each.name > after) return each.name;
  // x[i].add_(1): in-place tensor methods end with an underscore.
  for (const TokenIndex use : uses(file, variable_at(file, name))) {
    const TokenIndex close =
        use > after && file.is(use + 1, "[") ? file.partner(use + 1) : kNoToken;
    if (close == kNoToken || !file.is(close + 1, ".") || !file.is(close + 3, "(")) continue;
    const std::string_view method = file.text(close + 2);
    if (method.ends_with("_") && !method.ends_with("__")) return use;
  }
  return kNoToken;
}

// a, b = [[]] * 2: where one of the objects is changed in place.
TokenIndex change_of_target(const File& file, const Statement& statement, TokenIndex first) {
  const TokenIndex begin = statement.tokens.begin;
  if (first < begin + 4 || !file.is(first - 1, "=") || !file.is(begin + 1, ",")) return kNoToken;
  for (TokenIndex at = begin; at + 1 < first; at += 2) {
    if (file.tokens()[at].kind != Kind::kName || !(file.is(at + 1, ",") || at + 2 == first))
      return kNoToken;
    for (const Mutation& each : mutations(file, variable_at(file, at)))
      if (each.name > first) return each.name;
  }
  return kNoToken;
}

void look_at(PythonCheck& check, TokenIndex star) {
  const File& file = check.file;
  const StatementIndex index = file.statement_at(star);
  if (index == kNoStatement) return;
  const Statement& statement = file.statements()[index];
  const Repetition list = repetition(file, star, statement.tokens);
  if (list.open == kNoToken || !is_display(file, list.open)) return;
  const std::vector<TokenRange> elements = file.arguments(list.open);
  if (elements.size() != 1) return;
  if (makes_a_handle(file, elements[0]))
    return check.report(span_of(file, list), Confidence::kMedium,
                        fmt::format("repeats the same {}, instead of creating several",
                                    file.text(file.dotted(elements[0].begin).end - 1)),
                        row_each(file, list, false));
  const TokenIndex first = std::min(list.open, list.count.empty() ? list.open : list.count.begin);
  if (is_mutable(file, elements[0]))
    if (const TokenIndex change = change_of_target(file, statement, first); change != kNoToken)
      return check.report(
          span_of(file, list), Confidence::kHigh,
          fmt::format("these names refer to the same object: line {} changes all of them",
                      line_of(file, change)),
          row_each(file, list, true));
  const TokenIndex name = kept_by(file, statement, first);
  if (name == kNoToken) return;
  if (makes_an_object(file, elements[0])) return look_at_objects(check, list, name);
  if (!is_mutable(file, elements[0])) return;
  if (const TokenIndex change = change_of_row(file, name, star); change != kNoToken)
    check.report(
        span_of(file, list),
        are_replaced(file, variable_at(file, name), star) ? Confidence::kMedium : Confidence::kHigh,
        fmt::format("all rows of this list are the same object: line {} changes every row",
                    line_of(file, change)),
        row_each(file, list, true));
}

// dict.fromkeys(keys, []): one list under every key.
void look_at_keys(PythonCheck& check, TokenIndex at) {
  const File& file = check.file;
  const StatementIndex index = file.statement_at(at);
  if (index == kNoStatement || !file.is(at + 1, "(") || at < 2 || !file.is(at - 1, ".")) return;
  const std::vector<TokenRange> given = file.positional_arguments(at + 1);
  if (given.size() != 2 || !is_mutable(file, given[1])) return;
  const TokenRange callee = file.dotted(at);
  const TokenIndex name = kept_by(file, file.statements()[index], callee.begin);
  if (name == kNoToken) return;
  const TokenIndex change = change_of_row(file, name, at);
  if (change == kNoToken) return;
  const Span span{file.span(callee).begin, file.span(file.partner(at + 1)).end};
  check.report(
      span, Confidence::kHigh,
      fmt::format("all values of this dict are the same object: line {} changes every value",
                  line_of(file, change)),
      {{.description = "create a separate object for every value",
        .safe = true,
        .edits = {{span, fmt::format("{{key: {} for key in {}}}", file.text(given[1]),
                                     file.text(given[0]))}}}});
}

void find(PythonCheck& check) {
  const std::span<const Token> tokens = check.file.tokens();
  for (TokenIndex at = 1; at + 1 < tokens.size(); ++at)
    if (tokens[at].kind == Kind::kOp && tokens[at].id == op("*") &&
        (tokens[at - 1].id == op("]") || tokens[at + 1].id == op("[")))
      look_at(check, at);
  for (const TokenIndex at : check.file.occurrences(kFromKeys)) look_at_keys(check, at);
}

}  // namespace

Rule list_aliasing() {
  return {.code = "HW902",
          .name = "list-aliasing",
          .summary = "list rows that are the same object, changed in place",
          .severity = Severity::kError,
          .python = find};
}

}  // namespace hipwright::lint::rules
