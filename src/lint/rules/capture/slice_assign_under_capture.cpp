// SPDX-License-Identifier: MIT
// A number is assigned to part of a tensor during graph capture.
//
// ## What it finds
//
// `buffer[a:b] = 0` and `buffer[i] = 0` in code that runs during CUDA graph capture. With low
// confidence, `buffer[a:b] = value` there, where `value` is a number by its annotation, by all that
// is assigned to it, or by its name; and the same where a long-lived buffer is prepared for a
// graph, including named numbers: `buffer[n:] = PAD_SLOT_ID`.
//
// ## Why it matters
//
// The assignment creates a tensor from the number on the host and copies it. The copy from pageable
// memory waits for the device, is captured with its address, or is rejected. `fill_` expresses the
// intent and is captured as one kernel.
//
// ## Example
//
// ```python
// with torch.cuda.graph(graph):
//     self.mask[start:end] = 0
// ```
//
// ## Use instead
//
// ```python
// with torch.cuda.graph(graph):
//     self.mask[start:end].fill_(0)
// ```
//
// ## When it is not a bug
//
// - The value is a tensor on the same device, so the copy stays on the device.
// - The target is a list, a dict, a NumPy array or a CPU tensor.
#include "base/words.h"
#include "lint/rule.h"
#include "syntax/python/flow.h"
#include "syntax/python/function_scope.h"
#include "syntax/python/graph_capture.h"

#include <algorithm>

#include <fmt/format.h>

namespace hipwright::lint::rules {

namespace {

using namespace syntax::python;
using syntax::Name;
using syntax::Truth;

const Name kNumpy("np");
const Name kSelf("self");

// "name[…] = value": the last token of the name, the brackets and the value.
struct Assignment {
  TokenIndex open = kNoToken, close = kNoToken;
  TokenRange value;
  bool is_slice = false;
};

Assignment part_assignment(const File& file, TokenRange tokens) {
  for (TokenIndex at = tokens.begin; at + 1 < tokens.end; at = file.skip(at)) {
    if (!file.is(at, "[") || at == tokens.begin) continue;
    const TokenIndex close = file.partner(at);
    if (close == kNoToken || close + 2 >= tokens.end + 1 || !file.is(close + 1, "=")) continue;
    Assignment found{at, close, {close + 2, tokens.end}};
    for (TokenIndex inside = at + 1; inside < close; inside = file.skip(inside))
      found.is_slice |= file.is(inside, ":");
    return found;
  }
  return {};
}

// A number, True, False, or one of them with a sign.
bool is_constant(const File& file, TokenRange value) {
  TokenIndex first = value.begin;
  if (value.size() == 2 && file.is(first, "-")) ++first;
  if (first + 1 != value.end) return false;
  return file.tokens()[first].kind == Kind::kNumber || file.is(first, "True") ||
         file.is(first, "False");
}

// PAD_SLOT_ID, self.pad_slot_id: a number by its name. An element of a tensor is on the device.
bool is_one_value(const File& file, TokenRange value) {
  if (value.empty()) return false;
  if (is_constant(file, value)) return true;
  if (file.tokens()[value.begin].kind != Kind::kName) return false;
  const TokenRange name = file.dotted(value.begin);
  if (name.end != value.end) return false;
  const std::string_view last = file.text(name.end - 1);
  const bool is_capital = std::ranges::none_of(last, [](char c) { return c >= 'a' && c <= 'z'; });
  return is_capital || last.starts_with("pad_") || last.ends_with("_pad");
}

// def fill(…, value): …, count: int, n = len(x): a variable with a number.
bool is_number_variable(const File& file, TokenRange value) {
  if (value.size() != 1 || file.tokens()[value.begin].kind != Kind::kName) return false;
  const std::vector<Binding> all = bindings(file, variable_at(file, value.begin));
  const bool is_said = is_any(file.text(value.begin), {"value", "fill_value", "pad_value"});
  return !all.empty() && std::ranges::all_of(all, [&](const Binding& each) {
    if (each.kind == BindingKind::kParameter)
      return file.is(each.name + 1, ":")
                 ? is_any(file.text(each.name + 2), {"int", "float", "bool"})
                 : is_said;
    return is_constant(file, each.value) ||
           (!each.value.empty() && is_any(file.text(each.value.begin), {"int", "float", "len"}) &&
            file.partner(each.value.begin + 1) + 1 == each.value.end);
  });
}

// "seq_lens_cpu", "seq_lens.np", "host_lengths"
bool is_on_host(const File& file, TokenRange name) {
  return has_word(file, name, "cpu") || has_word(file, name, "host") ||
         has_word(file, name, "numpy") || has_word(file, name, "list") ||
         file.is(name.end - 1, kNumpy) || has_word(file, name, "_np");
}

// lengths=torch.zeros(…), self.lengths = torch.zeros(…) somewhere in the file: the name is a
// tensor's.
bool is_made_by_torch(const File& file, std::string_view name) {
  const std::span<const Token> tokens = file.tokens();
  for (TokenIndex at = 0; at + 3 < tokens.size(); ++at)
    if (tokens[at].kind == Kind::kName && file.text(at) == name && file.is(at + 1, "=") &&
        file.is(at + 2, "torch") && file.is(at + 3, "."))
      return true;
  return false;
}

// x[2:4], x[..., 0]: a view of the tensor. x[i] may be a copy, if i is a mask or a list of indices.
bool selects_a_view(const File& file, const Assignment& found) {
  TokenIndex begin = found.open + 1;
  while (begin < found.close) {
    TokenIndex end = begin;
    bool is_slice = false;
    for (; end < found.close && !file.is(end, ","); end = file.skip(end))
      is_slice |= file.is(end, ":");
    const bool is_number = end == begin + 1 && file.tokens()[begin].kind == Kind::kNumber;
    const bool is_ellipsis = file.text(TokenRange{begin, end}) == "...";
    if (!is_slice && !is_number && !is_ellipsis) return false;
    begin = end + 1;
  }
  return true;
}

void report(PythonCheck& check, const Statement& statement, const Assignment& found,
            Confidence confidence) {
  const File& file = check.file;
  std::vector<Fix> fixes;
  // Captured code has no NumPy arrays, which have slices but no fill_(). A variable may hold a
  // tensor after all, which fill_() does not take.
  if (selects_a_view(file, found) && is_one_value(file, found.value) &&
      (confidence != Confidence::kLow || looks_like_tensor(file, found.open - 1)))
    fixes.push_back({.description = "write it on the device with fill_()",
                     .safe = false,
                     .edits = {{{file.span(found.close).end, file.span(found.value).end},
                                fmt::format(".fill_({})", file.text(found.value))}}});
  check.report(file.span(statement.tokens), confidence,
               "may copy the value from the host during graph capture; use fill_()",
               std::move(fixes));
}

// if self.use_cuda_graph: …, def init_cuda_graph_state(…): …
bool prepares_a_graph(const File& file, StatementIndex index) {
  for (StatementIndex at = file.statements()[index].parent; at != kNoStatement;
       at = file.statements()[at].parent) {
    const Statement& around = file.statements()[at];
    const TokenIndex name = around.kind == StatementKind::kDef ? file.name_of(at) : kNoToken;
    const TokenRange where = name != kNoToken                    ? TokenRange{name, name + 1}
                             : around.kind == StatementKind::kIf ? around.tokens
                                                                 : TokenRange{};
    if (has_word(file, where, "cuda_graph") || has_word(file, where, "cudagraph")) return true;
  }
  return false;
}

// Buffers prepared for a graph outside the capture.
void find_prepared(PythonCheck& check, const std::vector<Captured>& captured) {
  const File& file = check.file;
  if (check.facts.is_test || (file.text().find("cuda_graph") == std::string_view::npos &&
                              file.text().find("cudagraph") == std::string_view::npos))
    return;
  for (StatementIndex index = 0; index < file.statements().size(); ++index) {
    const Statement& statement = file.statements()[index];
    if (statement.kind != StatementKind::kSimple || statement.tokens.size() < 6) continue;
    const Assignment found = part_assignment(file, statement.tokens);
    const TokenRange target = file.dotted(statement.tokens.begin);
    if (found.open == kNoToken || !file.is(target.end, "[") || !is_one_value(file, found.value) ||
        is_on_host(file, target))
      continue;
    // Lists and dicts have elements, too.
    if (!found.is_slice &&
        (found.open != target.end || file.tokens()[found.open + 1].kind != Kind::kNumber ||
         !is_constant(file, found.value) || !is_made_by_torch(file, file.text(target.end - 1))))
      continue;
    // An attribute of the object, or a local name for part of such a buffer.
    if (found.is_slice && !file.is(statement.tokens.begin, kSelf) &&
        !looks_like_tensor(file, target.end - 1))
      continue;
    if (std::ranges::find(captured, index, &Captured::statement) == captured.end() &&
        prepares_a_graph(file, index) && file.runs_on_rocm(index) != Truth::kNo)
      report(check, statement, found, Confidence::kLow);
  }
}

void find(PythonCheck& check) {
  const File& file = check.file;
  const std::vector<Name> words = capture_words();
  const bool records = std::ranges::any_of(words, [&](const Name& word) { return file.has(word); });
  const std::vector<Captured> captured =
      records ? captured_statements(file) : std::vector<Captured>();
  find_prepared(check, captured);
  for (const auto& [index, depth] : captured) {
    const Statement& statement = file.statements()[index];
    if (statement.kind != StatementKind::kSimple || file.runs_on_rocm(index) == Truth::kNo)
      continue;
    const Assignment found = part_assignment(file, statement.tokens);
    if (found.open == kNoToken) continue;
    const bool is_written = is_constant(file, found.value);
    if (!is_written && !(found.is_slice && is_number_variable(file, found.value))) continue;
    const TokenIndex last = found.open - 1;
    if (file.tokens()[last].kind != Kind::kName || is_on_host(file, file.dotted(last))) continue;
    // Lists and dicts have elements, but no slices that accept a number.
    const bool is_tensor = looks_like_tensor(file, last);
    if (!found.is_slice && !is_tensor) continue;
    report(check, statement, found,
           is_written && is_tensor && depth <= 1 ? Confidence::kMedium : Confidence::kLow);
  }
}

}  // namespace

Rule slice_assign_under_capture() {
  return {.code = "HW601",
          .name = "slice-assign-under-capture",
          .summary = "number assigned to part of a tensor during graph capture",
          .python = find};
}

}  // namespace hipwright::lint::rules
