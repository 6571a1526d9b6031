// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "syntax/python/file.h"

namespace hipwright::syntax::python {

namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;

const char* word_of(StatementKind kind) {
  static constexpr const char* kWords[] = {
      "simple", "import",   "from",    "return", "raise", "assert", "del",      "global", "pass",
      "break",  "continue", "def",     "class",  "if",    "elif",   "else",     "for",    "while",
      "try",    "except",   "finally", "with",   "match", "case",   "decorator"};
  return kWords[static_cast<std::size_t>(kind)];
}

// One line for each statement: its kind and text, indented by its depth in the tree.
std::string outline(std::string_view text) {
  const File file(text);
  std::string lines;
  const auto all = file.statements();
  for (StatementIndex at = 0; at < all.size(); ++at) {
    std::string depth;
    for (StatementIndex up = all[at].parent; up != kNoStatement; up = all[up].parent) {
      EXPECT_LT(up, at);
      EXPECT_LT(at, all[up].block_end);
      depth += "  ";
    }
    lines += fmt::format("{}{}{} {}\n", depth, all[at].is_async ? "async " : "",
                         word_of(all[at].kind), file.text(all[at].tokens));
  }
  return lines;
}

TEST(PythonStatements, FormATree) {
  EXPECT_EQ(outline(R"(import os, sys
from a.b import (c,
                 d)
@dec(1)
@dec2
class A(B):
    """doc"""
    x: int = 1; y = 2
    async def f(self, a: dict[str, int] = {1: 2}) -> int:
        if a:
            return 1
        elif b: raise E from None
        else:
            pass
        del x
    z = lambda q: q
while (n := f()):
    break
else:
    continue
try:
    assert x, "m"
except (A, B) as e:
    global g
finally:
    nonlocal h
with open(a) as f, b: f()
for i in lambda: x: print(i)
)"),
            R"(import import os, sys
from from a.b import (c,
                 d)
decorator @dec(1)
decorator @dec2
class class A(B)
  simple """doc"""
  simple x: int = 1
  simple y = 2
  async def async def f(self, a: dict[str, int] = {1: 2}) -> int
    if if a
      return return 1
    elif elif b
      raise raise E from None
    else else
      pass pass
    del del x
  simple z = lambda q: q
while while (n := f())
  break break
else else
  continue continue
try try
  assert assert x, "m"
except except (A, B) as e
  global global g
finally finally
  global nonlocal h
with with open(a) as f, b
  simple f()
for for i in lambda: x
  simple print(i)
)");
}

TEST(PythonStatements, MatchAndCaseAreKeywordsOnlyWhereTheyAct) {
  EXPECT_EQ(outline(R"(match x:
    case [1, *rest] if rest:
        y
    case {"a": b}: z
    case _:
        case = 1
match = 1
match(x)
match.case(y)
case = match
match: int = 3
match (a, b):
    case -1 | "s": pass
print(match); type X = int
)"),
            R"(match match x
  case case [1, *rest] if rest
    simple y
  case case {"a": b}
    simple z
  case case _
    simple case = 1
simple match = 1
simple match(x)
simple match.case(y)
simple case = match
simple match: int = 3
match match (a, b)
  case case -1 | "s"
    pass pass
simple print(match)
simple type X = int
)");
}

TEST(PythonStatements, TabsHavePythonsWidth) {
  EXPECT_EQ(outline("if a:\n\tx\n        y\nif b:\n \tz\n\tw\n"),
            "if if a\n  simple x\n  simple y\nif if b\n  simple z\n  simple w\n");
}

TEST(PythonStatements, BrokenIndentationJoinsTheNearestBlock) {
  const struct {
    const char* text;
    const char* expected;
    const char* problem;
  } cases[] = {
      {"if a:\n    x\n   y\nz\n", "if if a\n  simple x\n  simple y\nsimple z\n",
       "unindent does not match any outer indentation level"},
      {"if a:\n    x\n y\nz\n", "if if a\n  simple x\nsimple y\nsimple z\n",
       "unindent does not match any outer indentation level"},
      {"x\n  y\n  z\nw\n", "simple x\nsimple y\nsimple z\nsimple w\n", "unexpected indent"},
      {"if a:\nx\n", "if if a\nsimple x\n", "expected an indented block"},
      {"def f():\n", "def def f()\n", "expected an indented block"},
      {"if a\n  x\n", "if if a\nsimple x\n", "expected ':'"},
      {"if a: with b: x\n", "if if a\n  simple with b: x\n", "expected a simple statement"},
      {"if a: with b:\n    x\ny\n", "if if a\n  simple with b:\nsimple x\nsimple y\n",
       "expected a simple statement"},
      {"a; if b: x\n", "simple a\nsimple if b: x\n", "expected a simple statement"},
      {"def f(a,\n  def g():\n    x\n", "def def f(a,\ndef def g()\n  simple x\n",
       "unclosed bracket"},
      {"from a import b, c(1)\n", "from from a import b, c(1)\n", "expected a name to import"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(outline(c.text), c.expected) << c.text;
    EXPECT_THAT(File(c.text).problems(), Contains(Field(&Problem::what, c.problem))) << c.text;
  }
}

TEST(PythonStatements, AllFormsOfImportsAreParsed) {
  for (const char* text : {"import a.b as c, d\n", "from . import (a,\n  b as c,\n)\n",
                           "from ...a.b import *\n", "from .. import x; import y\n"})
    EXPECT_TRUE(File(text).problems().empty()) << text;
}

TEST(PythonStatements, AnswerWhereThingsAre) {
  const File file(R"(x = 1
class A:
    @one
    @two(3)
    def f(self):
        def g():
            y
        return z
)");
  const auto find = [&](std::string_view text) {
    for (TokenIndex at = 0; at < file.tokens().size(); ++at)
      if (file.text(at) == text) return at;
    return kNoToken;
  };
  const StatementIndex y = file.statement_at(find("y"));
  const StatementIndex g = file.enclosing_def(y);
  EXPECT_EQ(file.text(file.name_of(g)), "g");
  const StatementIndex f = file.enclosing_def(g);
  EXPECT_EQ(file.text(file.name_of(f)), "f");
  EXPECT_EQ(file.enclosing_def(f), kNoStatement);
  EXPECT_EQ(file.text(file.name_of(file.enclosing_class(y))), "A");
  std::vector<std::string_view> decorators;
  for (const StatementIndex at : file.decorators(f))
    decorators.push_back(file.text(file.statements()[at].tokens));
  EXPECT_THAT(decorators, ElementsAre("@one", "@two(3)"));
  EXPECT_TRUE(file.decorators(g).empty());
  EXPECT_EQ(file.children(f).size(), 2U);
  EXPECT_EQ(file.children(kNoStatement).size(), 2U);
  EXPECT_EQ(file.statement_at(find("1")), 0U);
}

}  // namespace

}  // namespace hipwright::syntax::python
