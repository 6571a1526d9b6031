// SPDX-License-Identifier: MIT
#include "toolchain/compile/precompiled_wrapper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/process.h"

namespace hipwright::toolchain {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;
using testing::UnorderedElementsAre;

const DriverEnvironment kWorld{.clang = {"/llvm/bin/clang++-22", "22.1", "/llvm/lib/clang/22"},
                               .sdk = {.prefix = "/sdk"},
                               .default_archs = {}};

std::optional<WrapperCall> call_of(std::vector<std::string> words) {
  return wrapper_call(plan_own(parse_driver_words(words).value(), kWorld).value());
}

TEST(WrapperCall, ListsSidesAndWhatChangesTheWrapper) {
  const auto call = call_of({"--arch", "gfx942,gfx1100", "-std=c++20", "-DA=1", "-D", "B", "-Iown",
                             "-isystem", "more", "-lm", "a.hip", "b.o", "-o", "program"});
  ASSERT_TRUE(call);
  EXPECT_THAT(call->sides, UnorderedElementsAre("gfx942", "gfx1100", "host"));
  EXPECT_THAT(call->options, IsSupersetOf({"-std=c++20", "-DA=1", "-D", "B", "-O3", "-nogpuinc"}));
  for (const char* other : {"-o", "program", "a.hip", "b.o", "-lm", "-Iown", "-include"})
    EXPECT_THAT(call->options, Not(Contains(other)));
  EXPECT_THAT(call->directories, ElementsAre("own", "more"));
}

TEST(WrapperCall, DeviceCodeAloneHasNoHostSide) {
  const auto call = call_of({"--arch", "gfx90a", "--genco", "a.hip", "-o", "a.co"});
  ASSERT_TRUE(call);
  EXPECT_THAT(call->sides, ElementsAre("gfx90a"));
}

TEST(WrapperCall, IsRejectedWhereTheResultCouldDiffer) {
  ASSERT_TRUE(call_of({"--arch", "gfx942", "-c", "a.hip"}));
  for (const char* word : {"-MD", "-M", "-E", "-fsyntax-only", "-nostdinc++", "-save-temps",
                           "--sysroot=/other", "-###"})
    EXPECT_FALSE(call_of({"--arch", "gfx942", word, "-c", "a.hip"})) << word;
  for (const char* word : {"-include", "-imacros", "-Xclang", "-Xarch_host", "-isysroot"})
    EXPECT_FALSE(call_of({"--arch", "gfx942", word, "value", "-c", "a.hip"})) << word;
  EXPECT_FALSE(call_of({"--arch", "gfx942", "-c", "-"}));
  EXPECT_FALSE(call_of({"--arch", "gfx942", "a.hip", "other.c", "-o", "program"}));
  EXPECT_FALSE(call_of({"a.o", "-o", "program"}));
  EXPECT_FALSE(call_of({"--version"}));
}

class PrecompiledWrapperTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto clang = find_hip_compiler();
    if (!clang) GTEST_SKIP() << "not run: " << clang.error().message();
    const auto device_libs = find_device_libs();
    if (!device_libs) GTEST_SKIP() << "not run: " << device_libs.error().message();
    world_.clang = *clang;
    world_.sdk = prepare_sdk(*clang, *device_libs).value();
    // A home of its own for the precompiled files.
    fs::create_directory_symlink(world_.sdk.prefix, prefix());
    world_.sdk.prefix = prefix();
    write("k.hip",
          "#include <hip/hip_runtime.h>\n"
          "#include <cmath>\n"
          "__global__ void k(float* x) { x[0] = std::sqrt(x[0]) + __gfx_name; }\n"
          "int main() { return 0; }\n");
  }

  fs::path prefix() const { return folder_.path() / "sdk"; }
  fs::path wrappers() const { return folder_.path() / "wrappers"; }
  void write(const std::string& name, const std::string& text) const {
    ASSERT_TRUE(write_file_atomic(folder_.path() / name, text));
  }

  DriverPlan plan(const std::string& archs, std::vector<std::string> more = {}) const {
    std::vector<std::string> words = {"--arch", archs, "-c", (folder_.path() / "k.hip").string(),
                                      "-o", object().string(), "-Wno-everything", "-D__gfx_name=1",
                                      // Otherwise the objects have a digest of the options in them.
                                      "-fuse-cuid=none"};
    words.insert(words.end(), more.begin(), more.end());
    return plan_own(parse_driver_words(words).value(), world_).value();
  }
  fs::path object() const { return folder_.path() / "k.o"; }

  static bool is_used(const DriverPlan& plan) { return plan.argv[*plan.wrapper] == "-include-pch"; }

  std::string compiled(const DriverPlan& plan) const {
    const auto finished = run({.argv = plan.argv});
    EXPECT_TRUE(finished && finished->ok()) << (finished ? finished->err : "");
    return read_file(object()).value_or("");
  }

  DriverEnvironment world_;
  const TemporaryDirectory folder_ = TemporaryDirectory::create().value();
};

TEST_F(PrecompiledWrapperTest, GivesTheSameObject) {
  const DriverPlan plain = plan("gfx942,gfx90a,gfx1100");
  DriverPlan fast = plain;
  use_precompiled_wrapper(fast, world_.sdk, Precompile::kNow);
  ASSERT_TRUE(is_used(fast));
  const std::string expected = compiled(plain);
  ASSERT_FALSE(expected.empty());
  EXPECT_TRUE(compiled(fast) == expected);
}

TEST_F(PrecompiledWrapperTest, IsMadeAtTheSecondUse) {
  DriverPlan first = plan("gfx942"), second = first;
  use_precompiled_wrapper(first, world_.sdk, Precompile::kOnSecondUse);
  EXPECT_FALSE(is_used(first));
  use_precompiled_wrapper(second, world_.sdk, Precompile::kOnSecondUse);
  EXPECT_TRUE(is_used(second));
}

// clang itself must reject the file of another target; that is what the directory relies on.
TEST_F(PrecompiledWrapperTest, OfAnotherTargetIsNeverRead) {
  DriverPlan made = plan("gfx90a");
  use_precompiled_wrapper(made, world_.sdk, Precompile::kNow);
  ASSERT_TRUE(is_used(made));
  for (std::string& word : made.argv)
    if (word == "--offload-arch=gfx90a") word = "--offload-arch=gfx942";
  const auto finished = run({.argv = made.argv});
  ASSERT_TRUE(finished);
  EXPECT_FALSE(finished->ok());
  EXPECT_THAT(finished->err, HasSubstr("no suitable precompiled header"));
}

TEST_F(PrecompiledWrapperTest, IsNotUsedWhereADirectoryProvidesOneOfItsHeaders) {
  ASSERT_TRUE(make_directories(folder_.path() / "own/bits"));
  const std::string option = "-I" + (folder_.path() / "own").string();
  DriverPlan harmless = plan("gfx942", {option});
  use_precompiled_wrapper(harmless, world_.sdk, Precompile::kNow);
  EXPECT_TRUE(is_used(harmless));
  for (const char* header : {"own/cmath", "own/math.h", "own/bits/stl_algobase.h"}) {
    write(header, "");
    DriverPlan shadowed = plan("gfx942", {option});
    use_precompiled_wrapper(shadowed, world_.sdk, Precompile::kNow);
    EXPECT_FALSE(is_used(shadowed)) << header;
    fs::remove(folder_.path() / header);
  }
}

TEST_F(PrecompiledWrapperTest, IsMadeAgainWhenItIsDamagedOrOld) {
  DriverPlan made = plan("gfx942");
  use_precompiled_wrapper(made, world_.sdk, Precompile::kNow);
  const std::string expected = compiled(made);
  for (const auto& entry : fs::recursive_directory_iterator(wrappers()))
    if (entry.path().extension() == ".files")
      ASSERT_TRUE(write_file_atomic(entry.path(), "/usr/include/math.h\tas it was before\n"));
  DriverPlan again = plan("gfx942");
  use_precompiled_wrapper(again, world_.sdk, Precompile::kNow);
  ASSERT_TRUE(is_used(again));
  EXPECT_TRUE(compiled(again) == expected);
  for (const auto& entry : fs::recursive_directory_iterator(wrappers()))
    if (entry.path().extension() == ".files")
      EXPECT_THAT(read_file(entry.path()).value(), Not(HasSubstr("as it was before")));
}

TEST_F(PrecompiledWrapperTest, AnUnusableCacheChangesNothing) {
  ASSERT_TRUE(write_file_atomic(wrappers(), "a file"));
  DriverPlan plain = plan("gfx942");
  const std::vector<std::string> before = plain.argv;
  use_precompiled_wrapper(plain, world_.sdk, Precompile::kNow);
  EXPECT_EQ(plain.argv, before);
}

}  // namespace
}  // namespace hipwright::toolchain
