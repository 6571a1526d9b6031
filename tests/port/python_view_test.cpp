// SPDX-License-Identifier: MIT
#include "port/isolation/python_view.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "port/isolation/isolation.h"

namespace hipwright::port {
namespace {

std::string seen(std::string_view text) {
  std::string out;
  for (const SeenToken& token : nvidia_view_of_python(text)) out += token.text + " ";
  return out;
}

TEST(PythonView, BranchesForRocmAreGone) {
  EXPECT_EQ(seen("if is_rocm:\n    a()\nelse:\n    b()\n"), seen("b()\n"));
  EXPECT_EQ(seen("if not is_rocm:\n    b()\n"), "b ( ) <line> ");
  EXPECT_EQ(seen("if is_rocm:\n    a()\nelif x:\n    b()\nelse:\n    c()\n"),
            seen("if x:\n    b()\nelse:\n    c()\n"));
  EXPECT_EQ(seen("if x:\n    a()\nelif is_rocm:\n    b()\nelse:\n    c()\n"),
            seen("if x:\n    a()\nelse:\n    c()\n"));
  EXPECT_EQ(seen("if torch.version.hip is not None:\n    a()\nb()\n"), seen("b()\n"));
  EXPECT_EQ(seen("if is_rocm: a()\nelse: b()\n"), seen("b()\n"));
}

TEST(PythonView, ExpressionsAreEvaluatedInPart) {
  EXPECT_EQ(seen("f(mode='a' if is_rocm else 'b')"), seen("f(mode='b')"));
  EXPECT_EQ(seen("x = ('a' if is_rocm else b.c(1)[0]).d + 1"), seen("x = b.c(1)[0].d + 1"));
  EXPECT_EQ(seen("if x and not is_rocm: a()"), seen("if x: a()"));
  EXPECT_EQ(seen("if is_rocm or x is None: a()"), seen("if x is None: a()"));
  EXPECT_EQ(seen("if y and (is_rocm or x is None): a()"), seen("if y and x is None: a()"));
  EXPECT_EQ(seen("x = not is_rocm and y"), seen("x = y"));
  EXPECT_EQ(seen("for x in a if is_rocm else b: pass"), seen("for x in b: pass"));
  EXPECT_EQ(seen("f(*(a if is_rocm else b))"), seen("f(*b)"));
  EXPECT_EQ(seen("x = {'k': a if is_rocm else b}"), seen("x = {'k': b}"));
  EXPECT_EQ(seen("x = lambda y: a if is_rocm else b"), seen("x = lambda y: b"));
  EXPECT_EQ(seen("x = [a if is_rocm else b for y in z if w]"), seen("x = [b for y in z if w]"));
}

TEST(PythonView, EverythingElseStays) {
  for (const char* text : {"if is_cuda: a()\n", "x = a if y else b\n", "x = y and True\n",
                           "x = (1, 2)\n", "x = (y for y in z)\n", "f(x)(y)\n"})
    EXPECT_NE(seen(text), seen("a()\n")) << text;
  EXPECT_NE(seen("x = (1,)"), seen("x = 1"));
  EXPECT_NE(seen("x = (a + b) * c"), seen("x = a + b * c"));
  EXPECT_NE(seen("x = not (a or b)"), seen("x = not a or b"));
  EXPECT_NE(seen("if a:\n    b()\nc()\n"), seen("if a:\n    b()\n    c()\n"));
  EXPECT_NE(seen("f (x)"), seen("f x"));
  EXPECT_NE(seen("x = y and not is_rocm"), seen("x = y"));  // y may be 3
}

TEST(PythonView, CommentsLinesAndGroupingAreNotSeen) {
  EXPECT_EQ(seen("x = 1  # one\n\n"), seen("x = (1)\n"));
  EXPECT_EQ(seen("f(\n    x,\n    y)"), seen("f(x, y)"));
  EXPECT_EQ(seen("a; b"), seen("a\nb\n"));
}

TEST(PythonView, DefinitionsOfTheGateAreGone) {
  EXPECT_EQ(seen("from pkg.hip_support import is_rocm, rocm_fp8_dtype\nx = 1"), seen("x = 1"));
  EXPECT_EQ(seen("is_rocm = getattr(torch.version, \"hip\", None) is not None\nx = 1"),
            seen("x = 1"));
  EXPECT_EQ(seen("is_rocm = hasattr(torch.version, 'hip') and torch.version.hip is not None\n"),
            "");
  EXPECT_NE(seen("from pkg.hip_support import x as torch\n"), "");
}

TEST(PythonView, AGateThatMayBeOpenForNvidiaIsNone) {
  for (const char* definition : {"is_rocm = True\n", "is_rocm = torch.cuda.is_available()\n",
                                 "is_rocm = torch.version.hip is None\n"})
    EXPECT_NE(seen(std::string(definition) + "if is_rocm:\n    a()\n").find("a ("),
              std::string::npos)
        << definition;
  EXPECT_NE(seen("def f(is_rocm):\n    if is_rocm:\n        a()\n").find("a ("), std::string::npos);
}

TEST(PythonView, TakesWhateverItIsGiven) {
  seen("if is_rocm else (((\n)))) if else else not not and or\n\tx if\n");
  seen(std::string(5000, '(') + "is_rocm" + std::string(5000, ')'));
  std::string nots;
  for (int i = 0; i < 5000; ++i) nots += "not ";
  seen("x = " + nots + "is_rocm\n");
}

TEST(PythonIsolation, AChangeForNvidiaIsCaught) {
  const std::string old = "import torch\nm = torch.compile(m, mode=\"max-autotune\")\n";
  EXPECT_TRUE(compare_for_nvidia("a.py", old,
                                 "import torch\nfrom hip_support import is_rocm\n"
                                 "m = torch.compile(m, mode=\"default\" if is_rocm else "
                                 "\"max-autotune\")\n")
                  .empty());
  const auto leaks = compare_for_nvidia("a.py", old,
                                        "import torch\nfrom hip_support import is_rocm\n"
                                        "m = torch.compile(m, mode=\"default\" if is_rocm else "
                                        "\"reduce-overhead\")\n");
  ASSERT_EQ(leaks.size(), 1U);
  EXPECT_EQ(leaks[0].line_before, 2U);
  EXPECT_EQ(leaks[0].line_after, 3U);
}

TEST(PythonIsolation, TheDefinitionItselfIsLookedAt) {
  const auto folder = TemporaryDirectory::create();
  ASSERT_TRUE(folder);
  ASSERT_TRUE(make_directories(folder->path() / "old"));
  ASSERT_TRUE(make_directories(folder->path() / "new"));
  const auto leaks_with = [&](const char* definition) {
    EXPECT_TRUE(write_file_atomic(folder->path() / "new/hip_support.py",
                                  std::string("import torch\n") + definition + "\n"));
    return check_isolation({folder->path() / "old", folder->path() / "new"})->leaks.size();
  };
  EXPECT_EQ(leaks_with("is_rocm = getattr(torch.version, \"hip\", None) is not None"), 0U);
  EXPECT_EQ(leaks_with("is_rocm = torch.cuda.is_available()"), 1U);
}

}  // namespace
}  // namespace hipwright::port
