// SPDX-License-Identifier: MIT
#include "syntax/python/graph_capture.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>

#include "syntax/python/callable.h"
#include "syntax/python/flow.h"

namespace hipwright::syntax::python {

namespace {

constexpr unsigned kDeepest = 2;  // calls that are followed

const Name kGraph("graph");
const Name kCudaGraph("cuda_graph");
const Name kToGraph("capture_to_graph");
const Name kBegin("capture_begin");
const Name kEnd("capture_end");
const Name kGraphed("make_graphed_callables");
const Name kCapturing("is_current_stream_capturing");
const Name kYield("yield");

class Recording {
 public:
  explicit Recording(const File& file) : file_(file), all_(file.statements()) {}

  std::vector<Captured> find() {
    find_unrecorded();
    add_capturing_branches();
    add_with_blocks();
    add_begin_to_end();
    add_context_managers();
    add_graphed_callables();
    for (unsigned depth = 0; depth < kDeepest; ++depth) add_called(depth);
    std::vector<Captured> list;
    for (const auto& [statement, depth] : found_) list.push_back({statement, depth});
    return list;
  }

 private:
  void add(StatementIndex first, StatementIndex end, unsigned depth);
  void add_block(StatementIndex parent, unsigned depth) {
    add(parent + 1, all_[parent].block_end, depth);
  }
  void find_unrecorded();
  void add_capturing_branches();
  void add_with_blocks();
  void add_begin_to_end();
  void add_context_managers();
  void add_graphed_callables();
  void add_called(unsigned depth);
  bool begins_recording(TokenIndex name) const;
  bool leaves(StatementIndex block) const;

  const File& file_;
  const std::span<const Statement> all_;
  std::map<StatementIndex, unsigned> found_;
  std::set<StatementIndex> unrecorded_;  // their blocks, or they themselves
};

// The body of a definition runs when it is called, not where it is written.
void Recording::add(StatementIndex first, StatementIndex end, unsigned depth) {
  for (StatementIndex at = first; at < end; ++at) {
    if (unrecorded_.contains(at) || all_[at].kind == StatementKind::kClass ||
        all_[at].kind == StatementKind::kDef) {
      at = std::max(all_[at].block_end, at + 1) - 1;
      continue;
    }
    found_.try_emplace(at, depth);
  }
}

bool Recording::leaves(StatementIndex block) const {
  const StatementIndex end = all_[block].block_end;
  if (end <= block + 1) return false;
  const StatementKind last = all_[end - 1].kind;
  return last == StatementKind::kReturn || last == StatementKind::kRaise ||
         last == StatementKind::kContinue;
}

// if not torch.cuda.is_current_stream_capturing(): …, and code after `if …capturing(): return`.
void Recording::find_unrecorded() {
  for (const TokenIndex at : file_.occurrences(kCapturing)) {
    const StatementIndex index = file_.statement_at(at);
    if (index == kNoStatement ||
        (all_[index].kind != StatementKind::kIf && all_[index].kind != StatementKind::kElif))
      continue;
    const TokenIndex begin = file_.dotted(at).begin;
    if (begin > 0 && file_.is(begin - 1, "not")) {
      unrecorded_.insert(index);
      continue;
    }
    const bool is_left = leaves(index);
    const StatementIndex end = all_[index].parent == kNoStatement
                                   ? static_cast<StatementIndex>(all_.size())
                                   : all_[all_[index].parent].block_end;
    for (StatementIndex next = std::max(all_[index].block_end, index + 1); next < end;
         next = std::max(all_[next].block_end, next + 1)) {
      const bool is_other_branch =
          all_[next].kind == StatementKind::kElse || all_[next].kind == StatementKind::kElif;
      if (!is_other_branch && !is_left) break;
      unrecorded_.insert(next);
    }
  }
}

void Recording::add_capturing_branches() {
  for (const TokenIndex at : file_.occurrences(kCapturing)) {
    const StatementIndex index = file_.statement_at(at);
    if (index == kNoStatement || unrecorded_.contains(index)) continue;
    const TokenRange header = all_[index].tokens;
    // Only the test itself: with `or` the branch also runs without a capture.
    if ((all_[index].kind == StatementKind::kIf || all_[index].kind == StatementKind::kElif) &&
        file_.dotted(at).begin == header.begin + 1 && at + 3 == header.end)
      add_block(index, 0);
  }
}

bool Recording::begins_recording(TokenIndex name) const {
  if (file_.is(name, kCudaGraph)) return file_.is(name + 1, "=") || file_.is(name + 1, "(");
  if (!file_.is(name + 1, "(")) return false;
  if (file_.is(name, kToGraph)) return true;
  const std::string whole = file_.compact(file_.dotted(name));
  if (whole.ends_with("cuda.graph") || whole.ends_with("device_module.graph")) return true;
  if (whole != "graph") return false;
  // from torch.cuda import graph
  for (const Binding& binding : bindings(file_, variable_at(file_, name)))
    if (binding.kind == BindingKind::kImport &&
        file_.compact(all_[binding.statement].tokens).find("torch.cuda") != std::string::npos)
      return true;
  return false;
}

void Recording::add_with_blocks() {
  for (const Name& word : {kGraph, kCudaGraph, kToGraph})
    for (const TokenIndex at : file_.occurrences(word)) {
      const StatementIndex index = file_.statement_at(at);
      if (index != kNoStatement && all_[index].kind == StatementKind::kWith && begins_recording(at))
        add_block(index, 0);
    }
}

// g.capture_begin() … g.capture_end(), the end also in a `finally`, either in the branches of an
// if.
void Recording::add_begin_to_end() {
  for (const TokenIndex at : file_.occurrences(kBegin)) {
    StatementIndex begin = file_.statement_at(at);
    if (begin == kNoStatement || !file_.is(at + 1, "(") || all_[begin].kind == StatementKind::kDef)
      continue;
    // Both in one block, anywhere.
    const auto is_beside = [&](TokenIndex name) {
      const StatementIndex end = file_.statement_at(name);
      return end != kNoStatement && end > begin && all_[end].parent == all_[begin].parent;
    };
    const auto ends = file_.occurrences(kEnd);
    if (const auto beside = std::ranges::find_if(ends, is_beside); beside != ends.end()) {
      add(begin + 1, file_.statement_at(*beside), 0);
      continue;
    }
    while (all_[begin].parent != kNoStatement &&
           (all_[all_[begin].parent].kind == StatementKind::kIf ||
            all_[all_[begin].parent].kind == StatementKind::kElse))
      begin = all_[begin].parent;
    const StatementIndex parent = all_[begin].parent;
    for (const TokenIndex end_name : file_.occurrences(kEnd)) {
      const StatementIndex end = file_.statement_at(end_name);
      if (end == kNoStatement || end <= begin) continue;
      StatementIndex above = end;
      while (above != kNoStatement && all_[above].parent != parent) above = all_[above].parent;
      if (above == kNoStatement || file_.enclosing_def(begin) != file_.enclosing_def(end)) continue;
      add(std::max(all_[begin].block_end, begin + 1), end, 0);
      break;
    }
  }
}

// A function that yields during capture: the body of a `with` that uses it is captured.
void Recording::add_context_managers() {
  std::set<StatementIndex> managers;
  for (const TokenIndex at : file_.occurrences(kYield))
    if (const StatementIndex index = file_.statement_at(at); found_.contains(index))
      if (const StatementIndex function = file_.enclosing_def(index); function != kNoStatement)
        managers.insert(function);
  for (const StatementIndex manager : managers) {
    const TokenIndex name = file_.name_of(manager);
    if (name == kNoToken) continue;
    const StatementIndex owner = file_.enclosing_class(manager);
    const Variable variable =
        owner == kNoStatement ? variable_at(file_, name) : Variable{file_.text(name), owner, true};
    for (const TokenIndex place : uses(file_, variable)) {
      const StatementIndex index = file_.statement_at(place);
      if (index != kNoStatement && all_[index].kind == StatementKind::kWith &&
          file_.is(place + 1, "("))
        add_block(index, 0);
    }
  }
}

// Positional arguments, and the elements of a tuple of them.
void Recording::add_graphed_callables() {
  for (const TokenIndex at : file_.occurrences(kGraphed)) {
    if (!file_.is(at + 1, "(")) continue;
    std::vector<TokenRange> given = file_.positional_arguments(at + 1);
    if (given.empty()) continue;
    if (file_.is(given.front().begin, "("))
      given = file_.arguments(given.front().begin);
    else
      given.resize(1);
    for (const TokenRange& argument : given) {
      if (argument.empty() || file_.tokens()[argument.end - 1].kind != Kind::kName) continue;
      for (const StatementIndex function : functions_meant(file_, argument.end - 1))
        add_block(function, 1);
    }
  }
}

// Functions called from statements of this depth: f(…), self.f(…), function(…) of a parameter.
void Recording::add_called(unsigned depth) {
  std::set<StatementIndex> called;
  for (const auto& [statement, of] : found_) {
    if (of != depth) continue;
    const TokenRange tokens = all_[statement].tokens;
    for (TokenIndex token = tokens.begin; token + 1 < tokens.end; ++token) {
      if (file_.tokens()[token].kind != Kind::kName || !file_.is(token + 1, "(")) continue;
      const bool is_attribute = token > 0 && file_.is(token - 1, ".");
      const TokenRange dotted = file_.dotted(token);
      if (is_attribute && (dotted.size() != 3 || !file_.is(dotted.begin, "self"))) continue;
      for (const StatementIndex function : functions_meant(file_, token)) called.insert(function);
    }
  }
  for (const StatementIndex function : called) add_block(function, depth + 1);
}

}  // namespace

std::vector<Captured> captured_statements(const File& file) {
  return Recording(file).find();
}

std::vector<Name> capture_words() {
  return {kGraph, kCudaGraph, kToGraph, kBegin, kGraphed, kCapturing};
}

bool looks_like_tensor(const File& file, TokenIndex name) {
  static constexpr std::array<std::string_view, 16> kOfTensors = {
      "shape", "device", "dtype",  "size",  "numel", "copy_", "fill_",      "zero_",
      "to",    "ndim",   "stride", "clone", "view",  "cuda",  "contiguous", "data_ptr"};
  const Variable variable = variable_at(file, name);
  for (const Binding& binding : bindings(file, variable)) {
    const TokenRange value = binding.value;
    if (!value.empty() && file.is(value.begin, "torch") && value.size() > 3 &&
        !file.is(value.begin + 2, "cuda"))
      return true;
    if (binding.kind == BindingKind::kParameter && file.is(binding.name + 1, ":"))
      for (TokenIndex at = binding.name + 2; at < binding.name + 6; ++at)
        if (at < file.tokens().size() && file.is(at, "Tensor")) return true;
  }
  return std::ranges::any_of(uses(file, variable), [&](TokenIndex at) {
    return file.is(at + 1, ".") &&
           std::ranges::find(kOfTensors, file.text(at + 2)) != kOfTensors.end();
  });
}

}  // namespace hipwright::syntax::python
