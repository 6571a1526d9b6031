// SPDX-License-Identifier: MIT
#include "syntax/python/flow.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hipwright::syntax::python {

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TokenIndex token(const File& file, std::string_view text, std::size_t which = 0) {
  for (TokenIndex at = 0; at < file.tokens().size(); ++at)
    if (file.text(at) == text && which-- == 0) return at;
  ADD_FAILURE() << text << " is not there";
  return 0;
}

std::size_t line_of(const File& file, TokenIndex at) {
  return LineIndex(file.text()).position(file.span(at).begin).line;
}

std::vector<std::string> values(const File& file, const Variable& variable) {
  std::vector<std::string> seen;
  for (const Binding& binding : bindings(file, variable))
    seen.push_back(fmt::format("{}: {}", line_of(file, binding.name), file.compact(binding.value)));
  return seen;
}

TEST(PythonFlow, EveryKindOfBindingIsFound) {
  const struct {
    const char* text;
    BindingKind kind;
    const char* value;
  } cases[] = {
      {"x = 1", BindingKind::kAssign, "1"},
      {"y = x = f(2)", BindingKind::kAssign, "f(2)"},
      {"x = y = f(2)", BindingKind::kAssign, "f(2)"},
      {"x: int = 3", BindingKind::kAssign, "3"},
      {"x: int", BindingKind::kDeclared, ""},
      {"x += 4", BindingKind::kAugmented, "4"},
      {"a, x = 1, g(2)", BindingKind::kAssign, "g(2)"},
      {"a, x = g(2)", BindingKind::kAssign, ""},
      {"a, (b, *x) = g", BindingKind::kAssign, ""},
      {"[x, y] = g", BindingKind::kAssign, ""},
      {"x = lambda a=1: a", BindingKind::kAssign, "lambda a=1:a"},
      {"if (x := 5) > 3: pass", BindingKind::kWalrus, "5"},
      {"for x in xs: pass", BindingKind::kFor, "xs"},
      {"for i, x in xs: pass", BindingKind::kFor, ""},
      {"with open(a) as x: pass", BindingKind::kWith, "open(a)"},
      {"with (a() as b, c() as x): pass", BindingKind::kWith, "c()"},
      {"import a, x", BindingKind::kImport, ""},
      {"import x.y", BindingKind::kImport, ""},
      {"import a.b as x", BindingKind::kImport, ""},
      {"from a import (b, c as x)", BindingKind::kImport, ""},
      {"try:\n  f()\nexcept E as x: pass", BindingKind::kExcept, ""},
      {"def x(): pass", BindingKind::kDefinition, ""},
      {"async def x(): pass", BindingKind::kDefinition, ""},
      {"class x(y): pass", BindingKind::kDefinition, ""},
      {"del x", BindingKind::kDelete, ""},
  };
  for (const auto& c : cases) {
    const File file(c.text);
    const auto found = bindings(file, {"x", kNoStatement, false});
    ASSERT_EQ(found.size(), 1U) << c.text;
    EXPECT_EQ(found[0].kind, c.kind) << c.text;
    EXPECT_EQ(file.compact(found[0].value), c.value) << c.text;
  }
}

TEST(PythonFlow, BindingLookAlikesAreIgnored) {
  for (const char* text : {"f(x=1)", "a.x = 1", "x.a = 1", "x[0] = 1", "x == 1", "y = x",
                           "[x for x in y]", "f(x)[0] = 2", "import x.y as z", "from x import y",
                           "y = lambda x: 1", "f(x, y)", "a[x] = 3"})
    EXPECT_THAT(bindings(File(text), {"x", kNoStatement, false}), IsEmpty()) << text;
}

TEST(PythonFlow, NamesBelongToTheScopeThatBindsThem) {
  const File file(R"(x = 1
def f(x, y=2):
    def g():
        return x + y
    return x
class A:
    x = 3
    z = x
    def m(self):
        return x
def h():
    global x
    x = 4
def k():
    z = x
    z = 5
    return z
)");
  const auto module = uses(file, {"x", kNoStatement, false});
  std::vector<std::size_t> lines;
  for (const TokenIndex at : module) lines.push_back(line_of(file, at));
  EXPECT_THAT(lines, ElementsAre(1, 10, 12, 13, 15));
  EXPECT_THAT(values(file, {"x", kNoStatement, false}), ElementsAre("1: 1", "13: 4"));
  const Variable parameter = variable_at(file, token(file, "x", 2));
  EXPECT_EQ(file.text(file.name_of(parameter.scope)), "f");
  EXPECT_EQ(uses(file, parameter).size(), 3U);
  EXPECT_THAT(values(file, variable_at(file, token(file, "y"))), ElementsAre("2: 2"));
  const Variable z = variable_at(file, token(file, "z", 3));
  EXPECT_THAT(values(file, z), ElementsAre("15: x", "16: 5"));
  EXPECT_EQ(bindings_before(file, z, token(file, "z", 2)).size(), 1U);
}

TEST(PythonFlow, AttributesAreFollowedOverAClass) {
  const File file(R"(class A:
    def __init__(self, n):
        self.rows = [[0] * n] * n
        self.n: int = n
    def put(self, other):
        other.rows = 1
        self.rows[0][1] = 2
class B:
    def f(self):
        self.rows = 3
)");
  const Variable rows = variable_at(file, token(file, "rows"));
  EXPECT_TRUE(rows.is_attribute);
  EXPECT_THAT(values(file, rows), ElementsAre("3: [[0]*n]*n"));
  EXPECT_EQ(uses(file, rows).size(), 2U);
  ASSERT_EQ(mutations(file, rows).size(), 1U);
  EXPECT_EQ(mutations(file, rows)[0].level, 1U);
  EXPECT_THAT(values(file, {"n", rows.scope, true}), ElementsAre("4: n"));
}

std::vector<std::string> changes(std::string_view text) {
  const File file(text);
  std::vector<std::string> seen;
  for (const Mutation& at : mutations(file, {"x", kNoStatement, false}))
    seen.push_back(fmt::format("{} {}", file.text(at.name), at.level));
  return seen;
}

TEST(PythonFlow, ChangesInPlaceNameTheContainer) {
  const struct {
    const char* text;
    std::vector<std::string> expected;
  } cases[] = {
      {"x[0] = 1", {"x 0"}},
      {"x[0][1] = 1", {"x 1"}},
      {"x[i][j] += 1", {"x 1"}},
      {"x[i] += [1]", {"x 1"}},
      {"x[i] += 1", {"x 0"}},
      {"x += [1]", {"x 0"}},
      {"x += 1", {}},
      {"x.append(1)", {"x 0"}},
      {"x[i].append(1)", {"x 1"}},
      {"x[i].fill_(1)", {"x 1"}},
      {"x[i].a = 1", {"x 1"}},
      {"y, x[i][j] = 1, 2", {"x 1"}},
      {"del x[i][j]", {"x 1"}},
      {"for row in x:\n  row[0] = 1\n", {"row 1"}},
      {"for i, row in enumerate(x):\n  row.append(1)\n", {"row 1"}},
      {"for a, b in zip(y, x):\n  b[0] = a\n", {"b 1"}},
      {"for a, b in zip(y, x):\n  a[0] = b\n", {}},
      {"for row in x:\n  for e in row:\n    e[0] = 1\n", {"e 2"}},
      {"row = x[0]\nrow[1] = 2\n", {"row 1"}},
      {"y = x\ny[1][2] = 2\n", {"y 1"}},
      {"for row in x:\n  pass\nrow[0] = 1\n", {}},
      {"y = x[0][1]\nprint(x[0])\nx = [1]\nf(x)[0] = 1\nx.copy()\nx[0].index(3)\nx.__init__()\n",
       {}},
      {"for k, v in x.items():\n  v[0] = 1\n", {"v 1"}},
      {"y[x[0]] = 1\n", {}},
  };
  for (const auto& c : cases)
    EXPECT_THAT(changes(c.text), ::testing::ElementsAreArray(c.expected)) << c.text;
}

}  // namespace

}  // namespace hipwright::syntax::python
