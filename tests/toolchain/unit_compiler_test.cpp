// SPDX-License-Identifier: MIT
#include "toolchain/compile/unit_compiler.h"

#include <cstdlib>
#include <optional>

#include <gtest/gtest.h>

#include "base/file.h"
#include "toolchain/probe.h"

namespace hipwright::toolchain {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSource =
    "#include \"scale.h\"\n"
    "#ifdef __HIP_DEVICE_COMPILE__\n"
    "#include \"device_only.h\"\n"
    "#endif\n"
    "__global__ void k(float* x) { *x *= kScale; }\n";

class UnitCompilerTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto clang = find_clang(); !clang)
      GTEST_SKIP() << "not run: " << clang.error().message();
    const char* home = std::getenv("XDG_CACHE_HOME");
    cache_home_ = home == nullptr ? "" : home;
    ::setenv("XDG_CACHE_HOME", folder_.path().c_str(), 1);
    compiler_.emplace(std::vector<std::string>{"gfx942"}, folder_.path() / "made");
    make_tree("tree");
  }

  void TearDown() override {
    if (cache_home_.empty())
      ::unsetenv("XDG_CACHE_HOME");
    else
      ::setenv("XDG_CACHE_HOME", cache_home_.c_str(), 1);
  }

  fs::path make_tree(const char* name) {
    const fs::path root = folder_.path() / name;
    EXPECT_TRUE(make_directories(root / "include"));
    write(root / "k.cu", std::string("#include <hip/hip_runtime.h>\n") + kSource);
    write(root / "include/scale.h", "constexpr float kScale = 2;\n");
    write(root / "device_only.h", "// nothing yet\n");
    return root;
  }

  static void write(const fs::path& path, const std::string& text) {
    EXPECT_TRUE(write_file_atomic(path, text));
  }

  CompiledUnit compile(const char* name = "tree", std::vector<std::string> flags = {}) {
    return compile(name, std::move(flags), *compiler_);
  }

  CompiledUnit compile(const char* name, std::vector<std::string> flags, UnitCompiler& compiler) {
    const fs::path root = folder_.path() / name;
    flags.push_back("-I" + (root / "include").string());
    Progress progress("compiling", 1, "files", standard_progress_output(true));
    const TranslationUnit unit{"k.cu", std::move(flags)};
    auto results = compiler.compile(root, {&unit, 1}, progress);
    EXPECT_TRUE(results.at(0)) << results[0].error().message();
    return *std::move(results[0]);
  }

  const TemporaryDirectory folder_ = TemporaryDirectory::create().value();
  std::optional<UnitCompiler> compiler_;
  std::string cache_home_;
};

TEST_F(UnitCompilerTest, CompilesAUnitOnce) {
  const CompiledUnit first = compile();
  ASSERT_TRUE(first.ok) << first.log;
  EXPECT_FALSE(first.is_reused);
  const CompiledUnit again = compile();
  EXPECT_TRUE(again.is_reused);
  EXPECT_EQ(again.object, first.object);
}

TEST_F(UnitCompilerTest, ReusesTheObjectForACopyOfTheTree) {
  ASSERT_TRUE(compile().ok);
  make_tree("copy");
  EXPECT_TRUE(compile("copy").is_reused);
}

TEST_F(UnitCompilerTest, CompilesAgainWhenAHeaderOfTheDeviceChanges) {
  ASSERT_TRUE(compile().ok);
  write(folder_.path() / "tree/device_only.h", "#error changed\n");
  const CompiledUnit changed = compile();
  EXPECT_FALSE(changed.ok);
  EXPECT_FALSE(changed.is_reused);
}

TEST_F(UnitCompilerTest, CompilesAgainWhenAnotherHeaderOfTheNameAppears) {
  ASSERT_TRUE(compile().ok);
  write(folder_.path() / "tree/scale.h", "constexpr float kScale = 3;\n");
  EXPECT_FALSE(compile().is_reused);
}

TEST_F(UnitCompilerTest, CompilesAgainWithOtherFlags) {
  ASSERT_TRUE(compile().ok);
  EXPECT_FALSE(compile("tree", {"-DN=1"}).is_reused);
}

TEST_F(UnitCompilerTest, NeverReusesWhatAComputedIncludeMayChange) {
  write(folder_.path() / "tree/k.cu", "#define NAME \"scale.h\"\n#include NAME\n");
  ASSERT_TRUE(compile().ok);
  EXPECT_FALSE(compile().is_reused);
}

// In the user's cache; the time of a compilation tells which one made an object.
TEST_F(UnitCompilerTest, ALaterProcessTakesTheObject) {
  const CompiledUnit first = compile();
  ASSERT_TRUE(first.ok);
  make_tree("copy");
  UnitCompiler later({"gfx942"}, folder_.path() / "later");
  const CompiledUnit again = compile("copy", {}, later);
  EXPECT_EQ(again.seconds, first.seconds);
  EXPECT_EQ(read_file(again.object).value(), read_file(first.object).value());
}

TEST_F(UnitCompilerTest, ALaterProcessCompilesWhatHasChanged) {
  const CompiledUnit first = compile();
  UnitCompiler other_target({"gfx1100"}, folder_.path() / "later");
  EXPECT_NE(compile("tree", {}, other_target).seconds, first.seconds);
  write(folder_.path() / "tree/include/scale.h", "constexpr float kScale = 3;\n");
  UnitCompiler later({"gfx942"}, folder_.path() / "much_later");
  const CompiledUnit changed = compile("tree", {}, later);
  EXPECT_NE(changed.seconds, first.seconds);
  EXPECT_NE(read_file(changed.object).value(), read_file(first.object).value());
}

TEST_F(UnitCompilerTest, OptionsThatNameFilesAreNotKept) {
  write(folder_.path() / "ignore", "fun:*\n");
  const std::string flag = "-fsanitize-ignorelist=" + (folder_.path() / "ignore").string();
  ASSERT_TRUE(compile("tree", {flag}).ok);
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "hipwright/objects"));
  ASSERT_TRUE(compile().ok);
  EXPECT_TRUE(std::filesystem::exists(folder_.path() / "hipwright/objects"));
}

TEST_F(UnitCompilerTest, NamesFilesOfTheTreeFromItsRoot) {
  write(folder_.path() / "tree/include/scale.h", "constexpr float kScale = two;\n");
  const CompiledUnit wrong = compile();
  EXPECT_FALSE(wrong.ok);
  ASSERT_FALSE(wrong.messages.empty());
  EXPECT_EQ(wrong.messages[0].file, "include/scale.h");
  EXPECT_EQ(wrong.messages[0].line, 1U);
}

}  // namespace
}  // namespace hipwright::toolchain
