// SPDX-License-Identifier: MIT
#include "port/output/output.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "base/process.h"
#include "port/port.h"

namespace hipwright::port {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* kCuda =
    "#include <cuda_runtime.h>\nvoid f(float** p) { cudaMalloc(p, 4); }\n";

class Output : public testing::Test {
 protected:
  void SetUp() override {
    auto made = TemporaryDirectory::create();
    ASSERT_TRUE(made);
    scratch_.emplace(*std::move(made));
    root_ = scratch_->path() / "tree";
    out_ = scratch_->path() / "out";
    ASSERT_TRUE(make_directories(root_));
  }
  void file(const std::string& path, const std::string& content, mode_t mode = 0644) {
    ASSERT_TRUE(make_directories((root_ / path).parent_path()));
    ASSERT_TRUE(write_file_atomic(root_ / path, content));
    ASSERT_EQ(::chmod((root_ / path).c_str(), mode), 0);
    const timespec old[2] = {{1'000'000'000, 123}, {1'100'000'000, 987'654'321}};
    ASSERT_EQ(::utimensat(AT_FDCWD, (root_ / path).c_str(), old, 0), 0);
  }
  Ported ported(const fs::path& path, Mode mode = Mode::kHip) const {
    Options options;
    options.path = path;
    options.mode = mode;
    auto result = port(options);
    EXPECT_TRUE(result);
    return *std::move(result);
  }
  static struct stat info_of(const fs::path& path) {
    struct stat info {};
    EXPECT_EQ(::lstat(path.c_str(), &info), 0) << path;
    return info;
  }

  std::optional<TemporaryDirectory> scratch_;
  fs::path root_, out_;
};

TEST_F(Output, HeadersOutsideOfTheFolderAreTold) {
  ASSERT_TRUE(make_directories(root_ / "../common"));
  ASSERT_TRUE(write_file_atomic(root_ / "../common/timer.h", "double now();\n"));
  ASSERT_TRUE(write_file_atomic(root_ / "../common/check.h", kCuda));
  ASSERT_TRUE(write_file_atomic(root_ / "Makefile", "a: a.cu\n\tnvcc -I../common a.cu\n"));
  ASSERT_TRUE(write_file_atomic(root_ / "a.cu",
                                "#include <cuda_runtime.h>\n#include \"timer.h\"\n"
                                "#include \"check.h\"\n#include \"../common/check.h\"\n"));
  const auto ported = port({.path = root_, .mode = Mode::kHip});
  ASSERT_TRUE(ported) << ported.error().message();
  std::vector<std::string> said;
  for (const PortedFile& file : ported->files)
    for (const Diagnostic& each : file.diagnostics)
      said.push_back(fmt::format("{}:{}: {}", each.code, each.position.line, each.message));
  const std::string why = " ../common/check.h is outside the ported directory and uses CUDA";
  EXPECT_EQ(said, (std::vector<std::string>{"HP217:3:" + why, "HP217:4:" + why}));
}

TEST_F(Output, ATreeKeepsModesTimesAndLinks) {
  file("a.cu", kCuda, 0750);
  file("sub/tool.sh", "#!/bin/sh\n", 0755);
  file("sub/locked.bin", std::string("\0\1", 2), 0400);
  file(".git/config", "");
  file(".hipwright/port/1/x", "");
  fs::create_symlink("a.cu", root_ / "link.cu");
  fs::create_symlink("/nowhere", root_ / "dangling");
  ASSERT_EQ(::chmod((root_ / "sub").c_str(), 0555), 0);
  const auto written = write_tree(ported(root_), out_);
  ASSERT_EQ(::chmod((root_ / "sub").c_str(), 0755), 0);
  ASSERT_TRUE(written) << written.error().message();
  EXPECT_THAT(*read_file(out_ / "a.cu"), HasSubstr("hipMalloc"));
  EXPECT_EQ(info_of(out_ / "a.cu").st_mode & 07777, 0750U);
  for (const char* path : {"sub/tool.sh", "sub/locked.bin", "link.cu"}) {
    const auto before = info_of(root_ / path);
    const auto after = info_of(out_ / path);
    EXPECT_EQ(after.st_mode, before.st_mode) << path;
    EXPECT_EQ(after.st_mtim.tv_sec, before.st_mtim.tv_sec) << path;
    EXPECT_EQ(after.st_mtim.tv_nsec, before.st_mtim.tv_nsec) << path;
  }
  EXPECT_EQ(info_of(out_ / "sub").st_mode & 07777, 0555U);
  ASSERT_EQ(::chmod((out_ / "sub").c_str(), 0755), 0);
  EXPECT_EQ(fs::read_symlink(out_ / "link.cu"), "a.cu");
  EXPECT_EQ(fs::read_symlink(out_ / "dangling"), "/nowhere");
  EXPECT_FALSE(fs::exists(out_ / ".git"));
  EXPECT_FALSE(fs::exists(out_ / ".hipwright/port/1"));
  EXPECT_EQ(*read_file(root_ / "a.cu"), kCuda);
}

TEST_F(Output, ATreeNeedsAFolderOfItsOwn) {
  file("a.cu", kCuda);
  const Ported what = ported(root_);
  EXPECT_THAT(write_tree(what, root_ / "out").error().message(), HasSubstr("inside"));
  fs::create_directory_symlink(root_, scratch_->path() / "alias");
  EXPECT_THAT(write_tree(what, scratch_->path() / "alias/out").error().message(),
              HasSubstr("inside"));
  ASSERT_TRUE(make_directories(out_));
  ASSERT_TRUE(write_file_atomic(out_ / "mine", "x"));
  EXPECT_THAT(write_tree(what, out_).error().message(), HasSubstr("not empty"));
  EXPECT_THAT(write_tree(what, out_ / "mine").error().message(), HasSubstr("not a directory"));
  fs::remove(out_ / "mine");
  EXPECT_TRUE(write_tree(what, out_));  // empty: fine
  EXPECT_TRUE(fs::exists(out_ / "a.cu"));
}

TEST_F(Output, OfOneFileOnlyThatIsWritten) {
  file("a.cu", kCuda);
  file("b.cu", kCuda);
  ASSERT_TRUE(write_tree(ported(root_ / "a.cu"), out_));
  EXPECT_TRUE(fs::exists(out_ / "a.cu"));
  EXPECT_FALSE(fs::exists(out_ / "b.cu"));
}

TEST_F(Output, WhatHipwrightKeepsIsNotRead) {
  file("a.cu", kCuda);
  file(".hipwright/port/1/was/b.cu", kCuda);
  EXPECT_EQ(ported(root_).files.size(), 1U);
}

// Whole: with the new files, and with odd ends of files.
TEST_F(Output, TheDiffIsAPatch) {
  file("a.cu", kCuda);
  file("sub/crlf.cu", "#include <cuda_runtime.h>\r\nvoid f(float** p) { cudaMalloc(p, 4); }\r\n");
  file("sub/no_end.cu", "void f() { cudaFree(0); }");
  for (const Mode mode : {Mode::kDual, Mode::kHip}) {
    const Ported what = ported(root_, mode);
    const std::string diff = diff_of(what);
    ASSERT_TRUE(write_tree(what, out_));
    for (const auto& argv : std::vector<std::vector<std::string>>{
             {"patch", "-p1", "-s", "--binary"}, {"git", "apply", "-"}}) {
      if (!find_program(argv[0])) GTEST_SKIP() << "not run: " << argv[0] << " is not installed";
      const fs::path patched = scratch_->path() / "patched";
      fs::copy(root_, patched, fs::copy_options::recursive);
      const auto done = run({.argv = argv, .directory = patched, .input = diff});
      ASSERT_TRUE(done && done->ok()) << argv[0] << ": " << done->err << done->out << diff;
      std::size_t compared = 0;
      for (const auto& entry : fs::recursive_directory_iterator(out_)) {
        const fs::path path = entry.path().lexically_relative(out_);
        if (!entry.is_regular_file() || *path.begin() == ".hipwright") continue;
        EXPECT_EQ(read_file(patched / path).value_or("none"), *read_file(entry.path())) << path;
        ++compared;
      }
      EXPECT_EQ(compared, 3 + what.added.size());
      fs::remove_all(patched);
    }
    fs::remove_all(out_);
  }
}

}  // namespace
}  // namespace hipwright::port
