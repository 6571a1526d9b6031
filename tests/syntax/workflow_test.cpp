// SPDX-License-Identifier: MIT
#include "syntax/workflow/workflow.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hipwright::syntax::workflow {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> references(std::string_view text) {
  std::vector<std::string> paths;
  const Expression expression = parse_expression(text);
  for (const Problem& problem : expression.problems) paths.push_back("problem: " + problem.what);
  for (const Reference& reference : expression.references) paths.push_back(reference.path);
  return paths;
}

TEST(Expression, NamesTheContextsItUses) {
  EXPECT_THAT(references(" github.ref == 'refs/heads/main' && !Env.SKIP "),
              ElementsAre("github.ref", "env.skip"));
  EXPECT_THAT(references("matrix['os-name'] || github.event.*.id"),
              ElementsAre("matrix.os-name", "github.event.*.id"));
  EXPECT_THAT(references("fromJSON(needs.a.outputs.list)[matrix.i].name"),
              ElementsAre("needs.a.outputs.list", "matrix.i"));
  EXPECT_THAT(references("format('{0} it''s', 0x1F, -2.5e3, true)"), ElementsAre());
}

TEST(Expression, SaysWhatIsWrong) {
  const std::pair<const char*, const char*> cases[] = {{"", "empty"},
                                                       {"github.ref = 'x'", "use '=='"},
                                                       {"a.b", "unknown name 'a'"},
                                                       {"'x", "unclosed"},
                                                       {"(github.ref", "unclosed '('"},
                                                       {"contains('a')", "takes 2"},
                                                       {"nothing()", "unknown function"},
                                                       {"github.ref \"x\"", "single quotes"},
                                                       {"success", "is a function"},
                                                       {"github.", "expected a name"},
                                                       {"1 + 2", "arithmetic"},
                                                       {"github.ref ==", "ends too early"}};
  for (const auto& [text, expected] : cases) {
    const Expression expression = parse_expression(text);
    ASSERT_EQ(expression.problems.size(), 1U) << text;
    EXPECT_THAT(expression.problems[0].what, HasSubstr(expected)) << text;
  }
  EXPECT_FALSE(parse_expression(std::string(10'000, '(')).problems.empty());
}

TEST(Workflow, KnowsJobsStepsAndShells) {
  const File file(
      "on: {push: , pull_request: }\n"
      "env: {A: top}\n"
      "jobs:\n"
      "  win:\n"
      "    runs-on: [self-hosted, Windows, ROCm]\n"
      "    steps:\n"
      "      - run: one\n"
      "      - {run: two, shell: bash -e {0}, env: {A: step}}\n"
      "  linux:\n"
      "    needs: [win]\n"
      "    runs-on: ubuntu-24.04\n"
      "    defaults: {run: {shell: sh}}\n"
      "    steps:\n"
      "      - uses: actions/checkout@v4\n"
      "      - run: three\n");
  ASSERT_EQ(file.jobs().size(), 2U);
  const Job& win = file.jobs()[0];
  EXPECT_TRUE(file.is_self_hosted(win));
  EXPECT_EQ(file.system(win), System::kWindows);
  EXPECT_EQ(file.shell(win, win.steps[0]), "pwsh");
  EXPECT_EQ(file.shell(win, win.steps[1]), "bash");
  EXPECT_EQ(file.variable(win, win.steps[0], "A")->value, "top");
  EXPECT_EQ(file.variable(win, win.steps[1], "A")->value, "step");
  const Job& linux = *file.job("linux");
  EXPECT_EQ(file.job("LINUX"), nullptr);
  EXPECT_EQ(linux.steps[0].action(), "actions/checkout");
  EXPECT_EQ(file.shell(linux, linux.steps[1]), "sh");
  EXPECT_EQ(file.needs(linux)[0]->value, "win");
  EXPECT_TRUE(file.has_event("pull_request"));
  EXPECT_FALSE(file.has_event("schedule"));
}

TEST(Workflow, SurvivesAliasesOfThemselvesAndBillionsOfThem) {
  const File loop(
      "on: push\njobs:\n  a: &a\n    runs-on: x\n    env: {self: *a}\n    steps: [*a]\n");
  EXPECT_EQ(loop.jobs().size(), 1U);
  std::string laughs = "env:\n  a0: &a0 ${{ github.sha }}\n";
  for (int i = 1; i < 40; ++i) {
    laughs += "  a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int j = 0; j < 10; ++j) laughs += "*a" + std::to_string(i - 1) + ",";
    laughs += "]\n";
  }
  EXPECT_LE(File(laughs).expressions().size(), 500'000U);
}

TEST(Workflow, TellsWorkflowsByTheirPath) {
  EXPECT_TRUE(is_workflow(".github/workflows/ci.yml"));
  EXPECT_TRUE(is_workflow("sub/.github/workflows/ci.yaml"));
  EXPECT_FALSE(is_workflow(".github/workflows/x/ci.yml"));
  EXPECT_FALSE(is_workflow(".github/dependabot.yml"));
  EXPECT_FALSE(is_workflow("my.github/workflows/ci.yml"));
}

}  // namespace
}  // namespace hipwright::syntax::workflow
