// SPDX-License-Identifier: MIT
// Where a statement of CUDA C++ ends.
#include <string>

#include <gtest/gtest.h>

#include "syntax/cuda/lock_loops.h"

namespace hipwright::syntax::cuda {
namespace {

// The statement that the first token of the text begins.
std::string statement(const std::string& text) {
  const File file(text);
  const TokenIndex end = statement_end(file, 0);
  return end < 1 ? "" : text.substr(0, file.span(end - 1).end);
}

std::string repeated(const std::string& text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

TEST(StatementEnd, IsBehindTheLastBranch) {
  const char* whole[] = {
      "f(a; b);",
      "{ a; b; }",
      "if (a) b;",
      "if (a) b; else c;",
      "if (a) { b; } else if (c) d; else { e; }",
      "if (a) if (b) c; else d; else e;",
      "if (a) for (;;) if (b) c; else d; else e;",
      "while (a) switch (b) { case 1: c; }",
  };
  for (const std::string text : whole) {
    EXPECT_EQ(statement(text + " next();"), text);
    EXPECT_EQ(statement(text), text);
  }
  EXPECT_EQ(statement("if (a) b; else c; else d;"), "if (a) b; else c;");
  EXPECT_EQ(statement("for (;;) a; else b;"), "for (;;) a;");
}

TEST(StatementEnd, OfBrokenCodeIsTheEndOfTheFile) {
  for (const std::string text : {"if", "if a;", "if (a", "while (a)", "if (a) b; else", "a }"})
    EXPECT_GE(statement_end(File(text), 0), 1U) << text;
}

TEST(StatementEnd, DepthIsNotLimitedByTheStack) {
  for (const char* const level : {"if (a) ", "while (a) ", "if (a) ; else "}) {
    const std::string text = repeated(level, 200000) + "b;";
    EXPECT_EQ(statement(text + " next();").size(), text.size()) << level;
  }
}

}  // namespace
}  // namespace hipwright::syntax::cuda
