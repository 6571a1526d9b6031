// SPDX-License-Identifier: MIT
// A value is read back to the host during graph capture.
//
// ## What it finds
//
// `.item()`, `.tolist()`, `.cpu()`, `.numpy()` and `.nonzero()` in code that runs during CUDA graph
// capture, numbers computed from tensors (`int(x.max())`), and a mask used as an index:
// `x[x != -1]`. With low confidence, `.item()` and `.tolist()` of GPU tensors in functions whose
// names say that they prepare a capture or a replay (`…_replay_cuda_graph`), and `.item()` in a
// layer's `forward()` and the methods it calls, which callers may capture.
//
// ## Why it matters
//
// Captured work does not run during capture, so there is no value to read: the read waits for the
// device, which breaks the capture (`hipErrorStreamCaptureUnsupported`). If it does not, every
// replay uses the value read during capture. Before a replay, the read makes the host wait for the
// device in each step, which is the cost that the graph should remove.
//
// ## Example
//
// ```python
// with torch.cuda.graph(graph):
//     n = lengths.max().item()
//     out = attention(q, k, v, n)
// ```
//
// ## Use instead
//
// ```python
// n = lengths.max().item()
// with torch.cuda.graph(graph):
//     out = attention(q, k, v, n)
// ```
//
// ## When it is not a bug
//
// - The object is not a GPU tensor: a NumPy scalar, a CPU tensor.
// - The read happens once, before the capture: `if self.scale is None: …`.
#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "base/words.h"
#include "lint/python/platform_choice.h"
#include "lint/rule.h"
#include "syntax/python/flow.h"
#include "syntax/python/graph_capture.h"

namespace hipwright::lint::rules {

namespace {

using namespace syntax::python;
using syntax::Name;
using syntax::Truth;

const std::array kReads = {Name("item"), Name("tolist"), Name("cpu"), Name("numpy"),
                           Name("nonzero")};

constexpr std::string_view kGraphCall = "_graph(";

// The object whose method is called: x.max() in x.max().item(), x[-1] in x[-1].item(), (b - a) in
// (b - a).item().
TokenRange receiver(const File& file, TokenIndex method) {
  TokenIndex first = method;
  while (first > 1 && file.is(first - 1, ".")) {
    first -= 2;
    while (file.is(first, ")") || file.is(first, "]")) {
      const TokenIndex open = file.partner(first);
      if (open == kNoToken || open == 0) return {};
      first = open - 1;
      // (b - a).max().item()
      const Kind before = file.tokens()[first].kind;
      if (file.is(open, "(") && !file.is(first, ")") && !file.is(first, "]") &&
          (before != Kind::kName || is_keyword(file.text(first))))
        return {open, method - 1};
    }
    if (file.tokens()[first].kind != Kind::kName) return {};
  }
  return {first, method - 1};
}

// def prepare_replay_of_cuda_graph(…): by its name it runs before each capture or replay.
bool prepares_a_graph(const File& file, StatementIndex index) {
  const std::string_view name = function_name(file, index);
  return contains_word(name, "cuda_graph") || contains_word(name, "cudagraph") ||
         (contains_word(name, "graph") &&
          (contains_word(name, "capture") || contains_word(name, "replay")));
}

void find_beside_graphs(PythonCheck& check, const std::set<StatementIndex>& captured) {
  const File& file = check.file;
  for (const Name& read : {kReads[0], kReads[1]})
    for (const TokenIndex at : file.occurrences(read)) {
      const StatementIndex index = file.statement_at(at);
      if (index == kNoStatement || !file.is(at - 1, ".") || !file.is(at + 1, "(")) continue;
      if (captured.contains(index) || !prepares_a_graph(file, index)) continue;
      const TokenRange read_from = receiver(file, at);
      if (read_from.empty() || has_word(file, read_from, "cpu") ||
          has_word(file, read_from, "np") || file.runs_on_rocm(index) == Truth::kNo)
        continue;
      check.report(
          file.span(at), Confidence::kLow,
          fmt::format(".{}() waits for the device before each replay of the graph", read.text()));
    }
}

// Runs once, for a message, or under a test for graph capture.
bool is_out_of_the_way(const File& file, StatementIndex index) {
  const auto all = file.statements();
  const auto speaks = [&](TokenRange tokens) {
    return has_word(file, tokens, "logg") || has_word(file, tokens, "print") ||
           has_word(file, tokens, "warn") || has_word(file, tokens, "debug");
  };
  if (all[index].kind == StatementKind::kAssert || all[index].kind == StatementKind::kRaise ||
      speaks(all[index].tokens))
    return true;
  for (StatementIndex at = all[index].parent; at != kNoStatement; at = all[at].parent) {
    if (all[at].kind == StatementKind::kDef) return false;
    if (has_word(file, all[at].tokens, "captur") || has_word(file, all[at].tokens, "graph") ||
        has_word(file, all[at].tokens, "debug"))
      return true;
    for (TokenIndex token = all[at].tokens.begin; token + 1 < all[at].tokens.end; ++token)
      if (file.is(token, "is") && file.is(token + 1, "None")) return true;
  }
  return false;
}

// class Attention(nn.Module), class FastImpl(AttentionImpl): the layers of a model.
bool is_of_a_layer(const File& file, StatementIndex index) {
  static constexpr std::array<std::string_view, 5> kLayers = {"module", "attention", "attn", "impl",
                                                              "layer"};
  const StatementIndex owner = file.enclosing_class(index);
  return owner != kNoStatement && std::ranges::any_of(kLayers, [&](std::string_view word) {
           return has_word(file, file.statements()[owner].tokens, word);
         });
}

// forward() itself, or a method that forward() of the same class calls.
bool is_step(const File& file, StatementIndex index) {
  if (function_name(file, index).starts_with("forward")) return true;
  const StatementIndex function = file.enclosing_def(index);
  const StatementIndex owner = file.enclosing_class(index);
  const TokenIndex name = function == kNoStatement ? kNoToken : file.name_of(function);
  if (name == kNoToken || owner == kNoStatement) return false;
  return std::ranges::any_of(uses(file, {file.text(name), owner, true}), [&](TokenIndex at) {
    const StatementIndex place = file.statement_at(at);
    return file.is(at + 1, "(") && place != kNoStatement &&
           function_name(file, place).starts_with("forward");
  });
}

// Image sizes (grids, and their t, h, w) are usually on the host; so are the arguments of functions
// for other vendors' devices.
bool is_the_hosts(const File& file, StatementIndex index, TokenRange read_from) {
  if (read_from.size() == 1 && file.text(read_from).size() == 1) return true;
  for (const std::string_view word : {"cpu", "np", "host", "grid"})
    if (has_word(file, read_from, word)) return true;
  const std::string_view function = function_name(file, index);
  return contains_word(function, "npu") || contains_word(function, "xpu") ||
         contains_word(function, "cpu");
}

// def forward(self, …): lengths.max().item()
void find_in_steps(PythonCheck& check, const std::set<StatementIndex>& captured) {
  const File& file = check.file;
  if (is_for_others(check) || is_tool(check)) return;
  StatementIndex last = kNoStatement;  // one finding for a statement
  for (const TokenIndex at : file.occurrences(kReads[0])) {
    const StatementIndex index = file.statement_at(at);
    if (index == kNoStatement || index == last || !file.is(at - 1, ".") || !file.is(at + 1, "("))
      continue;
    if (captured.contains(index) || !is_step(file, index) || !is_of_a_layer(file, index) ||
        is_out_of_the_way(file, index))
      continue;
    const TokenRange read_from = receiver(file, at);
    if (read_from.empty() || is_the_hosts(file, index, read_from) ||
        file.runs_on_rocm(index) == Truth::kNo)
      continue;
    last = index;
    check.report(file.span(at), Confidence::kLow,
                 "forward() waits for the device here, which breaks a graph capture");
  }
}

constexpr std::array<std::string_view, 6> kCompares = {"==", "!=", "<", ">", "<=", ">="};

bool compares(const File& file, TokenRange tokens) {
  for (TokenIndex at = tokens.begin; at < tokens.end; at = file.skip(at))
    if (is_any(file.text(at), kCompares)) return true;
  return false;
}

// x[x > 0], and x[mask] with mask = x > 0: lists cannot be indexed like this.
bool is_mask_of_itself(const File& file, TokenIndex name, TokenRange index) {
  if (file.text(index.begin) == file.text(name)) return true;
  if (index.size() != 1 || file.tokens()[index.begin].kind != Kind::kName) return false;
  const std::vector<Binding> all = bindings(file, variable_at(file, index.begin));
  return !all.empty() && std::ranges::all_of(all, [&](const Binding& binding) {
    return !binding.value.empty() && compares(file, binding.value) &&
           file.text(binding.value.begin) == file.text(name);
  });
}

// int(x[0]), float(x.max()): reads the value itself.
TokenIndex number_of(const File& file, TokenRange tokens) {
  static constexpr std::array<std::string_view, 3> kNumbers = {"int", "float", "bool"};
  static constexpr std::array<std::string_view, 7> kReductions = {"max", "min", "sum",   "mean",
                                                                  "any", "all", "argmax"};
  for (TokenIndex at = tokens.begin; at + 3 < tokens.end; ++at) {
    if (!is_any(file.text(at), kNumbers) || !file.is(at + 1, "(") ||
        file.tokens()[at + 2].kind != Kind::kName || (at > 0 && file.is(at - 1, ".")))
      continue;
    const TokenRange name = file.dotted(at + 2);
    const bool reduces =
        file.is(name.end, "(") && name.size() > 1 && is_any(file.text(name.end - 1), kReductions);
    const bool is_element = file.is(name.end, "[") && looks_like_tensor(file, name.end - 1);
    if ((reduces || is_element) && !has_word(file, name, "cpu") && !has_word(file, name, "np"))
      return at;
  }
  return kNoToken;
}

// x[x != -1], x[lengths > 0]: only the device knows the number of elements. The target of an
// assignment has a known size.
TokenRange mask_index(const File& file, TokenRange tokens) {
  for (TokenIndex at = tokens.begin + 1; at < tokens.end; ++at) {
    const TokenIndex close = file.is(at, "[") ? file.partner(at) : kNoToken;
    if (close == kNoToken || close >= tokens.end || file.tokens()[at - 1].kind != Kind::kName ||
        is_keyword(file.text(at - 1)) || file.is(close + 1, "="))
      continue;
    const TokenRange index{at + 1, close};
    if (index.empty()) continue;
    const bool is_mask = is_mask_of_itself(file, at - 1, index);
    if ((compares(file, index) && (is_mask || looks_like_tensor(file, at - 1))) ||
        (is_mask && index.size() == 1 && file.text(index.begin) != file.text(at - 1)))
      return {at - 1, close + 1};
  }
  return {};
}

void find(PythonCheck& check) {
  const File& file = check.file;
  std::set<StatementIndex> captured;
  for (const auto& [index, depth] : captured_statements(file)) {
    captured.insert(index);
    if (file.runs_on_rocm(index) == Truth::kNo) continue;
    const TokenRange tokens = file.statements()[index].tokens;
    if (const TokenRange mask = mask_index(file, tokens); !mask.empty())
      check.report(file.span(mask), depth <= 1 ? Confidence::kHigh : Confidence::kMedium,
                   "indexing with a mask waits for its values, which breaks the capture");
    if (const TokenIndex number = number_of(file, tokens); number != kNoToken)
      check.report(file.span(number), Confidence::kMedium,
                   fmt::format("{}() reads back from the device, which breaks the capture",
                               file.text(number)));
    for (TokenIndex at = tokens.begin + 1; at + 1 < tokens.end; ++at) {
      if (!file.is(at - 1, ".") || !file.is(at + 1, "(")) continue;
      for (const Name& read : kReads)
        if (file.is(at, read))
          check.report(file.span(at), depth <= 1 ? Confidence::kHigh : Confidence::kMedium,
                       fmt::format(".{}() reads back from the device, which breaks the capture",
                                   read.text()));
    }
  }
  if (check.facts.is_test) return;
  const std::vector<Name> words = capture_words();
  if (file.text().find(kGraphCall) != std::string_view::npos ||
      std::ranges::any_of(words, [&](const Name& word) { return file.has(word); }))
    find_beside_graphs(check, captured);
  find_in_steps(check, captured);
}

std::vector<Name> triggers() {
  std::vector<Name> names = capture_words();
  names.push_back(kReads[0]);
  return names;
}

}  // namespace

Rule host_read_under_capture() {
  return {.code = "HW602",
          .name = "host-read-under-capture",
          .summary = "value read back to the host during graph capture",
          .severity = Severity::kError,
          .triggers = triggers(),
          .words = {kGraphCall},
          .python = find};
}

}  // namespace hipwright::lint::rules
