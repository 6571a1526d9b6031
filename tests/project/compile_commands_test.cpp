// SPDX-License-Identifier: MIT
#include "project/build/compile_commands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "project/folder.h"
#include "project/tree.h"

namespace hipwright::project {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

TEST(ShellWords, AreThoseOfAShell) {
  EXPECT_THAT(shell_words(R"(nvcc -DA="b c" '-D B=\x' d\ e  "f\"g" '')"),
              ElementsAre("nvcc", "-DA=b c", "-D B=\\x", "d e", "f\"g", ""));
  EXPECT_THAT(shell_words(" \t\n"), ElementsAre());
}

class CompileCommandsTest : public FolderTest {
 protected:
  CompileCommands parse(const std::string& text) const {
    const auto commands = parse_compile_commands(text, "compile_commands.json", root());
    EXPECT_TRUE(commands) << commands.error().message();
    return commands.value_or(CompileCommands());
  }
  // With ROOT for the folder of the tree.
  std::string of_root(std::string text) const {
    for (std::size_t at = text.find("ROOT"); at != std::string::npos; at = text.find("ROOT"))
      text.replace(at, 4, root().string());
    return text;
  }
};

TEST_F(CompileCommandsTest, ApplyFlagsToTheirSources) {
  file("build/includes.rsp", "-I\"a b\" -I../generated\n");
  const CompileCommands commands = parse(of_root(R"([
    {"directory": "ROOT/build", "file": "ROOT/src/a.cu",
     "command": "ccache nvcc -DN=4 -D FAST --options-file includes.rsp -isystem=ROOT/third -std=c++20 -x cu -c ROOT/src/a.cu"},
    {"directory": "ROOT", "file": "b.cpp", "arguments": ["hipcc", "-I", "inc", "-I..", "-I/usr/include/x", "-fgpu-rdc"]},
    {"directory": "ROOT", "file": "b.cpp", "command": "hipcc -DSECOND"},
    {"directory": "/elsewhere", "file": "c.cu", "command": "nvcc"}, 3, {}])"));
  ASSERT_EQ(commands.size(), 2U);
  const CompileCommand& a = commands.at("src/a.cu");
  EXPECT_THAT(a.flags.macros, ElementsAre(Pair("FAST", ""), Pair("N", "=4")));
  EXPECT_THAT(a.flags.folders, ElementsAre("build/a b", "generated", "third"));
  EXPECT_EQ(a.flags.standard, 20);
  EXPECT_TRUE(a.is_for_nvidia);
  EXPECT_FALSE(a.is_for_amd);
  const CompileCommand& b = commands.at("b.cpp");
  EXPECT_THAT(b.flags.folders, ElementsAre("inc", "..", "/usr/include/x"));
  EXPECT_TRUE(b.flags.macros.empty());
  EXPECT_TRUE(b.flags.links_device_code);
  EXPECT_TRUE(b.is_for_amd);
}

TEST_F(CompileCommandsTest, OmitCudaHeaders) {
  const auto toolkit = TemporaryDirectory::create();
  ASSERT_TRUE(write_file_atomic(toolkit->path() / "cuda_runtime.h", ""));
  const CompileCommands commands =
      parse(of_root(R"([{"directory": "ROOT", "file": "a.cu", "command": "nvcc -I)" +
                    toolkit->path().string() + R"( -Iinc"}])"));
  EXPECT_THAT(commands.at("a.cu").flags.folders, ElementsAre("inc"));
}

TEST_F(CompileCommandsTest, OfATreeAreInItsRootOrItsBuildFolder) {
  EXPECT_EQ(find_compile_commands(root()), "");
  file("build/compile_commands.json", "[]");
  EXPECT_EQ(find_compile_commands(root()), root() / "build/compile_commands.json");
  file("compile_commands.json", "[]");
  EXPECT_EQ(find_compile_commands(root()), root() / "compile_commands.json");
  EXPECT_EQ(find_compile_commands(root() / "src"), "") << "not above a project";
  file(".git/HEAD");
  EXPECT_EQ(find_compile_commands(root() / "src"), root() / "compile_commands.json");
}

TEST_F(CompileCommandsTest, ThatCannotBeReadAreReported) {
  for (const char* text : {"", "{}", "[", "3"})
    EXPECT_FALSE(parse_compile_commands(text, "x.json", root())) << text;
  file("a.cu", "int x;\n");
  file("compile_commands.json", "{}");
  ThreadPool pool(1);
  const auto tree = read_tree(root(), {}, pool);
  ASSERT_TRUE(tree) << tree.error().message();
  ASSERT_EQ(tree->not_read.size(), 1U);
  EXPECT_THAT(tree->not_read[0].path, HasSubstr("compile_commands.json"));
}

TEST_F(CompileCommandsTest, TellThePlatformOfASource) {
  const FileSet files{
      .paths = {"CMakeLists.txt", "a.cu", "b.cu", "c.cu"}, .read = [](const std::string&) {
        return std::optional<std::string>("if(USE_CUDA)\nadd_library(x a.cu b.cu)\nendif()\n");
      }};
  CompileCommands commands;
  commands["a.cu"].is_for_amd = true;
  commands["c.cu"].is_for_nvidia = true;
  BuiltFiles lists = read_build_lists(files);
  MacroWords words;
  commands["a.cu"].flags.macros["N"] = "=1";
  add_compile_commands(commands, files, lists, words);
  EXPECT_TRUE(words.contains(syntax::cuda::macro_key("N")));
  EXPECT_EQ(lists.at("a.cu"), (BuiltFor{Truth::kYes, Truth::kYes}));
  EXPECT_EQ(lists.at("b.cu"), (BuiltFor{Truth::kNo, Truth::kYes}));
  EXPECT_FALSE(lists.contains("c.cu")) << "a build for NVIDIA is no list of what AMD compiles";
}

}  // namespace
}  // namespace hipwright::project
