// SPDX-License-Identifier: MIT
// Texts that nobody writes and some program will: they cost time in proportion and no stack.
#include <gtest/gtest.h>

#include "syntax/python/flow.h"

namespace hipwright::syntax::python {

namespace {

std::string repeated(std::string_view part, std::size_t count) {
  std::string text;
  text.reserve(part.size() * count);
  for (std::size_t i = 0; i < count; ++i) text += part;
  return text;
}

void ask(const std::string& text) {
  const File file(text);
  const auto count = static_cast<StatementIndex>(file.statements().size());
  for (StatementIndex at = 0; at < count; at += 1 + count / 10) {
    file.runs_on_rocm(at);
    file.guarded_by_try(at, "ImportError");
    condition_on_rocm(file, file.statements()[at].tokens);
  }
  const auto tokens = static_cast<TokenIndex>(file.tokens().size());
  for (TokenIndex at = 0; at < tokens; at += 1 + tokens / 5) {
    file.enclosing(at);
    file.token_runs_on_rocm(at);
    if (file.tokens()[at].kind == Kind::kName) mutations(file, variable_at(file, at));
  }
}

TEST(PythonExtreme, Nesting) {
  constexpr std::size_t kBrackets = 1'000'000;
  ask("x = is_hip() and " + repeated("(", kBrackets) + "is_hip()" + repeated(")", kBrackets));
  ask("x = " + repeated("([{", kBrackets / 3));
  ask("x = " + repeated(")]}", kBrackets / 3));
  constexpr std::size_t kMany = 100'000;
  ask(repeated("f'{", kMany));
  ask(repeated("f\"{f'{", kMany));
  ask("x = " + repeated("not ", kMany) + "is_hip()");
  ask("x = " + repeated("is_hip() if ", kMany));
  ask("x = " + repeated("is_hip() if x else ", kMany));
  ask("x = is_hip()" + repeated("[0].a", kMany));
  std::string deep;
  constexpr std::size_t kLevels = 3000;
  for (std::size_t level = 0; level < kLevels; ++level)
    deep += std::string(level, ' ') + (level % 2 == 0 ? "if is_hip():\n" : "def f(x):\n");
  ask(deep);
  const File file(deep);
  EXPECT_EQ(file.statements().size(), kLevels);
  EXPECT_EQ(file.statements().back().parent, kLevels - 2);
  ask(repeated("if a: ", kMany));
}

TEST(PythonExtreme, Repetition) {
  constexpr std::size_t kMany = 100'000;
  ask(repeated("x, ", kMany) + "= is_hip()\n");
  ask("f(" + repeated("x, ", kMany) + ")\n");
  ask(repeated("\\\"\"\"\n", kMany));
  ask(repeated("\"\"\"\n", kMany | 1));
  ask(repeated("'", kMany | 1));
  ask(repeated("x;", kMany));
  ask(repeated("@is_hip()\n", kMany) + "def f(): pass\n");
  ask(repeated("x = is_hip()\nif x: pass\n", kMany / 10));
  ask(repeated("\\\n", kMany));
  ask(repeated("a.", kMany));
  ask("with " + repeated("x as x ", kMany) + ": pass\n");
  ask(repeated(std::string_view("\0\xFF", 2), kMany));
}

}  // namespace

}  // namespace hipwright::syntax::python
