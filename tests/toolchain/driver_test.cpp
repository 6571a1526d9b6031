// SPDX-License-Identifier: MIT
#include "toolchain/driver.h"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "toolchain/response_file.h"

namespace hipwright::toolchain {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

const DriverEnvironment kWorld{.clang = {"/llvm/bin/clang++-22", "22.1", "/llvm/lib/clang/22"},
                               .sdk = {.prefix = "/sdk"},
                               .default_archs = {}};

std::vector<std::string> words(const char* line) {
  std::vector<std::string> split;
  std::string word;
  for (const char* c = line;; ++c) {
    if (*c != ' ' && *c != '\0') {
      word += *c;
    } else {
      if (!word.empty()) split.push_back(std::exchange(word, {}));
      if (*c == '\0') return split;
    }
  }
}

DriverPlan plan(const char* line, const DriverEnvironment& world = kWorld) {
  return plan_own(parse_driver_words(words(line)).value(), world).value();
}

std::string line_of(const DriverPlan& made) {
  std::string line;
  for (const std::string& word : made.argv) line += word + " ";
  return line;
}

TEST(Driver, HipccCompilesCxxSourcesAsHipAndLinksTheRuntime) {
  const std::string line = line_of(plan("--arch gfx942,MI250X -O3 main.cpp helper.o -o app"));
  EXPECT_THAT(line, HasSubstr("--offload-arch=gfx942 --offload-arch=gfx90a "));
  EXPECT_THAT(line, HasSubstr("-x hip main.cpp -x none helper.o "));
  EXPECT_THAT(line, HasSubstr("-nogpuinc "));
  EXPECT_THAT(line, HasSubstr("-isystem /sdk/include "));
  EXPECT_THAT(line, HasSubstr("--rocm-device-lib-path=/sdk/amdgcn/bitcode "));
  EXPECT_THAT(line, HasSubstr("-L/sdk/lib -lamdhip64 "));
}

TEST(Driver, ValuesOfOptionsAreNotTakenForInputs) {
  const std::string line =
      line_of(plan("-c -I x.cpp -include y.cpp -MF d.cpp -Xclang z.cpp -o out.cpp k.hip"));
  EXPECT_THAT(line, Not(HasSubstr("-x hip x.cpp")));
  EXPECT_THAT(line, Not(HasSubstr("-x hip y.cpp")));
  EXPECT_THAT(line, Not(HasSubstr("-x hip out.cpp")));
  EXPECT_THAT(line, HasSubstr("-x hip k.hip -x none"));
}

TEST(Driver, TheUsersLanguageIsKept) {
  EXPECT_THAT(line_of(plan("-x c++ -c a.cpp")), Not(HasSubstr("-x hip")));
  EXPECT_THAT(line_of(plan("-xhip -c a.cpp")), HasSubstr("-nogpuinc"));
  EXPECT_THAT(line_of(plan("-c a.c")), Not(HasSubstr("-x hip")));
  EXPECT_THAT(line_of(plan("--arch gfx942 -fopenmp=libgomp -c a.c")), Not(HasSubstr("gfx942")));
}

TEST(Driver, ClangModeAddsPathsOnlyWhereHipIsCompiled) {
  const std::string plain = line_of(plan("--driver=clang++ -c a.cpp"));
  EXPECT_THAT(plain, Not(HasSubstr("-nogpuinc")));
  EXPECT_THAT(plain, Not(HasSubstr("-x hip")));
  const std::string hip = line_of(plan("--driver=clang++ --offload-arch=gfx1100 -x hip -c a.cpp"));
  EXPECT_THAT(hip, HasSubstr("-nogpuinc"));
  const std::string link = line_of(plan("--driver=clang++ --hip-link a.o -o a"));
  EXPECT_THAT(link, HasSubstr("-lamdhip64"));
  EXPECT_THAT(line_of(plan("--driver=clang++ a.o -o a")), Not(HasSubstr("-lamdhip64")));
}

TEST(Driver, TargetsComeFromTheUserThenTheMachineThenGfx942WithANote) {
  EXPECT_THAT(line_of(plan("--offload-arch=gfx908 -c k.hip")), Not(HasSubstr("gfx942")));
  DriverEnvironment with_gpu = kWorld;
  with_gpu.default_archs = {"gfx1100"};
  const DriverPlan local = plan("-c k.hip", with_gpu);
  EXPECT_THAT(local.argv, Contains("--offload-arch=gfx1100"));
  EXPECT_TRUE(local.notes.empty());
  const DriverPlan fallback = plan("-c k.hip");
  EXPECT_THAT(fallback.argv, Contains("--offload-arch=gfx942"));
  ASSERT_EQ(fallback.notes.size(), 1U);
  EXPECT_THAT(fallback.notes.front(), HasSubstr("--arch"));
}

TEST(Driver, HipccOptimisesUnlessTold) {
  EXPECT_THAT(plan("-c k.hip").argv, Contains("-O3"));
  EXPECT_THAT(plan("-O1 -c k.hip").argv, Not(Contains("-O3")));
  EXPECT_THAT(plan("--driver=clang++ -x hip -c k.hip").argv, Not(Contains("-O3")));
}

TEST(Driver, Wave64OnRdnaReachesTheHeaders) {
  EXPECT_THAT(line_of(plan("--arch gfx1100 -mwavefrontsize64 -c k.hip")),
              HasSubstr("-Xarch_device -D__HW_WAVE_SIZE=64"));
}

TEST(Driver, QueriesPassThroughUnchanged) {
  const DriverPlan query = plan("--version");
  EXPECT_THAT(line_of(query), Not(HasSubstr("offload-arch")));
  EXPECT_THAT(line_of(query), Not(HasSubstr("-lamdhip64")));
  EXPECT_TRUE(query.notes.empty());
  EXPECT_TRUE(query.outputs.empty());
}

TEST(Driver, KnowsWhereTheCodeObjectsEndUp) {
  using testing::ElementsAre;
  using testing::IsEmpty;
  EXPECT_THAT(plan("k.hip").outputs, ElementsAre("a.out"));
  EXPECT_THAT(plan("k.hip -o app").outputs, ElementsAre("app"));
  EXPECT_THAT(plan("-oapp k.hip").outputs, ElementsAre("app"));
  EXPECT_THAT(plan("-c dir/k.hip other.cpp").outputs, ElementsAre("k.o", "other.o"));
  EXPECT_THAT(plan("-E k.hip").outputs, IsEmpty());
  EXPECT_THAT(plan("-fsyntax-only k.hip").outputs, IsEmpty());
  EXPECT_THAT(plan("--cuda-device-only -c k.hip").outputs, IsEmpty());
}

TEST(Driver, HipccsOwnSpellingsAreUnderstood) {
  EXPECT_THAT(plan("--amdgpu-target=gfx90a -c k.hip").argv, Contains("--offload-arch=gfx90a"));
  EXPECT_THAT(plan("--genco k.hip -o k.co").argv, Contains("--cuda-device-only"));
  EXPECT_THAT(plan("-parallel-jobs=4 -c k.hip").argv, Contains("--offload-jobs=4"));
  EXPECT_THAT(plan("-M k.hip").argv, Contains("--cuda-host-only"));
  const std::string mixed = line_of(plan("-c a.c k.cpp"));
  EXPECT_THAT(mixed, HasSubstr("-x c a.c -x none -x hip k.cpp -x none"));
  EXPECT_THAT(mixed, HasSubstr("-D__HIP_PLATFORM_AMD__=1"));
  setenv("HIPCC_COMPILE_FLAGS_APPEND", "-g '-DX=a b'", 1);
  EXPECT_THAT(plan("-c k.hip").argv, Contains("-DX=a b"));
  unsetenv("HIPCC_COMPILE_FLAGS_APPEND");
}

TEST(Driver, ResponseFilesAreExpandedAsAShellWould) {
  EXPECT_THAT(response_file_words("-c  'a b.hip'\n-DX=\\\"q\\\" \"c d\" ''"),
              testing::ElementsAre("-c", "a b.hip", "-DX=\"q\"", "c d", ""));
  const auto folder = TemporaryDirectory::create().value();
  ASSERT_TRUE(write_file_atomic(folder.path() / "words", "-c k.cpp -O1\n"));
  const std::string line = line_of(plan(("@" + (folder.path() / "words").string()).c_str()));
  EXPECT_THAT(line, HasSubstr("-x hip k.cpp -x none"));
  EXPECT_THAT(plan("@none -c k.hip").argv, Contains("@none"));
}

TEST(Driver, UnknownOffloadArchGetsAHint) {
  const DriverPlan made = plan("--offload-arch=gfx924 -c k.hip");
  ASSERT_EQ(made.notes.size(), 1U);
  EXPECT_THAT(made.notes.front(), HasSubstr("gfx942"));
  EXPECT_TRUE(plan("--offload-arch=gfx942 -c k.hip").notes.empty());
}

TEST(Driver, BadWordsAreErrorsThatSayWhatToDo) {
  const auto arch = parse_driver_words(words("--arch gfx924 -c k.hip"));
  ASSERT_FALSE(arch);
  EXPECT_THAT(arch.error().message(), HasSubstr("gfx942"));
  EXPECT_FALSE(parse_driver_words(words("--sdk cuda k.hip")));
  EXPECT_FALSE(parse_driver_words(words("k.hip --arch")));
  EXPECT_FALSE(parse_driver_words(words("k.hip --resources=table")));
}

TEST(Driver, RocmGetsTheSameCallWithItsOwnDriver) {
  const auto request = parse_driver_words(words("--arch gfx942 -O3 main.cpp -o app")).value();
  const DriverPlan made = plan_rocm(request, {"/opt/rocm", "6.4.0"});
  EXPECT_THAT(made.argv, testing::ElementsAre("/opt/rocm/bin/hipcc", "--offload-arch=gfx942", "-O3",
                                              "main.cpp", "-o", "app"));
}

}  // namespace
}  // namespace hipwright::toolchain
