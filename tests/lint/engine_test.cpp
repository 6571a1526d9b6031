// SPDX-License-Identifier: MIT
#include "lint/engine.h"

#include <sys/stat.h>
#include <unistd.h>

#include <gmock/gmock.h>

#include "lint/tree.h"
#include "syntax/text.h"

namespace hipwright::lint {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Engine : public TreeTest {};

TEST_F(Engine, FindsInEveryFileInTheOrderOfPaths) {
  for (const char* path : {"z.cu", "a/b.cuh", "a/a.h", "m.hip", "k.cpp"}) file(path, kBad);
  file("readme.md", kBad);
  EXPECT_THAT(places(run()), ElementsAre("a/a.h:1 HW101", "a/b.cuh:1 HW101", "k.cpp:1 HW101",
                                         "m.hip:1 HW101", "z.cu:1 HW101"));
}

TEST_F(Engine, FoldersOfOneVendorAreNotForAmd) {
  file("src/cuda/a.cu", kBad);
  file("src/hip/a.hip", kBad);
  EXPECT_THAT(places(run()), ElementsAre("src/hip/a.hip:1 HW101"));
  file("tools/hipify.py", "");
  EXPECT_THAT(places(run()), ElementsAre("src/cuda/a.cu:1 HW101", "src/hip/a.hip:1 HW101"));
}

TEST_F(Engine, NamesThatHipifyReplacesAreTheProjectsOwn) {
  file("a.cu", "__global__ void f(float* x) { x[0] = __shfl_xor_sync(0xffffffff, x[0], 1); }\n");
  Options masks = options();
  masks.select = {"HW203"};
  EXPECT_THAT(places(run(masks)), ElementsAre("a.cu:1 HW203"));
  file("build/hipify_custom_map.json", R"({"custom_map": {"__shfl_xor_sync": "shfl_xor"}})");
  EXPECT_THAT(places(run(masks)), IsEmpty());
  file("build/hipify_custom_map.json", "{ broken");
  EXPECT_THAT(places(run(masks)), ElementsAre("a.cu:1 HW203"));
}

TEST_F(Engine, OutputIsIndependentOfThreadCount) {
  for (int i = 0; i < 60; ++i)
    file("d" + std::to_string(i % 7) + "/f" + std::to_string(i) + ".cu", kBad);
  Options one = options();
  one.threads = 1;
  const auto expected = places(run(one));
  ASSERT_EQ(expected.size(), 60U);
  for (const std::size_t threads : {2U, 5U, 16U}) {
    Options many = options();
    many.threads = threads;
    EXPECT_EQ(places(run(many)), expected);
  }
}

TEST_F(Engine, ReportsThePlaceOfAFinding) {
  file("a.cu",
       "\n  #define  WARP_SIZE 32\n__device__ bool f(int n) { return __any(n < WARP_SIZE); }\n");
  const Report report = run();
  ASSERT_EQ(report.findings.size(), 1U);
  const Finding& finding = report.findings[0];
  EXPECT_EQ(finding.position, (Position{2, 12}));
  EXPECT_EQ(finding.end, (Position{2, 21}));
  EXPECT_EQ(finding.line.text, "  #define  WARP_SIZE 32");
  EXPECT_EQ(finding.rule, find_rule("HW101"));
}

TEST_F(Engine, TargetsAndConfidence) {
  file("a.cu", kBad);
  Options wave32 = options();
  wave32.targets = *arch::parse_target_names("gfx1100");
  EXPECT_THAT(places(run(wave32)), IsEmpty());
  Options wave64 = options();
  wave64.targets = *arch::parse_target_names("gfx1100,gfx90a");
  EXPECT_THAT(places(run(wave64)), ElementsAre("a.cu:1 HW101"));
  file("a.cu", std::string("#ifdef X\n#define WARP_SIZE 32\n#endif\n") + kBad + "#undef X\n");
  Options sure = options();
  sure.min_confidence = Confidence::kHigh;
  EXPECT_THAT(places(run(sure)), ElementsAre("a.cu:4 HW101"));
}

TEST_F(Engine, ASuppressionForAnotherTargetIsNotUnused) {
  file("a.cu",
       "#define WARP_SIZE 32  // hipwright: ignore[HW101] never on gfx9\n"
       "__device__ bool f(int n) { return __any(n < WARP_SIZE); }\n");
  EXPECT_THAT(places(run()), IsEmpty());
  EXPECT_EQ(run().statistics.suppressed, 1U);
  Options wave32 = options();
  wave32.targets = *arch::parse_target_names("gfx1100");
  EXPECT_THAT(places(run(wave32)), IsEmpty());
  Options others = options();
  others.ignore = {"HW101"};
  EXPECT_THAT(places(run(others)), IsEmpty());
}

TEST_F(Engine, ASuppressionIsForItsOwnLineOnly) {
  file(
      "a.cu",
      "__device__ int f(int p) { return __popc(__ballot(p)); }\n"
      "__device__ int g(int p) { return __popc(__ballot(p)); }  // hipwright: ignore[HW202] known\n"
      "__device__ int h(int p) { return __popc(__ballot(p)); }\n"
      "// hipwright: ignore[HW202] known\n"
      "__device__ int i(int p) { return __popc(__ballot(p)); }\n"
      "__device__ int j(int p) { return __popc(__ballot(p)); }\n");
  Options options = Engine::options();
  options.select = {"HW202"};
  EXPECT_THAT(places(run(options)), ElementsAre("a.cu:1 HW202", "a.cu:3 HW202", "a.cu:6 HW202"));
  EXPECT_EQ(run(options).statistics.suppressed, 2U);
}

TEST_F(Engine, AFixIsSafeOnlyIfTheValueStays) {
  file(
      "a.cu",
      "__global__ void f(int p, int* out) { unsigned m = __ballot(p); out[0] = __popc(m); }\n"
      // The caller may count in 32 lanes.
      "__device__ int g(int p) { unsigned m = __ballot(p); return __popc(m); }\n"
      "__device__ int h(int p) { int m = __ballot(p); return __popc(m); }\n"  // -1 would be 64 bits
      "__device__ int i(int p) { unsigned m = __ballot(p); return __clz(m); }\n");
  Options options = Engine::options();
  options.select = {"HW202"};
  const Report report = run(options);
  ASSERT_THAT(places(report),
              ElementsAre("a.cu:1 HW202", "a.cu:2 HW202", "a.cu:3 HW202", "a.cu:4 HW202"));
  EXPECT_TRUE(report.findings[0].fixes.at(0).safe);
  EXPECT_FALSE(report.findings[1].fixes.at(0).safe);
  EXPECT_THAT(report.findings[2].fixes, IsEmpty());
  EXPECT_THAT(report.findings[3].fixes, IsEmpty());
}

TEST_F(Engine, SuppressesAWholeFile) {
  file("a.cu", std::string("// hipwright: ignore-file[wave-size] not for AMD\n") + kBad);
  EXPECT_THAT(places(run()), IsEmpty());
}

TEST_F(Engine, OverlaysAreReadInPlaceOfFiles) {
  file("a.cu", kBad);
  Options edited = options();
  edited.overlay["a.cu"] = "int x;\n";
  EXPECT_THAT(places(run(edited)), IsEmpty());
}

TEST_F(Engine, ReadsTextsWithoutFiles) {
  const auto report = lint_text({.select = {"HW101"}}, "dir/a.cu", kBad);
  ASSERT_TRUE(report);
  EXPECT_THAT(places(*report), ElementsAre("dir/a.cu:1 HW101"));
  EXPECT_THAT(places(*lint_text({.select = {"HW101"}}, "dir/a.txt", kBad)), IsEmpty());
}

TEST_F(Engine, ReportsFilesItCannotRead) {
  file("binary.cu", std::string("a\0b", 3));
  file("secret.cu", kBad);
  ::chmod((root() / "secret.cu").c_str(), 0);
  const Report report = run();
  std::vector<std::string> notes;
  for (const FileNote& note : report.notes) notes.push_back(note.path + ": " + note.what);
  EXPECT_THAT(notes, testing::Contains("binary.cu: not read: binary"));
  if (::geteuid() == 0) return;  // root can read it
  EXPECT_THAT(notes, testing::Contains("secret.cu: not read: Permission denied"));
}

TEST_F(Engine, ReportsWhereParsingFailed) {
  file("a.cu", "int f() {\n  g((1;\n");
  const Report report = run();
  ASSERT_EQ(report.notes.size(), 1U);
  EXPECT_THAT(report.notes[0].what, HasSubstr("line"));
}

TEST_F(Engine, ReadsOtherEncodings) {
  file("le.cu", syntax::encode(kBad, syntax::Encoding::kUtf16Le));
  file("be.cu", syntax::encode(kBad, syntax::Encoding::kUtf16Be));
  file("mark.cu", syntax::encode(kBad, syntax::Encoding::kUtf8Bom));
  file("latin.cu", std::string("// \xE4\n") + kBad);
  file("dos.cu",
       "#define WARP_SIZE 32\r\n__device__ bool f(int n) { return __any(n < WARP_SIZE); }\r\n");
  EXPECT_THAT(places(run()), ElementsAre("be.cu:1 HW101", "dos.cu:1 HW101", "latin.cu:2 HW101",
                                         "le.cu:1 HW101", "mark.cu:1 HW101"));
}

TEST_F(Engine, ReadsALineOfTenMegabytes) {
  std::string line = "__device__ bool f(int n) { return __any(n < WARP_SIZE); } int x[] = {";
  while (line.size() < 10'000'000) line += "0x1234, ";
  file("a.cu", line + "}; constexpr int WARP_SIZE = 32;");
  file("a.py", "x = [" + std::string(10'000'000, '1') + "]");
  const Report report = run();
  ASSERT_THAT(places(report), ElementsAre("a.cu:1 HW101"));
  EXPECT_LE(report.findings[0].line.text.size(), 1000U);
  EXPECT_THAT(report.findings[0].line.text, HasSubstr("WARP_SIZE = 32"));
}

TEST_F(Engine, ReadsDeepNesting) {
  file("a.cu", std::string(300'000, '(') + kBad);
  file("b.py", std::string(300'000, '['));
  EXPECT_EQ(run().statistics.files, 2U);
}

TEST_F(Engine, FingerprintsSurviveMovedLines) {
  const std::string twice = "#define WARP_SIZE 32\n#undef WARP_SIZE\n#define WARP_SIZE 32\n";
  const std::string use = "__device__ bool f(int n) { return __any(n < WARP_SIZE); }\n";
  file("a.cu", twice + use);
  const Report before = run();
  ASSERT_EQ(before.findings.size(), 2U);
  EXPECT_NE(before.findings[0].fingerprint, before.findings[1].fingerprint);
  Options known = options();
  for (const Finding& finding : before.findings) known.baseline.push_back(finding.fingerprint);
  file("a.cu", "int moved;\n\n" + twice + use);
  EXPECT_THAT(places(run(known)), IsEmpty());
  EXPECT_EQ(run(known).statistics.in_baseline, 2U);
  file("a.cu", twice + "#undef WARP_SIZE\n#define WARP_SIZE 32\n" + use);
  EXPECT_THAT(places(run(known)), ElementsAre("a.cu:5 HW101")) << "a third one is new";
}

TEST_F(Engine, FingerprintsDoNotDependOnWhereItIsStarted) {
  file("csrc/a.cu", kBad);
  Options top = options();
  top.project = root();
  Options below = top;
  below.root = root() / "csrc";
  ASSERT_EQ(run(below).findings.size(), 1U);
  EXPECT_EQ(run(below).findings[0].path, "a.cu");
  EXPECT_EQ(run(top).findings[0].fingerprint, run(below).findings[0].fingerprint);
}

TEST_F(Engine, PatternsCountFromTheProject) {
  file("csrc/gen/a.cu", kBad);
  file("csrc/b.cu", kBad);
  Options below = options();
  below.root = root() / "csrc";
  below.project = root();
  below.exclude = {"/csrc/gen/"};
  below.per_file_ignores = {{"/csrc/b.cu", {"HW1"}}};
  EXPECT_THAT(places(run(below)), IsEmpty());
  EXPECT_EQ(run(below).statistics.files, 1U);
}

// Who compiles a file is asked of the whole project, whatever part of it is looked at.
TEST_F(Engine, FilesBuiltOnlyForCudaHaveNoFindings) {
  file("CMakeLists.txt",
       "set(SRCS csrc/both.cu)\n"
       "if(NOT USE_ROCM)\n  list(APPEND SRCS csrc/nvidia.cu)\nendif()\n"
       "add_library(ops ${SRCS})\n");
  file("csrc/both.cu", kBad);
  file("csrc/nvidia.cu", std::string("#include \"nvidia.cuh\"\n") + kBad);
  file("csrc/nvidia.cuh", kBad);
  EXPECT_THAT(places(run()), ElementsAre("csrc/both.cu:1 HW101"));
  Options part = options();
  part.paths = {"csrc/nvidia.cuh", "csrc/both.cu"};
  EXPECT_THAT(places(run(part)), ElementsAre("csrc/both.cu:1 HW101"));
  Options below = options();
  below.root = root() / "csrc";
  below.project = root();
  EXPECT_THAT(places(run(below)), ElementsAre("both.cu:1 HW101"));
  std::filesystem::create_directories(root() / "elsewhere");
  Options outside = options();
  outside.root = root() / "elsewhere";
  outside.project = root();
  outside.paths = {"../csrc", root() / "csrc/both.cu"};
  EXPECT_EQ(run(outside).statistics.files, 3U) << "one of them by its absolute path too";
  for (const Finding& finding : run(outside).findings)
    EXPECT_THAT(finding.path, testing::EndsWith("both.cu"));
}

// A size of a warp that nothing crosses lanes with: only a build that is AMD's, too, makes it one
// to look at, and not where the size is handed on as that of a group.
TEST_F(Engine, WarpSizesInFilesBuiltForAmd) {
  const std::string granted =
      "__device__ int f(int n) {\n  constexpr int WARP_SIZE = 32;\n  return n / WARP_SIZE;\n}\n";
  file("CMakeLists.txt",
       "set(SRCS copy.cu groups.cu)\n"
       "if(NOT USE_ROCM)\n  list(APPEND SRCS nvidia.cu)\nendif()\n"
       "add_library(ops ${SRCS})\n");
  file("copy.cu", granted);
  file("nvidia.cu", granted);
  file("groups.cu",
       "__device__ int f(int n) {\n  constexpr int WARP_SIZE = 32;\n"
       "  return sum<WARP_SIZE>(n);\n}\n");
  const Report report = run();
  EXPECT_THAT(places(report), ElementsAre("copy.cu:2 HW101"));
  ASSERT_FALSE(report.findings.empty());
  EXPECT_EQ(report.findings[0].confidence, Confidence::kMedium) << "a list says that AMD builds it";
  std::filesystem::remove(root() / "CMakeLists.txt");
  EXPECT_THAT(places(run()), IsEmpty());
}

TEST_F(Engine, RejectsMissingPaths) {
  Options wrong = options();
  wrong.paths = {"nowhere.cu"};
  ASSERT_FALSE(lint(wrong));
  EXPECT_THAT(lint(wrong).error().message(), HasSubstr("nowhere.cu"));
  EXPECT_FALSE(lint({.root = root(), .select = {"HW999"}}));
}

}  // namespace
}  // namespace hipwright::lint
