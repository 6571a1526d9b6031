// SPDX-License-Identifier: MIT
#include "toolchain/compile/unit_compiler.h"

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
    make_tree("tree");
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
    const fs::path root = folder_.path() / name;
    flags.push_back("-I" + (root / "include").string());
    Progress progress("compiling", 1, "files", standard_progress_output(true));
    const TranslationUnit unit{"k.cu", std::move(flags)};
    auto results = compiler_.compile(root, {&unit, 1}, progress);
    EXPECT_TRUE(results.at(0)) << results[0].error().message();
    return *std::move(results[0]);
  }

  const TemporaryDirectory folder_ = TemporaryDirectory::create().value();
  UnitCompiler compiler_{{"gfx942"}, folder_.path() / "objects"};
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
