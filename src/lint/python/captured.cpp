// SPDX-License-Identifier: MIT
#include "lint/python/captured.h"

#include <algorithm>
#include <set>
#include <string>

namespace hipwright::lint {

using namespace syntax::python;
using syntax::Name;

namespace {

const Name kGraph("graph");
const Name kBegin("capture_begin");
const Name kEnd("capture_end");
const Name kGraphed("make_graphed_callables");

using Statements = std::set<StatementIndex>;

void add_block(const File& file, StatementIndex parent, Statements& out) {
  for (StatementIndex at = parent + 1; at < file.statements()[parent].block_end; ++at)
    out.insert(at);
}

// with torch.cuda.graph(g): …
void add_with_blocks(const File& file, Statements& out) {
  for (const TokenIndex at : file.occurrences(kGraph)) {
    if (!file.is(at + 1, "(")) continue;
    const StatementIndex index = file.statement_at(at);
    if (index == kNoStatement || file.statements()[index].kind != StatementKind::kWith) continue;
    if (file.compact(file.dotted(at)).ends_with("cuda.graph")) add_block(file, index, out);
  }
}

// g.capture_begin() … g.capture_end() on one level.
void add_begin_to_end(const File& file, Statements& out) {
  for (const TokenIndex at : file.occurrences(kBegin)) {
    const StatementIndex begin = file.statement_at(at);
    if (begin == kNoStatement || !file.is(at + 1, "(")) continue;
    const StatementIndex parent = file.statements()[begin].parent;
    for (const TokenIndex end_name : file.occurrences(kEnd)) {
      const StatementIndex end = file.statement_at(end_name);
      if (end == kNoStatement || end <= begin || file.statements()[end].parent != parent) continue;
      for (StatementIndex inside = begin + 1; inside < end; ++inside) out.insert(inside);
      break;
    }
  }
}

// Functions of the file, by name; a name that is used twice is left out.
std::vector<std::pair<std::string, StatementIndex>> functions(const File& file) {
  std::vector<std::pair<std::string, StatementIndex>> found;
  for (StatementIndex at = 0; at < file.statements().size(); ++at)
    if (file.statements()[at].kind == StatementKind::kDef)
      if (const TokenIndex name = file.name_of(at); name != kNoToken)
        found.emplace_back(file.text(name), at);
  return found;
}

// What is called from captured code, one level down: f(…) and self.f(…).
void add_called(const File& file, Statements& out) {
  const auto all = functions(file);
  Statements called;
  for (const StatementIndex at : out) {
    const TokenRange tokens = file.statements()[at].tokens;
    for (TokenIndex token = tokens.begin; token + 1 < tokens.end; ++token) {
      if (file.tokens()[token].kind != Kind::kName || !file.is(token + 1, "(")) continue;
      const bool is_attribute = token > 0 && file.is(token - 1, ".");
      if (is_attribute && (token < 2 || file.text(token - 2) != "self")) continue;
      const auto same = [&](const auto& function) { return function.first == file.text(token); };
      if (std::ranges::count_if(all, same) == 1)
        called.insert(std::ranges::find_if(all, same)->second);
    }
  }
  for (const StatementIndex function : called) add_block(file, function, out);
}

void add_graphed_callables(const File& file, Statements& out) {
  const auto all = functions(file);
  for (const TokenIndex at : file.occurrences(kGraphed)) {
    if (!file.is(at + 1, "(")) continue;
    for (const TokenRange argument : file.positional_arguments(at + 1))
      for (const auto& [name, function] : all)
        if (file.compact(argument) == name) add_block(file, function, out);
  }
}

}  // namespace

std::vector<StatementIndex> captured_statements(const File& file) {
  Statements found;
  add_with_blocks(file, found);
  add_begin_to_end(file, found);
  add_called(file, found);
  add_graphed_callables(file, found);
  return {found.begin(), found.end()};
}

std::vector<Name> capture_words() {
  return {kGraph, kBegin, kGraphed};
}

}  // namespace hipwright::lint
