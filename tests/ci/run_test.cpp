// SPDX-License-Identifier: MIT
#include "ci/run/run.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/json.h"
#include "ci/run/evaluate.h"
#include "ci/run/matrix.h"
#include "ci/run/step_files.h"

namespace hipwright::ci {
namespace {

using testing::Contains;
using testing::HasSubstr;

TEST(Evaluate, FollowsGitHubsRules) {
  Contexts contexts;
  contexts.values = {
      {"github",
       {{"ref", "refs/heads/main"}, {"event", {{"labels", {{{"name", "a"}}, {{"name", "b"}}}}}}}},
      {"env", {{"N", "2"}, {"EMPTY", ""}}},
      {"matrix", {{"os", "linux"}}}};
  const std::pair<const char*, const char*> cases[] = {
      {"github.ref == 'REFS/heads/main'", "true"},
      {"env.N == 2 && 'yes' || 'no'", "yes"},
      {"env.EMPTY || 'default'", "default"},
      {"env.missing == ''", "true"},
      {"!startsWith(github.ref, 'refs/tags/')", "true"},
      {"join(github.event.labels.*.name, '+')", "a+b"},
      {"contains(github.event.labels.*.name, 'B')", "true"},
      {"format('{0}-{1} {{x}}', 'a', 3)", "a-3 {x}"},
      {"fromJSON('[1, 2.5]')[1]", "2.5"},
      {"matrix['OS']", "linux"},
      {"1 < 2 && 2 >= 2 && 3 != 4", "true"},
      {"2 <= 2 && 2 >= 2 && '2' <= 2", "true"},
      {"2 < 2 || 2 > 2 || 3 <= 2", "false"},
      {"(false || true) && 'it''s'", "it's"},
      {"toJSON(null)", "null"},
      {"'abc' == 'abd' || 10 > 9", "true"},
      {"0xff == 255 && 0o17 == 15 && -.5 < 0 && 2.5e+1 == 25 && 1e-1 < 1", "true"}};
  for (const auto& [expression, expected] : cases)
    EXPECT_EQ(as_text(evaluate(expression, contexts).value()), expected) << expression;
  EXPECT_FALSE(evaluate("nothing(1)", contexts));
  EXPECT_EQ(interpolate("a ${{ matrix.os }} b ${{ '}}' }}", contexts).value(), "a linux b }}");
}

TEST(Evaluate, HostileExpressionsAreValuesOrErrors) {
  const Contexts contexts;
  EXPECT_EQ(as_text(evaluate(std::string(2'000'001, '!') + "true", contexts).value()), "false");
  EXPECT_EQ(as_text(evaluate("toJSON('\xff')", contexts).value()), "\"\xEF\xBF\xBD\"");
  std::string doubled = "'0123456789'";
  for (int i = 0; i < 45; ++i) doubled = "format('{0}{0}', " + doubled + ")";
  const auto value = evaluate(doubled, contexts);
  ASSERT_FALSE(value);
  EXPECT_THAT(value.error().message(), HasSubstr("longer than 10 MiB"));
  EXPECT_FALSE(evaluate("case(1 == 1, 'a', 'b')", contexts)) << "not supported, and said so";
  for (const char* number : {"1-1", "1abc", "0o8", "0x", "1e", "0x1p3", "-", "1.2.3", "-0x1"}) {
    const auto joined = evaluate(fmt::format("format('{{0}}', github.x[{}])", number), contexts);
    ASSERT_FALSE(joined) << number;
    EXPECT_THAT(joined.error().message(), HasSubstr("is not a number"));
  }
}

TEST(Evaluate, ConditionsImplySuccess) {
  Contexts contexts;
  EXPECT_TRUE(holds("", contexts).value());
  contexts.state = JobState::kFailure;
  EXPECT_FALSE(holds("", contexts).value());
  EXPECT_FALSE(holds("1 == 1", contexts).value());
  EXPECT_TRUE(holds("always()", contexts).value());
  EXPECT_TRUE(holds("${{ failure() && 1 == 1 }}", contexts).value());
}

TEST(Matrix, ExpandsExcludesAndIncludes) {
  const auto rows = [](const char* text) {
    std::string all;
    for (const Json& row : matrix_rows(parse_json(text, "").value()).value()) all += row.dump();
    return all;
  };
  EXPECT_EQ(rows(R"({"a": [1, 2], "b": ["x"]})"), R"({"a":1,"b":"x"}{"a":2,"b":"x"})");
  EXPECT_EQ(rows(R"({"a": [1, 2], "exclude": [{"a": 1}]})"), R"({"a":2})");
  EXPECT_EQ(rows(R"({"a": [1, 2], "include": [{"a": 2, "c": 3}, {"a": 9}]})"),
            R"({"a":1}{"a":2,"c":3}{"a":9})");
  EXPECT_EQ(rows(R"({"include": [{"a": 1}, {"a": 2}]})"), R"({"a":1}{"a":2})");
  // What an element of `include` added, a later one may overwrite; the matrix's own values not.
  EXPECT_EQ(rows(R"({"a": [1], "include": [{"a": 1, "c": 3}, {"a": 1, "c": 4}]})"),
            R"({"a":1,"c":4})");
}

TEST(Matrix, HasAtMost256Rows) {
  const auto rows = [](int count) {
    std::string many = "[0";
    for (int i = 1; i < count; ++i) many += "," + std::to_string(i);
    return matrix_rows(parse_json("{\"a\": " + many + "]}", "").value());
  };
  ASSERT_TRUE(rows(256));
  EXPECT_EQ(rows(256)->size(), 256U);
  EXPECT_FALSE(rows(257));
}

TEST(Matrix, WhatIsNoListOrMappingIsAnError) {
  const auto error = [](const char* text) {
    const auto rows = matrix_rows(parse_json(text, "").value());
    return rows ? std::string("none") : rows.error().message();
  };
  EXPECT_THAT(error(R"({"a": [1], "include": {"a": 1}})"), HasSubstr("include"));
  EXPECT_THAT(error(R"({"a": [1], "include": ["a"]})"), HasSubstr("include"));
  EXPECT_THAT(error(R"({"a": [1], "exclude": "b"})"), HasSubstr("exclude"));
  EXPECT_THAT(error(R"({"a": [1], "exclude": [[1]]})"), HasSubstr("exclude"));
  EXPECT_THAT(error("[1]"), HasSubstr("not a mapping"));
}

TEST(StepFiles, ReadAssignmentsOfBothForms) {
  const auto read = read_assignments("A=1=2\n\nB<<END\none\ntwo\nEND\nC=\n", "GITHUB_ENV").value();
  ASSERT_EQ(read.size(), 3U);
  EXPECT_EQ(read[0].second, "1=2");
  EXPECT_EQ(read[1].second, "one\ntwo");
  EXPECT_FALSE(read_assignments("B<<END\none\n", "GITHUB_ENV"));
  EXPECT_FALSE(read_assignments("nothing\n", "GITHUB_ENV"));
}

std::vector<JobRun> run(const std::string& text, std::vector<std::string>& lines) {
  const auto folder = TemporaryDirectory::create().value();
  const auto file = folder.path() / "w.yml";
  const auto repository = folder.path() / "repository", scratch = folder.path() / "scratch";
  for (const auto& each : {repository, scratch}) EXPECT_TRUE(make_directories(each));
  EXPECT_TRUE(write_file_atomic(file, text));
  EXPECT_TRUE(write_file_atomic(repository / "hello", "world\n"));
  return run_workflow({.workflow = file,
                       .repository = repository,
                       .scratch = scratch,
                       .variables = {{"WHO", "me"}},
                       .print = [&](const std::string& line) { lines.push_back(line); }})
      .value();
}

Result<std::vector<JobRun>> try_run(const std::string& text) {
  const auto folder = TemporaryDirectory::create().value();
  const auto file = folder.path() / "w.yml";
  EXPECT_TRUE(write_file_atomic(file, text));
  return run_workflow({.workflow = file,
                       .repository = folder.path(),
                       .scratch = folder.path(),
                       .print = [](const std::string&) {}});
}

// Aliases of aliases: 10^9 values in a few lines.
TEST(Run, AliasesInAMatrixAreLimited) {
  std::string text = "on: push\na0: &a0 [x]\n";
  for (int i = 1; i < 10; ++i) {
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
    for (int k = 0; k < 10; ++k) text += (k == 0 ? "*a" : ", *a") + std::to_string(i - 1);
    text += "]\n";
  }
  text +=
      "jobs:\n  one:\n    runs-on: ubuntu-24.04\n    strategy:\n      matrix:\n        v: [*a9]\n"
      "    steps:\n      - run: echo\n";
  const auto runs = try_run(text);
  ASSERT_FALSE(runs);
  EXPECT_THAT(runs.error().message(), HasSubstr("more than 100000 values"));
}

std::string results(const std::vector<JobRun>& runs) {
  std::string all;
  for (const JobRun& run : runs) all += run.job + "=" + std::string(to_string(run.result)) + " ";
  return all;
}

TEST(Run, CarriesVariablesPathsAndOutputsFromStepToStep) {
  std::vector<std::string> lines;
  const auto runs = run(R"yml(on: push
env: {TOP: top}
jobs:
  one:
    runs-on: ubuntu-24.04
    outputs: {made: "${{ steps.make.outputs.value }}"}
    steps:
      - uses: actions/checkout@v4
      - id: make
        env: {MINE: only here}
        run: |
          echo "value=$TOP ${{ vars.WHO }} $(cat hello)" >> "$GITHUB_OUTPUT"
          echo "KEPT=kept" >> "$GITHUB_ENV"
          mkdir tools && printf '#!/bin/sh\necho tool runs\n' > tools/tool && chmod +x tools/tool
          echo "$PWD/tools" >> "$GITHUB_PATH"
          export LOST=lost
      - run: |
          tool
          echo "[$KEPT] [${LOST:-}] [${MINE:-}]"
      - uses: actions/upload-artifact@v4
        with: {name: a, path: hello}
  two:
    needs: one
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/download-artifact@v4
        with: {name: a, path: got}
      - run: echo "${{ needs.one.outputs.made }} $(cat got/hello)"
)yml",
                        lines);
  EXPECT_EQ(results(runs), "one=success two=success ");
  EXPECT_THAT(lines, Contains("  tool runs"));
  EXPECT_THAT(lines, Contains("  [kept] [] []"));
  EXPECT_THAT(lines, Contains("  top me world world"));
}

TEST(Run, SkipsAfterFailuresAndRunsWhatAlwaysRuns) {
  std::vector<std::string> lines;
  const auto runs = run(R"yml(on: push
jobs:
  bad:
    runs-on: ubuntu-24.04
    steps:
      - run: |
          false
          echo unreached
      - run: echo also unreached
      - if: always()
        run: echo cleanup
      - if: failure()
        run: echo diagnostics
  after:
    needs: bad
    runs-on: ubuntu-24.04
    steps: [{run: echo after}]
  summary:
    needs: [bad, after]
    if: always()
    runs-on: ubuntu-24.04
    steps: [{run: "echo ${{ needs.bad.result }} ${{ needs.after.result }}"}]
  gpu:
    runs-on: [self-hosted, Linux]
    steps: [{run: echo gpu}]
  windows:
    runs-on: windows-2022
    steps: [{run: echo windows}]
  other:
    runs-on: ubuntu-24.04
    steps: [{uses: some/action@v1}]
)yml",
                        lines);
  EXPECT_EQ(results(runs),
            "bad=failure after=skipped summary=success gpu=not executed windows=not executed "
            "other=not executed ");
  EXPECT_THAT(lines, Contains("  cleanup"));
  EXPECT_THAT(lines, Contains("  diagnostics"));
  EXPECT_THAT(lines, Contains("  failure skipped"));
  EXPECT_THAT(lines, testing::Not(Contains(HasSubstr("unreached"))));
  EXPECT_THAT(runs.back().why, HasSubstr("some/action@v1"));
}

TEST(Run, ExpandsTheMatrixOfAnEarlierJob) {
  std::vector<std::string> lines;
  const auto runs = run(R"yml(on: push
jobs:
  list:
    runs-on: ubuntu-24.04
    outputs: {gfx: "${{ steps.l.outputs.gfx }}"}
    steps:
      - id: l
        run: echo 'gfx=["gfx942", "gfx1100"]' >> "$GITHUB_OUTPUT"
  build:
    needs: list
    runs-on: ubuntu-24.04
    strategy:
      matrix:
        gfx: ${{ fromJSON(needs.list.outputs.gfx) }}
    steps:
      - run: echo "for ${{ matrix.gfx }}"
)yml",
                        lines);
  EXPECT_EQ(results(runs), "list=success build (gfx942)=success build (gfx1100)=success ");
  EXPECT_THAT(lines, Contains("  for gfx1100"));
}

// The list that the matrix is made of was never written.
TEST(Run, AJobIsSkippedBeforeItsMatrixIsExpanded) {
  std::vector<std::string> lines;
  const auto runs = run(R"yml(on: push
jobs:
  list:
    runs-on: ubuntu-24.04
    outputs: {gfx: "${{ steps.l.outputs.gfx }}"}
    steps:
      - run: exit 1
      - id: l
        run: echo 'gfx=["gfx942"]' >> "$GITHUB_OUTPUT"
  build:
    needs: list
    runs-on: ubuntu-24.04
    strategy:
      matrix:
        gfx: ${{ fromJSON(needs.list.outputs.gfx) }}
    steps:
      - run: echo "for ${{ matrix.gfx }}"
)yml",
                        lines);
  EXPECT_EQ(results(runs), "list=failure build=skipped ");
  EXPECT_EQ(runs.back().why, "a job that it needs did not succeed");
}

}  // namespace
}  // namespace hipwright::ci
