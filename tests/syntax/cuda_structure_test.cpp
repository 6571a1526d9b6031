// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "syntax/cuda/file.h"

namespace hipwright::syntax::cuda {

namespace {

using testing::ElementsAreArray;
using testing::IsEmpty;

const Name kHere("here");
const Name kCall("call");

// The text from each bracket that follows a "here" to its partner.
TEST(CudaStructure, BracketsFindTheirPartner) {
  struct {
    const char* text;
    const char* expected;
  } const cases[] = {
      {"here(a[(1)], {2})", "(a[(1)], {2})"},
      {"k here<<<(1), 2>>>()", "<<<(1), 2>>>"},
      {"here<:1:>", "<:1:>"},
      {"#define X here(\n)", ""},
      {"here(\n#define Y )\n)", "(\n#define Y )\n)"},
      {"here{\n#ifdef A\nif (a) {\n#else\nif (b) {\n#endif\n}\n}",
       "{\n#ifdef A\nif (a) {\n#else\nif (b) {\n#endif\n}\n}"},
      {"#ifdef A\nif (a) {\n#else\nif (b) here{\n#endif\n}", "{\n#endif\n}"},
      {"here{\n#if 0\n}}}\n#endif\n}", "{\n#if 0\n}}}\n#endif\n}"},
      {"here{\n#if 0\n}\n#else\n}\n#endif\n", "{\n#if 0\n}\n#else\n}"},
      {"here{\n#ifdef A\n}\n#else\nx; }\n#endif\n", "{\n#ifdef A\n}"},
      {"here{ f(a; }", "{ f(a; }"},
      {"f(here{ ) }", "{ ) }"},
      {"here(", ""},
  };
  for (const auto& each : cases) {
    const File file(each.text);
    const TokenIndex open = file.occurrences(kHere)[0] + 1;
    const TokenIndex close = file.partner(open);
    const std::string found = close == kNoToken ? "" : std::string(file.text({open, close + 1}));
    EXPECT_EQ(found, each.expected) << each.text;
  }
}

TEST(CudaStructure, EnclosingIsTheInnermostBracket) {
  const File file("f(a, g{here, b[1]});\n#define X (here)\n");
  const auto at = file.occurrences(kHere);
  EXPECT_EQ(file.text(file.enclosing(at[0])), "{");
  EXPECT_EQ(file.text(file.enclosing(at[1])), "(");
  EXPECT_EQ(file.enclosing(0), kNoToken);
}

TEST(CudaStructure, ReportsUnmatchedBrackets) {
  struct {
    const char* text;
    std::vector<std::string> problems;
  } const cases[] = {
      {"f() { a(b[c]); }", {}},
      {"f() {", {"unclosed bracket"}},
      {"f() }", {"unmatched closing bracket"}},
      {"f(a; {}\n}", {"unclosed bracket", "unmatched closing bracket"}},
      {"#ifndef H\n#define H\nf(\n#endif", {"unclosed bracket"}},
      {"#ifdef A\n{\n#endif\nx;\n#ifdef A\n}\n#endif", {}},
      {"#ifdef A\nx;\n#else\n{\n#endif\nx;\n#ifndef A\n}\n#endif", {}},
      {"#define BEGIN {\n#define END }", {}},
      {"#if A", {"unterminated conditional directive"}},
      {"#endif", {"#endif without #if"}},
      {"#else", {"#else or #elif without #if"}},
      {"#if A\n#else\n#else\n#endif", {"#else or #elif after #else"}},
      {"#if 0\nit's \"prose\n#endif", {}},
  };
  for (const auto& each : cases) {
    const File file(each.text);
    std::vector<std::string> found;
    for (const Problem& problem : file.problems()) found.push_back(problem.what);
    EXPECT_THAT(found, ElementsAreArray(each.problems)) << each.text;
  }
}

TEST(CudaStructure, StatementsReachFromSeparatorToSeparator) {
  struct {
    const char* text;
    const char* statement;
  } const cases[] = {
      {"a; b = here + c; d;", "b = here + c;"},
      {"{ here(1); }", "here(1);"},
      {"for (int i = here; i < 2; ++i) { x; }", "for (int i = here; i < 2; ++i)"},
      {"if (here) { x; } y;", "if (here)"},
      {"x; } here = 1; }", "here = 1;"},
      {"int t[] = {1, here, 3}, u = 2;", "int t[] = {1, here, 3}, u = 2;"},
      {"int t[] = {1, 2}, u = here;", "int t[] = {1, 2}, u = here;"},
      {"a; f(b, [&] { x; here; y; }, c);", "here;"},
      {"a; f(dim3{1, here}, c);", "f(dim3{1, here}, c);"},
      {"return {here, 1};", "return {here, 1};"},
      {"k<<<g, here>>>(x);", "k<<<g, here>>>(x);"},
      {"#pragma unroll\nhere = 1;\n#endif", "here = 1;"},
      {"a;\n#define X b = here; c\nd;", "b = here;"},
      {"#define X(a) f(here)\nd;", "f(here)"},
      {"#if here > 1\nd;", "#if here > 1"},
      {"a; b =\n#ifdef A\n1 +\n#endif\nhere;", "b =\n#ifdef A\n1 +\n#endif\nhere;"},
      {"here", "here"},
      {"case 1: here;", "case 1: here;"},
      {"if (a) { b; } else here = 1;", "else here = 1;"},
  };
  for (const auto& each : cases) {
    const File file(each.text);
    const TokenRange range = file.statement(file.occurrences(kHere)[0]);
    EXPECT_EQ(file.text(range), each.statement) << each.text;
  }
}

TEST(CudaStructure, ArgumentsAreSplitAtTheirCommas) {
  struct {
    const char* text;
    std::vector<std::string> arguments;
  } const cases[] = {
      {"call()", {}},
      {"call(a)", {"a"}},
      {"call(a, b + c)", {"a", "b + c"}},
      {"call(g(1, 2), {3, 4}, [5, 6])", {"g(1, 2)", "{3, 4}", "[5, 6]"}},
      {"call(f<a, b>(x), c)", {"f<a, b>(x)", "c"}},
      {"call(std::pair<int, std::vector<int>> p, int q)",
       {"std::pair<int, std::vector<int>> p", "int q"}},
      {"call(a < b, c > d)", {"a < b", "c > d"}},
      {"call(i<n, j)", {"i<n", "j"}},
      {"call(static_cast<float>(x), y)", {"static_cast<float>(x)", "y"}},
      {"call<<<grid, block, 0, stream>>>(x)", {"grid", "block", "0", "stream"}},
      {"call(a, [&](int x, int y) { f(x, y); }, b)", {"a", "[&](int x, int y) { f(x, y); }", "b"}},
      {"call(a, b", {"a", "b"}},
      {"call(a, )", {"a", ""}},
      {"call(a, \"x, y\", ',')", {"a", "\"x, y\"", "','"}},
  };
  for (const auto& each : cases) {
    const File file(each.text);
    std::vector<std::string> found;
    for (const TokenRange range : file.arguments(file.occurrences(kCall)[0] + 1))
      found.emplace_back(file.text(range));
    EXPECT_THAT(found, ElementsAreArray(each.arguments)) << each.text;
  }
  EXPECT_THAT(File("a").arguments(0), IsEmpty());
}

TEST(CudaStructure, DeepNestingDoesNotOverflow) {
  constexpr std::size_t kDepth = 1'000'000;
  const std::string text = "here" + std::string(kDepth, '(') + std::string(kDepth, ')');
  const File file(text);
  EXPECT_EQ(file.partner(1), 2 * kDepth);
  EXPECT_THAT(file.problems(), IsEmpty());
  EXPECT_FALSE(file.statement(kDepth).empty());
  EXPECT_THAT(file.functions(), IsEmpty());
  const std::string mixed = std::string(kDepth, '{') + std::string(kDepth, '(');
  EXPECT_EQ(File(mixed).problems().size(), 100U);
}

}  // namespace

}  // namespace hipwright::syntax::cuda
