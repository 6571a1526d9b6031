// SPDX-License-Identifier: MIT
#include "verify/program/workload.h"

#include <algorithm>

#include "verify/folder.h"
#include "verify/program/build.h"
#include "verify/program/outcome.h"
#include "verify/program/run.h"

namespace hipwright::verify {
namespace {

constexpr const char* kMain = "int main(int argc, char** argv) { return 0; }\n";

TEST(Workload, ASourceWithMainIsAProgramWithTheOthersOfItsFolder) {
  TestFolder folder(
      {{"a/main.cu", kMain},
       {"a/part.cu", "__global__ void f() {}\n"},
       {"a/host.cpp", "void g() {}\n"},
       {"a/h.cuh", "void g();\n"},
       {"b/alone.cu", kMain},
       {"b/Makefile", "all:\n\thipcc -DN=3 -Iinc $(X) alone.cu\nrun: all\n\t./alone 10 20\n"},
       {"b/golden/alone.safetensors", "x"},
       {"lib/kernel.cu", "__global__ void k() {}\n"},
       {"lib/k.kernel.toml", ""}});
  const auto workload = find_workload(folder.path());
  ASSERT_TRUE(workload) << workload.error().message();
  ASSERT_EQ(workload->programs.size(), 2U);
  EXPECT_EQ(workload->programs[0].name, "a/main");
  EXPECT_EQ(workload->programs[0].units,
            (std::vector<std::string>{"a/main.cu", "a/host.cpp", "a/part.cu"}));
  EXPECT_EQ(workload->programs[0].runs, (std::vector<std::vector<std::string>>{{}}));
  const ProgramSpec& alone = workload->programs[1];
  EXPECT_EQ(alone.runs, (std::vector<std::vector<std::string>>{{"10", "20"}}));
  const auto unit = std::ranges::find(workload->units, "b/alone.cu", &WorkUnit::path);
  ASSERT_NE(unit, workload->units.end());
  EXPECT_THAT(unit->flags, testing::IsSupersetOf(
                               {std::string("-DN=3"), "-I" + (folder.path() / "b/inc").string()}));
  EXPECT_EQ(alone.golden_of(0), folder.path() / "b/golden/alone.safetensors");
  EXPECT_EQ(workload->units.size(), 5U);
  EXPECT_EQ(workload->kernel_specs.size(), 1U);
}

TEST(Workload, ASourceThatAnotherIncludesIsPartOfIt) {
  TestFolder folder({{"main.cu", "#include \"kernels.cu\"\nint main() { return 0; }\n"},
                     {"kernels.cu", "__global__ void f() { N; }\n"},
                     {"more.cu", "__global__ void g() {}\n"}});
  const auto workload = find_workload(folder.path());
  ASSERT_TRUE(workload) << workload.error().message();
  ASSERT_EQ(workload->programs.size(), 1U);
  EXPECT_EQ(workload->programs[0].units, (std::vector<std::string>{"main.cu", "more.cu"}));
  EXPECT_EQ(workload->units.size(), 2U);
}

TEST(Workload, AMakefileNamesTheSources) {
  TestFolder folder({{"main.cu", kMain},
                     {"kernels.cu", "__global__ void f() {}\n"},
                     {"old.cu", "__global__ void f() {}\n"},
                     {"common/timer.cpp", "void now() {}\n"},
                     {"common/unused.cpp", "void then() {}\n"},
                     {"Makefile",
                      "source = main.cu ./common/timer.cpp\nall: main.o kernels.o\n"
                      "\thipcc $(source)\n"}});
  const auto workload = find_workload(folder.path());
  ASSERT_TRUE(workload) << workload.error().message();
  ASSERT_EQ(workload->programs.size(), 1U);
  EXPECT_EQ(workload->programs[0].units,
            (std::vector<std::string>{"main.cu", "kernels.cu", "common/timer.cpp"}));
  EXPECT_EQ(workload->units.size(), 4U);  // old.cu has device code, too
}

TEST(Workload, TheOnlyProgramHasAllSourcesOfTheTree) {
  TestFolder folder({{"src/main.cpp", kMain},
                     {"src/io.cpp", "void g() {}\n"},
                     {"device/kernel.cu", "__global__ void f() {}\n"},
                     {"Makefile", "S = $(shell find . -name '*.cu')\n"}});
  const auto workload = find_workload(folder.path());
  ASSERT_TRUE(workload) << workload.error().message();
  ASSERT_EQ(workload->programs.size(), 1U);
  EXPECT_EQ(workload->programs[0].units,
            (std::vector<std::string>{"src/main.cpp", "src/io.cpp", "device/kernel.cu"}));
}

TEST(Workload, AMakefileNamesSourcesByPatterns) {
  TestFolder folder({{"src/main/main.cpp", kMain},
                     {"src/sim/sim.cu", "__global__ void f() {}\n"},
                     {"src/sim/old/sim.cu", "__global__ void f() {}\n"},
                     {"src/util/util.cpp", "void g() {}\n"},
                     {"Makefile",
                      "source = src/main/*.cpp src/sim/*.cu $(wildcard src/util/*.cpp)\n"
                      "main: $(source)\n\thipcc $(source) -o main\nrun: main\n\t./main 5\n"}});
  const auto workload = find_workload(folder.path());
  ASSERT_TRUE(workload) << workload.error().message();
  ASSERT_EQ(workload->programs.size(), 1U);
  EXPECT_EQ(workload->programs[0].units,
            (std::vector<std::string>{"src/main/main.cpp", "src/sim/sim.cu", "src/util/util.cpp"}));
  EXPECT_EQ(workload->programs[0].runs[0], (std::vector<std::string>{"5"}));
}

TEST(Workload, SourcesOfOtherFoldersAreThereForWhoeverNeedsThem) {
  TestFolder folder({{"tests/main.cu", kMain},
                     {"src/kernel.cu", "__global__ void k() {}\n"},
                     {"src/host.cpp", "void g() {}\n"},
                     {"tools/other.cpp", kMain}});
  const auto workload = find_workload(folder.path());
  ASSERT_TRUE(workload) << workload.error().message();
  ASSERT_EQ(workload->spare.size(), 1U);
  EXPECT_EQ(workload->spare[0].path, "src/host.cpp");
  EXPECT_TRUE(workload->programs[0].is_guess);
}

TEST(Workload, MakefilesHaveVariables) {
  TestFolder folder(
      {{"main.cu", kMain},
       {"Makefile",
        "program = main\nN ?= 7\nCFLAGS := -DSIZE=$(N) $(EXTRA) -Wall\nCFLAGS += -O3 \\\n"
        "  -DMORE\nLAUNCHER =\n$(program): main.cu\n\t$(CC) $(CFLAGS) -o $@ $<\n"
        "run: $(program)\n\t$(LAUNCHER) ./${program} $(N) --fast\n"
        "again:\n\t./$(program) $(shell ls)\n\t./$(program) > out\n"}});
  const auto workload = find_workload(folder.path());
  ASSERT_TRUE(workload) << workload.error().message();
  ASSERT_EQ(workload->programs.size(), 1U);
  EXPECT_THAT(workload->units[0].flags, testing::IsSupersetOf({"-DSIZE=7", "-DMORE"}));
  EXPECT_EQ(workload->programs[0].runs[0], (std::vector<std::string>{"7", "--fast"}));
}

TEST(Workload, ConfigurationGoesFirst) {
  TestFolder folder({{"main.cu", kMain},
                     {"other.cu", kMain},
                     {"hipwright.toml",
                      "[[verify.programs]]\nname = \"it\"\nsources = [\"main.cu\"]\n"
                      "flags = [\"-DX\"]\nruns = [[\"1\"], [\"2\", \"3\"]]\n"}});
  const auto workload = find_workload(folder.path());
  ASSERT_TRUE(workload) << workload.error().message();
  ASSERT_EQ(workload->programs.size(), 1U);
  EXPECT_EQ(workload->programs[0].name, "it");
  EXPECT_EQ(workload->programs[0].runs.size(), 2U);
  folder.add("hipwright.toml", "[[verify.programs]]\nsources = [\"gone.cu\"]\n");
  const auto wrong = find_workload(folder.path());
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message().find("hipwright.toml:1"), std::string::npos);
  folder.add("hipwright.toml", "[verify]\nprogram = 1\n");
  EXPECT_FALSE(find_workload(folder.path()));
}

TEST(Workload, EveryRunCanHaveGoldenResults) {
  const auto read = [](const char* goldens) {
    TestFolder folder({{"main.cu", kMain}});
    folder.add("hipwright.toml", std::string("[[verify.programs]]\nsources = [\"main.cu\"]\n"
                                             "runs = [[\"1\"], [\"2\"]]\ngolden = ") +
                                     goldens + "\n");
    return find_workload(folder.path());
  };
  const auto one = read("\"a\"");
  ASSERT_TRUE(one) << one.error().message();
  EXPECT_EQ(one->programs[0].golden_of(1).filename(), "a");
  const auto two = read("[\"a\", \"\"]");
  ASSERT_TRUE(two) << two.error().message();
  EXPECT_EQ(two->programs[0].golden_of(0).filename(), "a");
  EXPECT_EQ(two->programs[0].golden_of(1), "");
  EXPECT_FALSE(read("[\"a\", \"b\", \"c\"]"));
}

TEST(Workload, ACompilerThatCannotBeStartedSaysNothingOfTheSource) {
  TestFolder folder({{"main.cu", kMain}});
  const auto workload = find_workload(folder.path());
  ASSERT_TRUE(workload) << workload.error().message();
  setenv("HIPWRIGHT_CLANG", "no-such-program", 1);
  toolchain::UnitCompiler compiler({"gfx942"}, folder.path() / "objects");
  unsetenv("HIPWRIGHT_CLANG");
  const auto built = build(*workload, {.archs = {"gfx942"},
                                       .scratch = folder.path() / "build",
                                       .compiler = &compiler,
                                       .progress = standard_progress_output(true)});
  ASSERT_TRUE(built) << built.error().message();
  ASSERT_FALSE(built->checks.empty());
  EXPECT_EQ(built->checks[0].verdict, Verdict::kNotChecked);
  EXPECT_NE(built->checks[0].evidence.find("no-such-program"), std::string::npos)
      << built->checks[0].evidence;
}

Check compared(const ProgramRun& expected, const ProgramRun& actual) {
  Check check;
  compare_runs(check, expected, actual);
  return check;
}

TEST(Runs, WithoutCapturesAreComparedByWhatTheyPrint) {
  EXPECT_EQ(compared({.finished = {.out = "sum 42\n"}}, {.finished = {.out = "sum 42\n"}}).verdict,
            Verdict::kPass);
  const Check silent = compared({.finished = {.out = "done\n"}}, {.finished = {.out = "done\n"}});
  EXPECT_EQ(silent.verdict, Verdict::kNotChecked);
  EXPECT_NE(silent.evidence.find("hipwright/golden.h"), std::string::npos);
  const Check timed = compared({.finished = {.out = "sum 42\n3 ms\nend\n"}},
                               {.finished = {.out = "sum 42\n4 ms\nend\n"}});
  EXPECT_EQ(timed.verdict, Verdict::kPass);
  EXPECT_NE(timed.evidence.find("except for times and rates ('3 ms')"), std::string::npos)
      << timed.evidence;
  const Check only_timed =
      compared({.finished = {.out = "3 ms\n"}}, {.finished = {.out = "4 ms\n"}});
  EXPECT_EQ(only_timed.verdict, Verdict::kNotChecked);
  const Check other = compared({.finished = {.out = "sum 42\n3 items\n"}},
                               {.finished = {.out = "sum 42\n4 items\n"}});
  EXPECT_EQ(other.verdict, Verdict::kNotChecked);
  EXPECT_NE(other.evidence.find("'3 items' and '4 items'"), std::string::npos) << other.evidence;
  const Check more = compared({.finished = {.out = "1\n"}}, {.finished = {.out = "1\n2\n"}});
  EXPECT_EQ(more.verdict, Verdict::kNotChecked);
}

TEST(Runs, WithCapturesAreComparedByThem) {
  Values one = zeros(DataType::kI32, {4});
  Values other = one;
  store(other, 2, 7);
  const ProgramRun left{.finished = {.out = "1 ms"}, .captures = {{"x", one}}};
  EXPECT_EQ(compared(left, {.finished = {.out = "2 ms"}, .captures = {{"x", one}}}).verdict,
            Verdict::kPass);
  EXPECT_EQ(compared(left, {.captures = {{"x", other}}}).verdict, Verdict::kFail);
  EXPECT_EQ(compared(left, {.captures = {{"x", one}, {"y", one}}}).verdict, Verdict::kFail);
  EXPECT_EQ(compared(left, {}).verdict, Verdict::kFail);
}

TEST(Complaint, IsALineThatSaysSo) {
  EXPECT_EQ(reported_failure("sum 3\nFAIL\n"), "FAIL");
  EXPECT_EQ(reported_failure("Test FAILED: 3 of 4"), "Test FAILED: 3 of 4");
  EXPECT_EQ(reported_failure("mismatch at 7"), "mismatch at 7");
  EXPECT_EQ(reported_failure("Test failed!"), "Test failed!");
  EXPECT_EQ(reported_failure("10 FAILED"), "10 FAILED");
  EXPECT_EQ(reported_failure("12 mismatches found"), "12 mismatches found");
  EXPECT_EQ(reported_failure("FAILED: 0.5 of them"), "FAILED: 0.5 of them");
  EXPECT_EQ(reported_failure("FAILED tests: 0"), "");
  EXPECT_EQ(reported_failure("no failures, unfailing"), "");
  EXPECT_EQ(reported_failure("0 mismatch"), "");
  EXPECT_EQ(reported_failure("FAILED: 0, passed: 12"), "");
  EXPECT_EQ(reported_failure("TEST_FAILED"), "TEST_FAILED");
  EXPECT_EQ(reported_failure("test_failure_modes ran"), "");
  EXPECT_EQ(reported_failure("Result: WRONG at 3"), "Result: WRONG at 3");
  EXPECT_EQ(reported_failure("wrong: 0"), "");
  EXPECT_EQ(reported_failure("7 values, expected 7; 0 other results are wrong"), "");
  EXPECT_EQ(reported_failure("done with 0 failures"), "");
  for (const char* bad : {"test 0 failed", "rank 0 FAILED", "index 0 is wrong", "at: 0 is wrong",
                          "mismatch index: 0", "10 failed"})
    EXPECT_EQ(reported_failure(bad), bad);
  EXPECT_EQ(reported_failure("ERROR: 12 elements differ"), "ERROR: 12 elements differ");
  EXPECT_EQ(reported_failure("[ERROR] : sums"), "[ERROR] : sums");
  EXPECT_EQ(reported_failure("5 errors"), "5 errors");
  EXPECT_EQ(reported_failure("errors: 5"), "errors: 5");
  for (const char* bad : {"Test finished with 1 error", "found 3 errors", "1 error(s)",
                          "(2 errors)", "L1 errors: 4", "tests: 10, 1 error", "result - 7 errors"})
    EXPECT_EQ(reported_failure(bad), bad);
  for (const char* fine : {"error: 1.2e-07",
                           "max error 0.000",
                           "errors: 0",
                           "0 errors",
                           "error: none",
                           "max error: 3",
                           "mean errors: 0.5",
                           "error bound 1 error_rate",
                           "L1 error: 2.7e-08 ... Test passed",
                           "l2 error = 3.1e-06",
                           "L1 error 4.2e-07, L2 error 9.9e-08: PASS",
                           "rel_l2 error: 1e-3",
                           "top-1 error: 23.9%",
                           "Top-5 error 7.1 %",
                           "H1 error: 0.2",
                           "P1 error (max): 1.5e-5",
                           "max error 2 ulp",
                           "Relative L2 error norm = 1.4e-07",
                           "0 errors found",
                           "Errors: 0, Passed"})
    EXPECT_EQ(reported_failure(fine), "") << fine;
}

TEST(Complaint, IsMadeInManyWords) {
  for (const char* bad : {"Result is not correct",
                          "Test did not pass.",
                          "Verification: NOT OK",
                          "CPU and GPU results do not match",
                          "They don't match",
                          "results differ",
                          "correct: false",
                          "Passed = no",
                          "success: 0",
                          "INVALID",
                          "UNSUCCESSFUL",
                          "Error!",
                          "*** ERROR ***",
                          "2/3 tests passed",
                          "2 of 3 results are correct",
                          "passed: 7/8",
                          "arrays are not equal",
                          "3 values do not match",
                          "HIP error: invalid argument",
                          "CUDA Runtime error 9 at a.cu:3"})
    EXPECT_EQ(reported_failure(bad), bad);
  for (const char* fine : {"Result is correct", "3/3 tests passed", "correct: true",
                           "results may differ in the last bit", "0 values do not match",
                           "CUDA error: no error", "hip error: 0", "did not fail", "passed: 8/8",
                           "passed: 1", "0 INVALID entries", "3 of 4 devices", "not a power of two",
                           "no match was looked for", "valid", "fail-safe mode"})
    EXPECT_EQ(reported_failure(fine), "") << fine;
}

TEST(Complaint, IsSeenThroughColoursLongLinesAndCarriageReturns) {
  EXPECT_EQ(reported_failure("\x1b[1;31mFAILED\x1b[0m\n"), "FAILED");
  EXPECT_EQ(reported_failure("50 %\rFAIL 2\r100 %\n"), "FAIL 2");
  const std::string dots(5000, '.');
  EXPECT_EQ(reported_failure(dots + " FAILED"), dots + " FAILED");
  EXPECT_EQ(reported_failure(dots + " is not correct"), dots + " is not correct");
  EXPECT_EQ(reported_failure(dots + " fine"), "");
}

}  // namespace
}  // namespace hipwright::verify
