// SPDX-License-Identifier: MIT
// Any bytes are tokens that tile the text, and every question about them has an answer that makes
// sense.
#include <algorithm>
#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "syntax/cuda/file.h"

using namespace hipwright;
using namespace hipwright::syntax;
using namespace hipwright::syntax::cuda;

namespace {

const Name kGlobalName("__global__");
const Name kShort("a");

void check_tokens(const File& file) {
  std::size_t end = 0;
  const auto tokens = file.tokens();
  HW_ASSERT(!tokens.empty() && tokens.back().kind == Kind::kEnd);
  for (const Token& token : tokens) {
    HW_ASSERT(token.begin >= end && token.end >= token.begin);
    HW_ASSERT((token.kind == Kind::kEnd) == (token.begin == token.end));
    end = token.end;
  }
  HW_ASSERT(end == file.text().size());
  end = 0;
  for (const Comment& comment : file.comments()) {
    HW_ASSERT(comment.span.begin >= end && comment.span.end > comment.span.begin);
    HW_ASSERT(comment.next < tokens.size() && tokens[comment.next].begin >= comment.span.end);
    HW_ASSERT(comment.next == 0 || tokens[comment.next - 1].end <= comment.span.begin);
    end = comment.span.end;
  }
  for (const Name* name : {&kGlobalName, &kShort}) {
    for (const TokenIndex at : file.occurrences(*name))
      HW_ASSERT(file.is(at, *name) && file.spelling(at) == name->text());
  }
}

void check_range(const File& file, TokenRange range) {
  HW_ASSERT(range.begin <= range.end && range.end <= file.tokens().size());
}

void check_token(const File& file, TokenIndex at) {
  const TokenIndex partner = file.partner(at);
  HW_ASSERT(partner == kNoToken || (partner < file.tokens().size() && partner != at));
  const TokenIndex around = file.enclosing(at);
  HW_ASSERT(around == kNoToken || around < at);
  const TokenRange statement = file.statement(at);
  check_range(file, statement);
  HW_ASSERT(at + 1 == file.tokens().size() || statement.contains(at));
  TokenIndex last = at;
  for (const TokenRange argument : file.arguments(at)) {
    check_range(file, argument);
    HW_ASSERT(argument.begin > last);
    last = argument.end;
  }
  const Function* function = file.function_at(at);
  HW_ASSERT(function == nullptr || function->head.begin <= at);
  const Truth amd = file.compiled(at, Platform::kAmd);
  HW_ASSERT(amd <= Truth::kYes && file.compiled(at, Platform::kNvidia) <= Truth::kYes);
  HW_ASSERT(file.conditions(at).size() <= file.tokens().size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const File file(text);
  check_tokens(file);
  TokenIndex end = 0;
  for (const Function& function : file.functions()) {
    for (const TokenRange range :
         {function.head, function.parameters, function.body, function.template_parameters})
      check_range(file, range);
    HW_ASSERT(function.head.begin >= end && function.head.contains(function.name));
    end = std::max(function.body.end, function.head.end);
  }
  for (const Macro& macro : file.macros()) {
    check_range(file, macro.body);
    check_range(file, macro.parameters);
    HW_ASSERT(file.macro_named(file.text(macro.name)) != nullptr);
  }
  for (const Include& include : file.includes()) HW_ASSERT(include.hash < file.tokens().size());
  for (const Problem& problem : file.problems())
    HW_ASSERT(problem.span.end <= text.size() && !problem.what.empty());
  const auto step = std::max<TokenIndex>(1, static_cast<TokenIndex>(file.tokens().size() / 64));
  for (TokenIndex at = 0; at < file.tokens().size(); at += step) check_token(file, at);
  evaluate_condition(text.substr(0, 200), Platform::kAmd);
  return 0;
}
