// SPDX-License-Identifier: MIT
#include "port/output/merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/process.h"
#include "port/output/output.h"
#include "port/port.h"

namespace hipwright::port {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kCuda =
    "#include <cuda_runtime.h>\n\nvoid f(float** p) {\n  cudaMalloc(p, 4);\n}\n\nint a;\nint "
    "b;\nint c;\n";

class Merge : public testing::Test {
 protected:
  void SetUp() override {
    if (!find_program("git")) GTEST_SKIP() << "not run: git is not installed";
    auto made = TemporaryDirectory::create();
    ASSERT_TRUE(made);
    scratch_.emplace(*std::move(made));
    root_ = scratch_->path() / "tree";
    out_ = scratch_->path() / "out";
  }
  static void write(const fs::path& path, const std::string& content) {
    ASSERT_TRUE(make_directories(path.parent_path()));
    ASSERT_TRUE(write_file_atomic(path, content));
  }
  Merged port_again() const {
    Options options;
    options.path = root_;
    options.mode = Mode::kHip;
    const auto ported = port(options);
    EXPECT_TRUE(ported);
    auto merged = write_tree(*ported, out_);
    EXPECT_TRUE(merged) << merged.error().message();
    for (const auto& entry : fs::directory_iterator(scratch_->path()))
      EXPECT_TRUE(entry.path() == root_ || entry.path() == out_) << entry.path();
    return merged ? *std::move(merged) : Merged{};
  }
  std::string text(const std::string& path) const {
    return read_file(out_ / path).value_or("none");
  }
  static std::string with(std::string text, const std::string& old, const std::string& now) {
    return text.replace(text.find(old), old.size(), now);
  }

  std::optional<TemporaryDirectory> scratch_;
  fs::path root_, out_;
};

TEST_F(Merge, TakesWhatIsNewAndKeepsWhatPeopleDid) {
  write(root_ / "a.cu", kCuda);
  write(root_ / "b.cu", kCuda);
  write(root_ / "gone.cu", kCuda);
  write(root_ / "data.bin", std::string("\0\1", 2));
  port_again();
  // By hand, in the port:
  write(out_ / "a.cu", with(text("a.cu"), "int c;\n", "int c;\nint by_hand;\n"));
  write(out_ / "mine.txt", "mine\n");
  // Upstream:
  write(root_ / "a.cu", with(kCuda, "cudaMalloc(p, 4);", "cudaMalloc(p, 8);\n  cudaFree(*p);"));
  write(root_ / "b.cu", with(kCuda, "int a;", "int aa;"));
  write(root_ / "sub/new.cu", kCuda);
  write(root_ / "data.bin", std::string("\0\2", 2));
  fs::remove(root_ / "gone.cu");

  const Merged merged = port_again();
  EXPECT_TRUE(merged.conflicts.empty());
  EXPECT_EQ(merged.merged, 1U);
  EXPECT_EQ(merged.updated, 3U);
  EXPECT_EQ(merged.removed, 1U);
  EXPECT_THAT(text("a.cu"), HasSubstr("hipMalloc(p, 8);\n  hipFree(*p);"));
  EXPECT_THAT(text("a.cu"), HasSubstr("int by_hand;"));
  EXPECT_THAT(text("b.cu"), HasSubstr("int aa;"));
  EXPECT_THAT(text("sub/new.cu"), HasSubstr("hipMalloc"));
  EXPECT_EQ(text("data.bin"), std::string("\0\2", 2));
  EXPECT_EQ(text("mine.txt"), "mine\n");
  EXPECT_FALSE(fs::exists(out_ / "gone.cu"));

  // Once more without news: the hand edit is all that differs.
  const std::string before = text("a.cu");
  const Merged again = port_again();
  EXPECT_EQ(again.updated + again.merged + again.removed, 0U);
  EXPECT_EQ(text("a.cu"), before);
}

TEST_F(Merge, MarksConflictsAndNamesThem) {
  write(root_ / "a.cu", kCuda);
  write(root_ / "b.cu", kCuda);
  port_again();
  write(out_ / "a.cu", with(text("a.cu"), "hipMalloc(p, 4)", "hipMalloc(p, 5)"));
  fs::remove(out_ / "b.cu");
  write(root_ / "a.cu", with(kCuda, "cudaMalloc(p, 4)", "cudaMalloc(p, 6)"));
  write(root_ / "b.cu", with(kCuda, "int a;", "int aa;"));
  const Merged merged = port_again();
  ASSERT_EQ(merged.conflicts.size(), 2U);
  EXPECT_EQ(merged.conflicts[0].path, "a.cu");
  EXPECT_THAT(merged.conflicts[0].what, HasSubstr("same lines"));
  EXPECT_THAT(
      text("a.cu"),
      HasSubstr("<<<<<<< yours\n  hipMalloc(p, 5);\n=======\n  hipMalloc(p, 6);\n>>>>>>> port\n"));
  EXPECT_THAT(merged.conflicts[1].what, HasSubstr("removed"));
  EXPECT_FALSE(fs::exists(out_ / "b.cu"));
}

TEST_F(Merge, BothVersionsOfWhatIsNoTextStay) {
  write(root_ / "data.bin", std::string("\0\1", 2));
  write(root_ / "a.cu", kCuda);
  port_again();
  write(out_ / "data.bin", std::string("\0\3", 2));
  write(root_ / "data.bin", std::string("\0\2", 2));
  const Merged merged = port_again();
  ASSERT_EQ(merged.conflicts.size(), 1U);
  EXPECT_EQ(text("data.bin"), std::string("\0\3", 2));
  EXPECT_EQ(text("data.bin.port"), std::string("\0\2", 2));
}

TEST_F(Merge, ALinkThatSomebodyMadeIsNotWrittenThrough) {
  write(root_ / "a.cu", kCuda);
  port_again();
  fs::rename(out_ / "a.cu", root_ / "elsewhere.txt");
  fs::create_symlink(root_ / "elsewhere.txt", out_ / "a.cu");
  const std::string before = *read_file(root_ / "elsewhere.txt");
  write(root_ / "a.cu", with(kCuda, "int a;", "int aa;"));
  const Merged merged = port_again();
  ASSERT_EQ(merged.conflicts.size(), 1U);
  EXPECT_EQ(*read_file(root_ / "elsewhere.txt"), before);
}

TEST_F(Merge, LinksFollowTheSources) {
  write(root_ / "a.cu", kCuda);
  fs::create_symlink("a.cu", root_ / "b.cu");
  port_again();
  fs::remove(root_ / "b.cu");
  fs::create_symlink("a.cu", root_ / "c.cu");
  const Merged merged = port_again();
  EXPECT_TRUE(merged.conflicts.empty());
  EXPECT_FALSE(fs::exists(fs::symlink_status(out_ / "b.cu")));
  EXPECT_EQ(fs::read_symlink(out_ / "c.cu"), "a.cu");
}

TEST_F(Merge, AFileThatIsGoneHereOrThere) {
  write(root_ / "same.cu", kCuda);
  write(root_ / "newer.cu", kCuda);
  write(root_ / "older.cu", kCuda);
  write(root_ / "edited.cu", kCuda);
  port_again();
  fs::remove(out_ / "same.cu");
  fs::remove(out_ / "newer.cu");
  write(out_ / "edited.cu", text("edited.cu") + "// by hand\n");
  write(root_ / "newer.cu", with(kCuda, "int a;", "int aa;"));
  fs::remove(root_ / "older.cu");
  fs::remove(root_ / "edited.cu");
  const Merged merged = port_again();
  EXPECT_EQ(text("same.cu"), "none");   // as you have it
  EXPECT_EQ(text("older.cu"), "none");  // as the sources have it
  ASSERT_EQ(merged.conflicts.size(), 2U);
  EXPECT_EQ(merged.conflicts[0].path, "edited.cu");
  EXPECT_THAT(text("edited.cu"), HasSubstr("// by hand"));
  EXPECT_EQ(merged.conflicts[1].path, "newer.cu");
}

TEST_F(Merge, AStateThatIsDamagedOrOfAnotherVersionIsSaid) {
  write(root_ / "a.cu", kCuda);
  port_again();
  const std::string before = text("a.cu");
  write(root_ / "a.cu", with(kCuda, "int a;", "int aa;"));
  Options options;
  options.path = root_;
  options.mode = Mode::kHip;
  for (const char* state : {"{", "{\"version\": 2, \"files\": {}}"}) {
    write(out_ / ".hipwright/port/state.json", state);
    const auto merged = write_tree(*port(options), out_);
    ASSERT_FALSE(merged);
    EXPECT_THAT(merged.error().message(), HasSubstr("state.json"));
    EXPECT_EQ(text("a.cu"), before);
  }
}

TEST(PortState, MayNotLeadOutOfTheTree) {
  PortState state;
  state.files = {{"a b%.cu", "1"}, {"caf\xE9", "2"}};
  const auto back = parse_state(state_text(state), "s");
  ASSERT_TRUE(back);
  EXPECT_EQ(back->files, state.files);
  for (const char* text : {"", "{}", R"({"version":1,"files":{"../a":"1"}})",
                           R"({"version":1,"files":{"a":""}})", R"({"version":1,"files":{"a":1}})"})
    EXPECT_FALSE(parse_state(text, "s")) << text;
}

// A build that collects sources in all folders compiles each of them once.
TEST_F(Merge, KeepsNothingThatLooksLikeASource) {
  write(root_ / "src" / "a.cu", kCuda);
  port_again();
  int sources = 0;
  for (const auto& entry : fs::recursive_directory_iterator(out_))
    sources += entry.path().extension() == ".cu";
  EXPECT_EQ(sources, 1);
}

}  // namespace
}  // namespace hipwright::port
