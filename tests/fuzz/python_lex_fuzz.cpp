// SPDX-License-Identifier: MIT
// Any bytes are a Python file: its tokens ascend and do not overlap, its statements nest, and every
// question about it has an answer.
#include <algorithm>
#include <cstdint>

#include "base/error.h"
#include "syntax/python/flow.h"

using namespace hipwright;
using namespace hipwright::syntax;
using namespace hipwright::syntax::python;

namespace {

const Name kHip("is_hip");

void check_tokens(const File& file) {
  const auto tokens = file.tokens();
  HW_ASSERT(!tokens.empty() && tokens.back().kind == Kind::kEnd);
  std::uint32_t at = 0;
  for (const Token& token : tokens) {
    HW_ASSERT(token.begin >= at && token.end >= token.begin && token.end <= file.text().size());
    HW_ASSERT(token.begin < token.end || token.kind == Kind::kNewline || token.kind == Kind::kEnd);
    at = token.end;
  }
  std::size_t comment_end = 0;
  for (const Comment& comment : file.comments()) {
    HW_ASSERT(comment.span.begin >= comment_end && comment.span.end <= file.text().size());
    HW_ASSERT(comment.next < tokens.size() && tokens[comment.next].begin >= comment.span.end);
    comment_end = comment.span.end;
  }
  for (const Problem& problem : file.problems())
    HW_ASSERT(problem.span.begin <= problem.span.end && problem.span.end <= file.text().size());
  for (const TokenIndex hit : file.occurrences(kHip)) HW_ASSERT(file.text(hit) == "is_hip");
}

void check_statements(const File& file) {
  const auto all = file.statements();
  TokenIndex begin = 0;
  for (StatementIndex at = 0; at < all.size(); ++at) {
    HW_ASSERT(!all[at].tokens.empty() && all[at].tokens.begin >= begin);
    begin = all[at].tokens.end;
    HW_ASSERT(all[at].block_end > at && all[at].block_end <= all.size());
    if (all[at].parent == kNoStatement) continue;
    HW_ASSERT(all[at].parent < at && all[all[at].parent].block_end >= all[at].block_end);
  }
}

void ask_everything(const File& file) {
  const auto tokens = file.tokens();
  for (TokenIndex at = 0; at < tokens.size(); ++at) {
    const TokenIndex partner = file.partner(at);
    HW_ASSERT(partner == kNoToken || file.partner(partner) == at);
    const TokenIndex around = file.enclosing(at);
    HW_ASSERT(around == kNoToken || (around < at && file.partner(around) > at));
    HW_ASSERT(file.skip(at) > at);
    file.token_runs_on_rocm(at);
    if (tokens[at].kind == Kind::kString) file.string_value(at);
    if (tokens[at].kind == Kind::kName) {
      HW_ASSERT(file.dotted(at).contains(at));
      const Variable variable = variable_at(file, at);
      const auto bound = bindings(file, variable);
      const auto used = uses(file, variable);
      for (const Binding& binding : bound)
        HW_ASSERT(std::ranges::binary_search(used, binding.name) &&
                  binding.value.end <= tokens.size());
      mutations(file, variable);
    } else if (tokens[at].kind == Kind::kOp) {
      for (const TokenRange& argument : file.arguments(at))
        HW_ASSERT(argument.begin > at && argument.end < tokens.size());
    }
  }
  const auto all = file.statements();
  for (StatementIndex at = 0; at < all.size(); ++at) {
    file.runs_on_rocm(at);
    file.guarded_by_try(at, "ImportError");
    file.decorators(at);
    condition_on_rocm(file, all[at].tokens);
    HW_ASSERT(file.statement_at(all[at].tokens.begin) == at);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const File file(text);
  check_tokens(file);
  check_statements(file);
  // Every question about every name is a look at the whole file.
  if (size < 4096) ask_everything(file);
  return 0;
}
